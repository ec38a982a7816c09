import { type Static, Type } from '@sinclair/typebox'
import { component, oneOf, optionalText, Time } from './types.ts'

const SignInMethod = oneOf(['password', 'oidc'], {
  description: 'How its user signed in: with a password, or with the identity provider (`oidc`).',
  examples: ['password']
})
export type SignInMethod = Static<typeof SignInMethod>

/** The maximum number of sessions in a list. */
export const LISTED_SESSIONS = 100

export const SessionId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'The id of the session. It gives no rights.',
  examples: ['6f1c5a52-9a3e-4f0b-8f0e-0d7c1a2b3c4d']
})

/** A session of a browser, or a token that a program got for a password. */
export const Session = component('Session', 'A session of a browser, or a token that a program got for a password.', {
  id: SessionId,
  kind: oneOf(['BROWSER', 'TOKEN'], {
    description: 'A BROWSER has a cookie. A TOKEN is one of `POST /api/authenticate`.',
    examples: ['BROWSER']
  }),
  current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
  method: SignInMethod,
  familiar: Type.Boolean({
    description: 'Whether the user had signed in with this browser, or from this network, not long before.'
  }),
  startedAt: Time,
  lastUsedAt: {
    ...Time,
    description: 'The last use, or up to five minutes before it; RFC 3339, in UTC, with milliseconds.'
  },
  expiresAt: { ...Time, description: 'When it ends in any case; RFC 3339, in UTC, with milliseconds.' },
  address: Type.String({
    description: 'The address that signed in, as reported by trusted proxies.',
    examples: ['127.0.0.1']
  }),
  userAgent: optionalText({ maxLength: 255, description: 'The `User-Agent` that signed in.', examples: ['curl/8.5.0'] })
})
export type Session = Static<typeof Session>
