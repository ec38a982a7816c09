import { type Static, Type } from '@sinclair/typebox'
import { closedComponent } from './types.ts'

export const KnownPassword = Type.String({
  maxLength: 1024,
  description: 'The current password.',
  writeOnly: true,
  examples: ['correct horse battery']
})

export const SecondFactorCode = Type.String({
  maxLength: 64,
  writeOnly: true,
  description: 'A code from the authenticator app, or a recovery code. Spaces, hyphens and case are ignored.',
  examples: ['492039']
})

export const OwnPassword = closedComponent(
  'OwnPassword',
  'The current password, to confirm that the request comes from the user.',
  { password: KnownPassword }
)

export const OwnCredentials = closedComponent(
  'OwnCredentials',
  'The credentials of the caller, to confirm that the request comes from the user.',
  {
    password: KnownPassword,
    code: Type.Optional({
      ...SecondFactorCode,
      description: `${SecondFactorCode.description} Required for users with two-factor authentication.`
    })
  }
)
export type OwnCredentials = Static<typeof OwnCredentials>

/** The members of OwnCredentials, optional in requests that callers without a password may make. */
export const ownCredentials = {
  password: Type.Optional({
    ...KnownPassword,
    description: 'The current password of the caller. Required for users who can sign in with a password.'
  }),
  code: OwnCredentials.properties.code
}
