import { type Static, Type } from '@sinclair/typebox'
import { SecondFactorCode } from './own-credentials.ts'
import { closedComponent, component, nullable, Time } from './types.ts'

/** The number of recovery codes per user. */
export const RECOVERY_CODES = 10

export const SecondFactor = component('SecondFactor', 'The two-factor settings of the caller.', {
  since: nullable({
    ...Time,
    description: 'When two-factor authentication was confirmed; null if it is off. RFC 3339, in UTC, with milliseconds.'
  }),
  recoveryCodes: Type.Integer({
    minimum: 0,
    description: 'The number of unused recovery codes.',
    examples: [10]
  })
})
export type SecondFactor = Static<typeof SecondFactor>

export const SecondFactorSetup = component(
  'SecondFactorSetup',
  'A secret for an authenticator app. It takes effect once it has been confirmed with a code.',
  {
    secret: Type.String({
      description: 'The secret for the authenticator app, in base32. It is shown only once.',
      examples: ['GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ']
    }),
    uri: Type.String({
      description: 'The secret as a URI for authenticator apps, to show as a QR code.',
      examples: ['otpauth://totp/Graphstead:ada?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Graphstead']
    })
  }
)

export const Confirmation = closedComponent(
  'Confirmation',
  'A code that the authenticator app computed from the new secret.',
  {
    code: SecondFactorCode
  }
)

export const RecoveryCodeList = component(
  'RecoveryCodeList',
  'Recovery codes, in case the authenticator app is lost.',
  {
    recoveryCodes: Type.Array(Type.String(), {
      description: `${RECOVERY_CODES} codes. Each can be used once instead of a code from the app. They are shown only once.`,
      examples: [['k3jq-7xwb-m2ad-5ptz']]
    })
  }
)
