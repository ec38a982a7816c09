import { type Static, Type } from '@sinclair/typebox'
import { NewPassword } from './user.ts'

/** Any text may be tried: what is not a login is refused like a wrong one. */
const Username = Type.String({ maxLength: 255, description: 'The login.', examples: ['ada'] })
const KnownPassword = Type.String({
  maxLength: 1024,
  description: 'The password as it is now.',
  writeOnly: true,
  examples: ['correct horse battery']
})

export const Credentials = Type.Object(
  {
    username: Username,
    password: KnownPassword,
    rememberMe: Type.Optional(Type.Boolean({ default: false, description: 'A token for 30 days instead of 24 hours.' }))
  },
  { $id: 'Credentials', title: 'Credentials', additionalProperties: false, description: 'Who logs in.' }
)
export type Credentials = Static<typeof Credentials>

export const Token = Type.Object(
  {
    id_token: Type.String({ description: 'A JSON Web Token, to be sent as `Authorization: Bearer …`.' }),
    token_type: Type.Literal('Bearer', { description: 'How it is to be sent (RFC 6750).' }),
    expires_in: Type.Integer({ minimum: 1, description: 'Seconds until it expires.', examples: [86400] })
  },
  { $id: 'Token', title: 'Token', description: 'What a logged-in user shows with each request.' }
)
export type Token = Static<typeof Token>

export const PasswordChange = Type.Object(
  { currentPassword: KnownPassword, newPassword: NewPassword },
  {
    $id: 'PasswordChange',
    title: 'PasswordChange',
    additionalProperties: false,
    description: 'A new password for the caller, another one than the current. Every token issued before stops working.'
  }
)
export type PasswordChange = Static<typeof PasswordChange>
