import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from './types.ts'

export const Health = Type.Object(
  {
    status: oneOf(['ok'], { description: 'The only word; anything else is a problem.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 8,
        description: 'What does not go well: `storage-low` where there is too little room for more content.'
      })
    )
  },
  { $id: 'Health', title: 'Health', description: 'The server is well.' }
)
export type Health = Static<typeof Health>
