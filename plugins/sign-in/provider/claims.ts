import type { JWTPayload } from 'jose'
import type { Arrival } from '../../../db/users/identities.ts'
import { isLogin, type Role, reservedLogins } from '../../../schemas/user.ts'
import type { ProviderSettings } from './settings.ts'

/** A logout token may be as old as this, in seconds. */
export const LOGOUT_AGE = 5 * 60

/** The claims of an id token that was verified. */
export type IdClaims = JWTPayload & { iss: string; sub: string }

/** Tells whether the value can name a person or a session of the provider: stores change half a character, and refuse U+0000. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[^\0]{1,255}$/.test(value) && value.isWellFormed()
}

/** Returns the person of the id token: who they are, and the login and role that they would get. */
export function arrivalOf(claims: IdClaims, settings: ProviderSettings): Arrival {
  return {
    issuer: claims.iss,
    subject: claims.sub,
    login: loginOf(claims, settings.loginClaim),
    role: roleOf(claims, settings)
  }
}

/** Returns the login of the claim; undefined if there is none, or if it cannot be one. */
function loginOf(claims: IdClaims, name: string): string | undefined {
  const value = claimOf(claims, name)
  // Somebody else may own an address that nobody has checked.
  if (typeof value !== 'string' || (name === 'email' && !isVerified(claims))) return undefined
  // Some letters beyond ASCII have a lower case within it: these are other logins at the provider.
  const login = value.trim().replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return isLogin(login) && !reservedLogins.includes(login) ? login : undefined
}

/** Tells whether the address is checked: a provider that does not say so checks all. Some say it in other types. */
function isVerified({ email_verified: verified }: IdClaims) {
  return verified === undefined || verified === true
}

/** Returns the role by the claim: the highest that its values give, USER for none; undefined if no claim decides. */
function roleOf(claims: IdClaims, { roleClaim, adminValues, auditorValues }: ProviderSettings): Role | undefined {
  if (roleClaim === undefined) return undefined
  const values = [claimOf(claims, roleClaim)].flat()
  const hasOne = (wanted: string[]) => wanted.some((value) => values.includes(value))
  return hasOne(adminValues) ? 'ADMIN' : hasOne(auditorValues) ? 'AUDITOR' : 'USER'
}

/** Returns the claim of this name, or what the parts of the name lead to, such as `realm_access.roles`. */
function claimOf(claims: IdClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}
