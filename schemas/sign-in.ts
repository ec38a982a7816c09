import { type Static, Type } from '@sinclair/typebox'
import { ownCredentials } from './own-credentials.ts'
import { closed, closedComponent, component, optionalText, Time } from './types.ts'

/** The sign-in methods that the server offers. */
export const SignInWays = component('SignInWays', 'The available sign-in methods.', {
  passwordLogin: Type.Boolean({
    description: 'Whether everyone can sign in with a password. If false, only administrators can.'
  }),
  provider: optionalText({
    description: 'The name of the identity provider, if the server has one.',
    examples: ['Example University']
  })
})
export type SignInWays = Static<typeof SignInWays>

/** The address that the browser should go to next. */
export const SignInLocation = component('SignInLocation', 'The address to open in the browser.', {
  location: Type.String({
    format: 'uri',
    description: 'The address of the identity provider. Open it in the same browser.',
    examples: ['https://login.example.org/authorize?client_id=graphstead']
  })
})

const issuer = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^https?://[!-~]+$',
  description: 'The issuer of the identity, exactly as the identity provider specifies it.',
  examples: ['https://login.example.org']
})
const subject = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: '^[^\\x00]*$',
  description: 'The identifier of the person at this issuer: the `sub` claim.',
  examples: ['248289761001']
})

export const Identity = component('Identity', 'The identity that a user signs in with.', {
  issuer,
  subject,
  linkedAt: Time,
  linkedBy: Type.String({
    description:
      'The login of the user who linked the identity; `system` if it was linked at the first sign-in; empty if it was erased.',
    examples: ['ada']
  })
})
export type Identity = Static<typeof Identity>

export const IdentityLink = closedComponent('IdentityLink', 'The identity with which a user can sign in.', {
  issuer: Type.Optional({
    ...issuer,
    description: `${issuer.description} By default, the issuer in the server settings.`
  }),
  subject,
  ...ownCredentials
})

export const StartQuery = closed({
  to: optionalText({
    maxLength: 2000,
    description: 'The path of the web app page to open afterwards. Any other value opens the start page.',
    examples: ['/graphs/7']
  })
})

/** The query parameters that the provider sends. It may add others. */
export const CallbackQuery = Type.Object({
  code: optionalText({ description: 'The authorization code.' }),
  state: optionalText({ description: 'The state of the sign-in request.' }),
  iss: optionalText({ description: 'The issuer (RFC 9207).' }),
  error: optionalText({ description: 'The reason why no code was issued (RFC 6749).' })
})

export const LogoutNotice = component('LogoutNotice', 'A notice from the identity provider that a session has ended.', {
  logout_token: Type.String({ maxLength: 8192, description: 'A logout token signed by the provider.' })
})
