import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from './types.ts'

export const Health = Type.Object(
  {
    status: oneOf(['ok'], { description: 'Always `ok`; failures are problems.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 8,
        description: '`storage-low`: the disk has too little space for more content.'
      })
    )
  },
  { $id: 'Health', title: 'Health', description: 'The server is healthy.' }
)
export type Health = Static<typeof Health>
