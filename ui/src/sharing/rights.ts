import type { GrantedAccess } from '../api.ts'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'

/** The options for the access levels that an owner can grant. */
export const rights = optionsOf(text.sharing.rights)

/** Converts the value of a select field to the chosen access. */
export function toRight(value: string | null): GrantedAccess {
  return value === 'WRITE' ? value : 'READ'
}
