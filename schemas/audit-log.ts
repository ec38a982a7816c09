import { type Static, Type } from '@sinclair/typebox'
import { closed, component, digits, LARGE } from './types.ts'

/** The maximum size of a log, in entries. */
const MAX_SIZE = Number.MAX_SAFE_INTEGER

export const ConsistencyQuery = closed({
  from: digits(1, MAX_SIZE, { description: 'The size of the older checkpoint.', examples: ['1000'] })
})

const size = (description: string) => Type.Integer({ ...LARGE, minimum: 0, description, examples: [1200] })

export const Consistency = component(
  'Consistency',
  'Proof that the latest checkpoint of the audit log extends an older one.',
  {
    from: size('The size of the older tree.'),
    to: size('The size of the tree in the checkpoint.'),
    hashes: Type.Array(Type.String({ description: 'A hash in base64.' }), {
      maxItems: 63,
      description: 'The consistency proof (RFC 9162, section 2.1.4).'
    }),
    checkpoint: Type.String({ description: 'The latest checkpoint, a signed note (c2sp.org/tlog-checkpoint).' })
  }
)
export type Consistency = Static<typeof Consistency>
