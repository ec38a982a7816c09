import type { GrantedAccess } from '../api.ts'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'

/** The rights that an owner can give, to choose from. */
export const rights = optionsOf(text.sharing.rights)

/** Returns the chosen right. */
export function toRight(value: string | null): GrantedAccess {
  return value === 'WRITE' ? value : 'READ'
}
