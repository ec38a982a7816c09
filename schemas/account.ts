import { type Static, Type } from '@sinclair/typebox'
import { KnownPassword, SecondFactorCode } from './own-credentials.ts'
import { closedComponent, component } from './types.ts'
import { NewPassword } from './user.ts'

/** Accepts any text. A text that is not a valid login is refused in the same way as an unknown login. */
const Username = Type.String({ maxLength: 255, description: 'The login.', examples: ['ada'] })
export const Credentials = closedComponent('Credentials', 'A login and its password.', {
  username: Username,
  password: KnownPassword,
  code: Type.Optional({
    ...SecondFactorCode,
    description: `${SecondFactorCode.description} For users with a second factor; without it their password is refused as \`second-factor-required\`.`
  }),
  rememberMe: Type.Optional(Type.Boolean({ default: false, description: 'A token for 30 days instead of 24 hours.' }))
})
export type Credentials = Static<typeof Credentials>

export const Token = component('Token', 'A token that authenticates its user with each request.', {
  id_token: Type.String({ description: 'A JSON Web Token; send it as `Authorization: Bearer …`.' }),
  token_type: Type.Literal('Bearer', { description: 'The authorization scheme (RFC 6750).' }),
  expires_in: Type.Integer({ minimum: 1, description: 'Seconds until it expires.', examples: [86400] })
})
export type Token = Static<typeof Token>

export const PasswordChange = closedComponent(
  'PasswordChange',
  'A new password for the caller, different from the current one. It invalidates all earlier tokens.',
  { currentPassword: KnownPassword, newPassword: NewPassword }
)
export type PasswordChange = Static<typeof PasswordChange>
