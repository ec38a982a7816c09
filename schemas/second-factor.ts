import { type Static, Type } from '@sinclair/typebox'
import { SecondFactorCode } from './own-credentials.ts'
import { closedComponent, component, nullable, Time } from './types.ts'

/** The number of recovery codes per user. */
export const RECOVERY_CODES = 10

export const SecondFactor = component('SecondFactor', 'The second factor of the caller.', {
  since: nullable({
    ...Time,
    description: 'When it was confirmed; null without one. RFC 3339, in UTC, with milliseconds.'
  }),
  recoveryCodes: Type.Integer({
    minimum: 0,
    description: 'The number of recovery codes that are left.',
    examples: [10]
  })
})
export type SecondFactor = Static<typeof SecondFactor>

export const SecondFactorSetup = component(
  'SecondFactorSetup',
  'A secret for an authenticator app. It counts when a code of it has confirmed it.',
  {
    secret: Type.String({
      description: 'The secret of the authenticator app, in base32; shown once.',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ']
    }),
    uri: Type.String({
      description: 'The same as an address that authenticator apps read, for a QR code.',
      examples: ['otpauth://totp/Graphstead:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Graphstead']
    })
  }
)

export const Confirmation = closedComponent(
  'Confirmation',
  'A code of the authenticator app that has the new secret.',
  { code: SecondFactorCode }
)

export const RecoveryCodeList = component('RecoveryCodeList', 'Recovery codes, for a lost authenticator app.', {
  recoveryCodes: Type.Array(Type.String(), {
    description: `${RECOVERY_CODES} codes, each to be used once in place of a code of the app; shown once.`,
    examples: [['k3jq-7xwb-m2ad-5ptz']]
  })
})
