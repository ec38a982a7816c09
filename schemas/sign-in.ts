import { type Static, Type } from '@sinclair/typebox'
import { ownCredentials } from './own-credentials.ts'
import { closed, closedComponent, component, optionalText, Time } from './types.ts'

/** How people can sign in. */
export const SignInWays = component('SignInWays', 'How people can sign in.', {
  passwordLogin: Type.Boolean({
    description: 'Whether everybody may sign in with a password; if false, only administrators may.'
  }),
  provider: optionalText({
    description: 'The name of the identity provider, if the server has one.',
    examples: ['Example University']
  })
})
export type SignInWays = Static<typeof SignInWays>

/** Where a browser goes to. */
export const SignInLocation = component('SignInLocation', 'Where the browser goes to.', {
  location: Type.String({
    format: 'uri',
    description: 'The address of the identity provider; open it in the same browser.',
    examples: ['https://login.example.org/authorize?client_id=graphstead']
  })
})

const issuer = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^https?://[!-~]+$',
  description: 'The issuer of the identity, as the identity provider names itself.',
  examples: ['https://login.example.org']
})
const subject = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\x00]*$',
  description: 'The person at this issuer: the claim `sub`.',
  examples: ['248289761001']
})

export const Identity = component('Identity', 'The identity that a user signs in with.', {
  issuer,
  subject,
  linkedAt: Time,
  linkedBy: Type.String({
    description: 'The actor who linked it; `system` at the first sign-in; empty if the login was erased.',
    examples: ['ada']
  })
})
export type Identity = Static<typeof Identity>

export const IdentityLink = closedComponent('IdentityLink', 'The identity that a user is to sign in with.', {
  issuer: Type.Optional({
    ...issuer,
    description: `${issuer.description} By default that of the server's settings.`
  }),
  subject,
  ...ownCredentials
})

export const StartQuery = closed({
  to: optionalText({
    maxLength: 2000,
    description: 'The page of the web app to open afterwards: a path. Anything else is the first page.',
    examples: ['/graphs/7']
  })
})

/** The query parameters that the provider sends. It may add others. */
export const CallbackQuery = Type.Object({
  code: optionalText({ description: 'The authorization code.' }),
  state: optionalText({ description: 'The state that began the sign-in.' }),
  iss: optionalText({ description: 'The issuer (RFC 9207).' }),
  error: optionalText({ description: 'Why there is no code (RFC 6749).' })
})

export const LogoutNotice = component('LogoutNotice', 'The end of a session at the identity provider.', {
  logout_token: Type.String({ maxLength: 8192, description: 'A logout token, signed by the provider.' })
})
