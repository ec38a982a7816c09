import { type TProperties, Type } from '@sinclair/typebox'
import { oneOf } from '../schemas/types.ts'

/** The settings of signing in by OpenID Connect; docs/sign-in.md explains them. */
export const oidcSettings = {
  oidcIssuer: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'issuer of the identity provider (OpenID Connect); https, or http on loopback; default: none'
    })
  ),
  oidcName: Type.String({
    minLength: 1,
    maxLength: 50,
    default: 'single sign-on',
    description: 'name of the provider on the button that signs in with it'
  }),
  oidcClientId: Type.Optional(Type.String({ minLength: 1, description: 'id of Graphstead at the provider' })),
  oidcClientSecretFile: Type.Optional(
    Type.String({ minLength: 1, description: 'file of the secret for this id; default: a public client without one' })
  ),
  oidcLoginClaim: Type.String({
    minLength: 1,
    default: 'preferred_username',
    description: 'claim of the id token that becomes the login of a new user'
  }),
  oidcRoleClaim: Type.Optional(
    Type.String({ minLength: 1, description: 'claim that decides about the role at each sign-in; default: none' })
  ),
  oidcAdminValues: Type.Optional(
    Type.String({ minLength: 1, description: 'comma-separated values of this claim that make an ADMIN' })
  ),
  oidcAuditorValues: Type.Optional(
    Type.String({ minLength: 1, description: 'comma-separated values of this claim that make an AUDITOR' })
  ),
  oidcCreateUsers: oneOf(['on', 'off'], {
    default: 'off',
    description: 'whether the first sign-in of a person whom nobody has linked creates a user'
  }),
  passwordLogin: oneOf(['on', 'off'], {
    default: 'on',
    description: 'whether all persons may sign in with their passwords, or administrators only'
  })
} satisfies TProperties
