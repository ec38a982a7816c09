import { type Static, Type } from '@sinclair/typebox'
import { KnownPassword, SecondFactorCode } from './own-credentials.ts'
import { closedComponent, component } from './types.ts'
import { NewPassword } from './user.ts'

/** Any string. An invalid login is rejected in the same way as an unknown one. */
const Username = Type.String({ maxLength: 255, description: 'The username.', examples: ['ada'] })
export const Credentials = closedComponent('Credentials', 'A username and password.', {
  username: Username,
  password: KnownPassword,
  code: Type.Optional({
    ...SecondFactorCode,
    description: `${SecondFactorCode.description} Required for users with two-factor authentication; otherwise, the response is \`second-factor-required\`.`
  }),
  rememberMe: Type.Optional(
    Type.Boolean({ default: false, description: 'Whether to issue a token for 30 days instead of 24 hours.' })
  )
})
export type Credentials = Static<typeof Credentials>

export const Token = component('Token', 'A token that authenticates its user with each request.', {
  id_token: Type.String({ description: 'A JSON Web Token. Send it as `Authorization: Bearer …`.' }),
  token_type: Type.Literal('Bearer', { description: 'The authorization scheme (RFC 6750).' }),
  expires_in: Type.Integer({ minimum: 1, description: 'Number of seconds until the token expires.', examples: [86400] })
})
export type Token = Static<typeof Token>

export const PasswordChange = closedComponent(
  'PasswordChange',
  'A new password for the caller, which must differ from the current one. Setting it invalidates all earlier session tokens.',
  { currentPassword: KnownPassword, newPassword: NewPassword }
)
export type PasswordChange = Static<typeof PasswordChange>
