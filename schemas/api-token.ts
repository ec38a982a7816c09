import { type Static, Type } from '@sinclair/typebox'
import { ownCredentials } from './own-credentials.ts'
import { closedComponent, component, Id, oneOf, optionalText, TEXT_NOT_BLANK, Time } from './types.ts'

/** The rights that a token may have. Writing includes reading. */
export const scopes = ['read:graphs', 'write:graphs', 'read:audits', 'read:users', 'write:users'] as const
export type Scope = (typeof scopes)[number]

/** The scope that an operation asks of tokens; `any` where every token will do. An operation without one refuses tokens. */
export type OperationScope = Scope | 'any'

/** Tells whether a token with these scopes may be used for an operation with that scope. */
export function includesScope(granted: readonly Scope[], needed: OperationScope | undefined): boolean {
  if (needed === undefined) return false
  return needed === 'any' || granted.some((scope) => scope === needed || scope === needed.replace('read:', 'write:'))
}

/** The most tokens that one user has. */
export const MAX_TOKENS = 100

/** The days after which a token expires, where nothing is said, and at most. */
export const TOKEN_DAYS = { default: 90, most: 366 }

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: TEXT_NOT_BLANK,
  description: 'A name that tells what the token is for.',
  examples: ['nightly import']
})
const Scopes = Type.Array(oneOf(scopes, { examples: ['write:graphs'] }), {
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
  description:
    'The rights of the token, within those of its user: `write:graphs` also covers grants, tags and the trash, `write:users` groups, and `read:audits` metrics. Writing includes reading.',
  examples: [['write:graphs']]
})

const token = {
  id: Id,
  name: Name,
  scopes: Scopes,
  createdAt: Time,
  createdBy: Type.String({
    description: 'The login of the user who made it; empty if it was erased.',
    examples: ['ada']
  }),
  expiresAt: Time,
  lastUsedAt: optionalText({
    format: 'date',
    description: 'The day of its last use, in UTC; absent if it was never used.',
    examples: ['2026-11-21']
  })
}

/** A token of a program, as lists show it: without its text, which the server does not keep. */
export const ApiToken = component(
  'ApiToken',
  'A token that a program sends in place of a password. It acts for its user, within its scopes.',
  token
)
export type ApiToken = Static<typeof ApiToken>

export const CreatedToken = component('CreatedToken', 'A new token, with its text.', {
  ...token,
  token: Type.String({
    description:
      'The token itself, which is shown only here; send it as `Authorization: Bearer …`. `gst_`, 30 characters of base62, and their CRC-32 in six digits of base62.',
    examples: ['gst_…']
  })
})
export type CreatedToken = Static<typeof CreatedToken>

export const TokenCreate = closedComponent('TokenCreate', 'A new token of a user.', {
  name: Name,
  scopes: Scopes,
  expiresAt: optionalText({
    format: 'date-time',
    description: `The time from which the token is refused, at most ${TOKEN_DAYS.most} days away; ${TOKEN_DAYS.default} days if absent. RFC 3339, also with an offset from UTC.`,
    examples: ['2027-01-31T00:00:00.000Z']
  }),
  ...ownCredentials
})
export type TokenCreate = Static<typeof TokenCreate>
