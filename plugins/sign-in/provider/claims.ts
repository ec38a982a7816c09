import type { JWTPayload } from 'jose'
import type { Arrival } from '../../../db/users/identities.ts'
import { isLogin, type Role, reservedLogins } from '../../../schemas/user.ts'
import type { ProviderSettings } from './settings.ts'

/** The maximum age of a logout token, in seconds. */
export const LOGOUT_AGE = 5 * 60

/** The claims of a verified ID token. */
export type IdClaims = JWTPayload & { iss: string; sub: string }

/**
 * Returns whether the value can identify a person or session at the provider. Databases alter lone surrogates and reject
 * U+0000.
 */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[^\0]{1,255}$/.test(value) && value.isWellFormed()
}

/** Returns the person described by the ID token, with the login and role they would get. */
export function arrivalOf(claims: IdClaims, settings: ProviderSettings): Arrival {
  return {
    issuer: claims.iss,
    subject: claims.sub,
    login: loginOf(claims, settings.loginClaim),
    role: roleOf(claims, settings)
  }
}

/** Returns the login from the claim, or undefined if the claim is missing or not a valid login. */
function loginOf(claims: IdClaims, name: string): string | undefined {
  const value = claimOf(claims, name)
  // An unverified e-mail address may belong to someone else.
  if (typeof value !== 'string' || (name === 'email' && !isVerified(claims))) return undefined
  // Lower-cases ASCII only. A few other letters have an ASCII lower-case form, but the provider treats logins that contain them
  // as different.
  const login = value.trim().replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
  return isLogin(login) && !reservedLogins.includes(login) ? login : undefined
}

/**
 * Returns whether the e-mail address is verified. A provider that does not send the claim is assumed to verify all addresses.
 * Otherwise, the claim must be the boolean true.
 */
function isVerified({ email_verified: verified }: IdClaims) {
  return verified === undefined || verified === true
}

/**
 * Returns the role from the claim: the highest role that its values grant, or USER if they grant none. Returns undefined if
 * roles do not depend on a claim.
 */
function roleOf(claims: IdClaims, { roleClaim, adminValues, auditorValues }: ProviderSettings): Role | undefined {
  if (roleClaim === undefined) return undefined
  const values = [claimOf(claims, roleClaim)].flat()
  const hasOne = (wanted: string[]) => wanted.some((value) => values.includes(value))
  return hasOne(adminValues) ? 'ADMIN' : hasOne(auditorValues) ? 'AUDITOR' : 'USER'
}

/** Returns the claim with this name, or the nested value for a dotted name such as `realm_access.roles`. */
function claimOf(claims: IdClaims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = Reflect.get(value, part)
  }
  return value
}
