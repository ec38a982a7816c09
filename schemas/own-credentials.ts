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
  description: 'A code of the authenticator app, or a recovery code; spaces, hyphens and capitals do not matter.',
  examples: ['492039']
})

export const OwnPassword = closedComponent(
  'OwnPassword',
  'The current password, as a proof that the user of the session asks for this.',
  { password: KnownPassword }
)

export const OwnCredentials = closedComponent(
  'OwnCredentials',
  'All that the caller signs in with, as a proof that the user of the session asks for this.',
  {
    password: KnownPassword,
    code: Type.Optional({
      ...SecondFactorCode,
      description: `${SecondFactorCode.description} Required of users with a second factor.`
    })
  }
)
export type OwnCredentials = Static<typeof OwnCredentials>

/** The same in a request that callers without a password may make as well. */
export const ownCredentials = {
  password: Type.Optional({
    ...KnownPassword,
    description: 'The current password of the caller. Required of users with a password that signs them in.'
  }),
  code: OwnCredentials.properties.code
}
