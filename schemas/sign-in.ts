import { type Static, Type } from '@sinclair/typebox'
import { Time } from './types.ts'

/** How people can sign in. */
export const SignInWays = Type.Object(
  {
    passwordLogin: Type.Boolean({
      description: 'Whether all persons may sign in with their passwords; false: administrators only.'
    }),
    provider: Type.Optional(
      Type.String({
        description: 'The name of the identity provider; absent if there is none.',
        examples: ['Example University']
      })
    )
  },
  { $id: 'SignInWays', title: 'SignInWays', description: 'How people can sign in.' }
)
export type SignInWays = Static<typeof SignInWays>

/** Where a browser goes to. */
export const SignInLocation = Type.Object(
  {
    location: Type.String({
      format: 'uri',
      description: 'The address of the identity provider; open it in the same browser.',
      examples: ['https://login.example.org/authorize?client_id=graphstead']
    })
  },
  { $id: 'SignInLocation', title: 'SignInLocation', description: 'Where the browser goes to.' }
)

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

/** The identity that a user signs in with. */
export const Identity = Type.Object(
  {
    issuer,
    subject,
    linkedAt: Time,
    linkedBy: Type.String({
      description: 'The actor who linked it; `system` at the first sign-in; empty if the login was erased.',
      examples: ['ada']
    })
  },
  { $id: 'Identity', title: 'Identity', description: 'The identity that a user signs in with.' }
)
export type Identity = Static<typeof Identity>

export const IdentityLink = Type.Object(
  {
    issuer: Type.Optional({
      ...issuer,
      description: `${issuer.description} By default that of the server's settings.`
    }),
    subject
  },
  {
    $id: 'IdentityLink',
    title: 'IdentityLink',
    additionalProperties: false,
    description: 'The identity that a user is to sign in with.'
  }
)

export const StartQuery = Type.Object(
  {
    to: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'The page of the web app to open afterwards: a path. Anything else is the first page.',
        examples: ['/graphs/7']
      })
    )
  },
  { additionalProperties: false }
)

/** The parameters of the provider. It may add some of its own. */
export const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ description: 'The authorization code.' })),
  state: Type.Optional(Type.String({ description: 'The state that began the sign-in.' })),
  iss: Type.Optional(Type.String({ description: 'The issuer (RFC 9207).' })),
  error: Type.Optional(Type.String({ description: 'Why there is no code (RFC 6749).' }))
})

export const LogoutNotice = Type.Object(
  { logout_token: Type.String({ maxLength: 8192, description: 'A logout token, signed by the provider.' }) },
  { $id: 'LogoutNotice', title: 'LogoutNotice', description: 'The end of a session at the identity provider.' }
)
