import type { GrantedAccess } from '../api.ts'
import { text } from '../text/index.ts'

/** The rights that an owner can give, to choose from. */
export const rights = (Object.keys(text.sharing.rights) as GrantedAccess[]).map((value) => ({
  value,
  label: text.sharing.rights[value]
}))

/** Returns the chosen right. */
export function toRight(value: string | null): GrantedAccess {
  return value === 'WRITE' ? value : 'READ'
}
