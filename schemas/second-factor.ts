import { type Static, Type } from '@sinclair/typebox'
import { KnownPassword, SecondFactorCode } from './account.ts'
import { nullable, Time } from './types.ts'

/** The number of recovery codes of a user. */
export const RECOVERY_CODES = 10

export const SecondFactor = Type.Object(
  {
    since: nullable({
      ...Time,
      description: 'When it was confirmed; null without one. RFC 3339, in UTC, with milliseconds.'
    }),
    recoveryCodes: Type.Integer({
      minimum: 0,
      description: 'The number of recovery codes that are left.',
      examples: [10]
    })
  },
  { $id: 'SecondFactor', title: 'SecondFactor', description: 'The second factor of the caller.' }
)
export type SecondFactor = Static<typeof SecondFactor>

export const OwnPassword = Type.Object(
  { password: KnownPassword },
  {
    $id: 'OwnPassword',
    title: 'OwnPassword',
    additionalProperties: false,
    description: 'The current password, as a proof that the user of the session asks for this.'
  }
)

export const OwnCredentials = Type.Object(
  {
    password: KnownPassword,
    code: Type.Optional({
      ...SecondFactorCode,
      description: `${SecondFactorCode.description} Required of users with a second factor.`
    })
  },
  {
    $id: 'OwnCredentials',
    title: 'OwnCredentials',
    additionalProperties: false,
    description: 'All that the caller signs in with, as a proof that the user of the session asks for this.'
  }
)
export type OwnCredentials = Static<typeof OwnCredentials>

export const SecondFactorSetup = Type.Object(
  {
    secret: Type.String({
      description: 'The secret of the authenticator app, in base32; shown once.',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ']
    }),
    uri: Type.String({
      description: 'The same as an address that authenticator apps read, for a QR code.',
      examples: ['otpauth://totp/Graphstead:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Graphstead']
    })
  },
  {
    $id: 'SecondFactorSetup',
    title: 'SecondFactorSetup',
    description: 'A secret for an authenticator app. It counts when a code of it has confirmed it.'
  }
)

export const Confirmation = Type.Object(
  { code: SecondFactorCode },
  {
    $id: 'Confirmation',
    title: 'Confirmation',
    additionalProperties: false,
    description: 'A code of the authenticator app that has the new secret.'
  }
)

export const RecoveryCodeList = Type.Object(
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: `${RECOVERY_CODES} codes, each to be used once in place of a code of the app; shown once.`,
      examples: [['k3jq-7xwb-m2ad-5ptz']]
    })
  },
  { $id: 'RecoveryCodeList', title: 'RecoveryCodeList', description: 'Recovery codes, for a lost authenticator app.' }
)
