import { type Static, Type } from '@sinclair/typebox'
import { oneOf } from './types.ts'

export const Health = Type.Object(
  { status: oneOf(['ok'], { description: 'The only word; anything else is a problem.' }) },
  { $id: 'Health', title: 'Health', description: 'The server is well.' }
)
export type Health = Static<typeof Health>
