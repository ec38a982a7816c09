import { type Static, Type } from '@sinclair/typebox'
import { Id, ignored, oneOf, Time } from './types.ts'

export const roles = ['ADMIN', 'AUDITOR', 'USER'] as const
export const Role = oneOf(roles, {
  description: 'ADMIN may do everything, AUDITOR also reads audit events, USER has graphs.',
  examples: ['USER']
})
export type Role = Static<typeof Role>

export const LOGIN_PATTERN = '^[a-z0-9][a-z0-9._@-]{0,63}$'
export const Login = Type.String({
  pattern: LOGIN_PATTERN,
  description: 'How a user is called: 1 to 64 lower-case letters, digits, and `._@-`.',
  examples: ['ada']
})

/** Who has these names in the audit trail is nobody's account. */
export const reservedLogins = ['anonymous', 'system']

/** Length is checked in characters and in bytes, see db/passwords.ts; this bound is only for the schema. */
export const NewPassword = Type.String({
  minLength: 12,
  maxLength: 256,
  writeOnly: true,
  description:
    'At least 12 characters, at most 256 bytes in UTF-8, not made of the login, and neither a common password nor one with a little around it.',
  examples: ['correct horse battery']
})

const enabled = { description: 'Whether the user may log in; a disabled one is logged out at once.' }

const mustChangePassword = {
  description:
    'Whether somebody else gave the password: with a session of a browser it has to be changed before anything else (403 `password-change-required`). Tokens of `POST /api/authenticate` work all the same.'
}

/** A person or script that logs in. */
export const User = Type.Object(
  {
    id: Id,
    login: Login,
    role: Role,
    enabled: Type.Boolean(enabled),
    mustChangePassword: Type.Boolean(mustChangePassword),
    createdAt: Time,
    updatedAt: Time
  },
  { $id: 'User', title: 'User', description: 'A person or script that logs in.' }
)
export type User = Static<typeof User>

const readOnly = { id: ignored(), createdAt: ignored(), updatedAt: ignored() }

export const NewUser = Type.Object(
  {
    login: { ...Login, not: { enum: reservedLogins } },
    password: NewPassword,
    role: Role,
    enabled: Type.Optional(Type.Boolean({ ...enabled, default: true })),
    mustChangePassword: Type.Optional(Type.Boolean({ ...mustChangePassword, default: true })),
    ...readOnly
  },
  { $id: 'NewUser', title: 'NewUser', additionalProperties: false, description: 'A user to be created.' }
)
export type NewUser = Static<typeof NewUser>

export const UserPatch = Type.Object(
  {
    role: Type.Optional(Role),
    enabled: Type.Optional(Type.Boolean(enabled)),
    password: Type.Optional(NewPassword),
    mustChangePassword: Type.Optional(
      Type.Boolean({
        description: `${mustChangePassword.description} Where nothing is said, a new password for somebody else makes it true.`
      })
    ),
    login: ignored(),
    ...readOnly
  },
  {
    $id: 'UserPatch',
    title: 'UserPatch',
    additionalProperties: false,
    description: 'What is to be changed about a user; what is absent stays.'
  }
)
export type UserPatch = Static<typeof UserPatch>

export const userSorts = ['id', 'login', 'role', 'enabled', 'createdAt', 'updatedAt'] as const
