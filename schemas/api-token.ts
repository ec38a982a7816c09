import { type Static, Type } from '@sinclair/typebox'
import { ownCredentials } from './own-credentials.ts'
import { closedComponent, component, Id, oneOf, optionalText, TEXT_NOT_BLANK, Time } from './types.ts'

/** The scopes that a token can have. A write scope includes the matching read scope. */
export const scopes = ['read:graphs', 'write:graphs', 'read:audits', 'read:users', 'write:users'] as const
export type Scope = (typeof scopes)[number]

/**
 * The scope that an operation requires of API tokens; `any` accepts every token. An operation without a scope refuses tokens.
 */
export type OperationScope = Scope | 'any'

/** Returns whether a token with the granted scopes can be used for an operation that needs this scope. */
export function includesScope(granted: readonly Scope[], needed: OperationScope | undefined): boolean {
  if (needed === undefined) return false
  return needed === 'any' || granted.some((scope) => scope === needed || scope === needed.replace('read:', 'write:'))
}

/** The maximum number of tokens per user. */
export const MAX_TOKENS = 100

/** The lifetime of a token in days: default and maximum. */
export const TOKEN_DAYS = { default: 90, most: 366 }

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: TEXT_NOT_BLANK,
  description: 'A name that describes the purpose of the token.',
  examples: ['nightly import']
})
const Scopes = Type.Array(oneOf(scopes, { examples: ['write:graphs'] }), {
  minItems: 1,
  maxItems: scopes.length,
  uniqueItems: true,
  description:
    'The operations that the token allows, within the rights of its user. `write:graphs` includes grants, tags and the trash; `write:users` includes groups; `read:audits` includes metrics. Each write scope includes reading.',
  examples: [['write:graphs']]
})

const token = {
  id: Id,
  name: Name,
  scopes: Scopes,
  createdAt: Time,
  createdBy: Type.String({
    description: 'The login of the user who created the token; empty if it was erased.',
    examples: ['ada']
  }),
  expiresAt: Time,
  lastUsedAt: optionalText({
    format: 'date',
    description: 'The day on which the token was last used, in UTC; absent if it was never used.',
    examples: ['2026-11-21']
  })
}

/** An API token without its secret text, which the server does not store. */
export const ApiToken = component(
  'ApiToken',
  'A token that a program uses instead of a password. It acts as its user, within its scopes.',
  token
)
export type ApiToken = Static<typeof ApiToken>

export const CreatedToken = component('CreatedToken', 'A new API token, including the token itself.', {
  ...token,
  token: Type.String({
    description:
      'The token itself, which is shown only once. Send it as `Authorization: Bearer …`. It consists of `gst_`, 30 base62 characters, and their CRC-32 as six base62 digits.',
    examples: ['gst_…']
  })
})
export type CreatedToken = Static<typeof CreatedToken>

export const TokenCreate = closedComponent('TokenCreate', 'A new API token.', {
  name: Name,
  scopes: Scopes,
  expiresAt: optionalText({
    format: 'date-time',
    description: `When the token expires, at most ${TOKEN_DAYS.most} days from now; ${TOKEN_DAYS.default} days from now by default. In RFC 3339 format, with any UTC offset.`,
    examples: ['2027-01-31T00:00:00.000Z']
  }),
  ...ownCredentials
})
export type TokenCreate = Static<typeof TokenCreate>
