import { type Static, Type } from '@sinclair/typebox'
import { component, oneOf, optionalText, Time } from './types.ts'

const SignInMethod = oneOf(['password', 'oidc'], {
  description: 'How the user signed in: with a password or through the identity provider (`oidc`).',
  examples: ['password']
})
export type SignInMethod = Static<typeof SignInMethod>

/** The maximum number of sessions in a list. */
export const LISTED_SESSIONS = 100

export const SessionId = Type.String({
  pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  description: 'The id of the session. It does not grant access.',
  examples: ['6f1c5a52-9a3e-4f0b-8f0e-0d7c1a2b3c4d']
})

/** A browser session, or a token that a program obtained with a password. */
export const Session = component('Session', 'A browser session, or a token that a program obtained with a password.', {
  id: SessionId,
  kind: oneOf(['BROWSER', 'TOKEN'], {
    description: 'BROWSER: a session with a cookie. TOKEN: a token from `POST /api/authenticate`.',
    examples: ['BROWSER']
  }),
  current: Type.Boolean({ description: 'Whether this request belongs to the session.' }),
  method: SignInMethod,
  familiar: Type.Boolean({
    description: 'Whether the user had recently signed in from this browser or network.'
  }),
  startedAt: Time,
  lastUsedAt: {
    ...Time,
    description: 'The time of the last use, accurate to five minutes. RFC 3339, in UTC, with milliseconds.'
  },
  expiresAt: {
    ...Time,
    description: 'The latest time at which the session ends. RFC 3339, in UTC, with milliseconds.'
  },
  address: Type.String({
    description: 'The client address at sign-in, as reported by trusted proxies.',
    examples: ['127.0.0.1']
  }),
  userAgent: optionalText({ maxLength: 255, description: 'The `User-Agent` at sign-in.', examples: ['curl/8.5.0'] })
})
export type Session = Static<typeof Session>
