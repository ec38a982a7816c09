import { type Static, Type } from '@sinclair/typebox'
import { component, oneOf } from './types.ts'

export const Health = component('Health', 'The server is healthy.', {
  status: oneOf(['ok'], { description: 'Always `ok`. Failures are returned as problems.' }),
  warnings: Type.Optional(
    Type.Array(Type.String(), {
      maxItems: 8,
      description: '`storage-low`: the disk has too little space for more content.'
    })
  )
})
export type Health = Static<typeof Health>
