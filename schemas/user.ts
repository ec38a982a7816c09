import { type Static, Type } from '@sinclair/typebox'
import { OwnCredentials } from './own-credentials.ts'
import { closedComponent, component, Id, ignored, ignoredUnshown, oneOf, optionalText, ref, Time } from './types.ts'

export const roles = ['ADMIN', 'AUDITOR', 'USER'] as const
export const Role = oneOf(roles, {
  description: 'ADMIN: can do everything. USER: can create and share graphs. AUDITOR: can also read audit events.',
  examples: ['USER']
})
export type Role = Static<typeof Role>

const userKinds = ['PERSON', 'SERVICE'] as const
const UserKind = oneOf(userKinds, {
  description:
    'A PERSON can sign in. A SERVICE has no password: its programs use API tokens that an administrator creates.',
  examples: ['PERSON']
})
export type UserKind = Static<typeof UserKind>

const LOGIN_PATTERN = '^[a-z0-9][a-z0-9._@-]{0,63}$'
export const Login = Type.String({
  pattern: LOGIN_PATTERN,
  description: 'The login of a user: 1 to 64 lower-case letters, digits, and `._@-`.',
  examples: ['ada']
})

const login = new RegExp(LOGIN_PATTERN)

/** Returns whether the text is a valid login. */
export function isLogin(text: string): boolean {
  return login.test(text)
}

/** Principals in the audit trail that are not accounts, and therefore cannot be logins. */
export const reservedLogins = ['anonymous', 'system']

/** `db/users/passwords.ts` checks the length in characters and bytes. This limit applies only to the schema. */
export const NewPassword = Type.String({
  minLength: 12,
  maxLength: 256,
  writeOnly: true,
  description:
    'At least 12 characters and at most 256 bytes in UTF-8. Must not be based on the login or a common password.',
  examples: ['correct horse battery']
})

const enabled = { description: 'Whether the user can sign in. Disabling a user signs them out at once.' }

const mustChangePassword = {
  description:
    'Whether the user must change the password before doing anything else in a browser session (403 `password-change-required`). Tokens from `POST /api/authenticate` work regardless.'
}

const hasPassword = Type.Boolean({ description: 'Whether the user has a password.' })
const secondFactor = Type.Boolean({
  description: 'Whether signing in with the password requires a two-factor code (TOTP).'
})
const lastSeenAt = optionalText({
  format: 'date',
  description:
    'The day on which the user last signed in, or last used a session or an API token, in UTC; absent if there is no such day.',
  examples: ['2026-11-21']
})
const linked = Type.Boolean({ description: 'Whether the user can sign in through the identity provider.' })

/** The role in Spring Security's terms, as expected by clients that JHipster generates. */
const Authorities = Type.Array(oneOf(['ROLE_USER', 'ROLE_ADMIN', 'ROLE_AUDITOR']), {
  description: 'The role as a list, for clients that expect one: `ROLE_USER`, and `ROLE_ADMIN` or `ROLE_AUDITOR`.',
  examples: [['ROLE_USER']]
})

/** Returns the Spring Security authorities for the role. */
export function authoritiesOf(role: Role): Static<typeof Authorities> {
  return role === 'USER' ? ['ROLE_USER'] : ['ROLE_USER', `ROLE_${role}`]
}

export const User = component('User', 'An account for a person or a program.', {
  id: Id,
  login: Login,
  kind: UserKind,
  role: Role,
  authorities: Authorities,
  enabled: Type.Boolean(enabled),
  mustChangePassword: Type.Boolean(mustChangePassword),
  hasPassword,
  linked,
  secondFactor,
  lastSeenAt,
  createdAt: Time,
  updatedAt: Time
})
export type User = Static<typeof User>

export const Account = component('Account', "The caller's own account.", {
  ...User.properties,
  groups: Type.Array(Type.String(), {
    description: 'The names of the groups that the caller belongs to, sorted.',
    examples: [['chemists']]
  })
})
export type Account = Static<typeof Account>

const readOnly = {
  id: ignored(Id),
  authorities: ignored(Authorities),
  hasPassword: ignoredUnshown(),
  linked: ignored(linked),
  secondFactor: ignored(secondFactor),
  lastSeenAt: ignored(lastSeenAt),
  createdAt: ignored(Time),
  updatedAt: ignored(Time)
}

/** The caller's credentials, required for changes that give someone a new way to sign in or more rights. */
const proof = Type.Optional(ref(OwnCredentials))

export const UserCreate = closedComponent('UserCreate', 'A new user.', {
  login: {
    ...Login,
    not: { enum: reservedLogins },
    shown: { ...Login, description: `${Login.description} Must not be ${reservedLogins.join(' or ')}.` }
  },
  kind: Type.Optional(UserKind),
  password: Type.Optional({
    ...NewPassword,
    description: `${NewPassword.description} A PERSON without a password cannot sign in until an administrator sets one or links an identity. A SERVICE has no password.`
  }),
  role: Role,
  enabled: Type.Optional(Type.Boolean({ ...enabled, default: true })),
  mustChangePassword: Type.Optional(
    Type.Boolean({
      description: `${mustChangePassword.description} True by default if a password is set; never true for a SERVICE.`
    })
  ),
  proof,
  ...readOnly
})
export type UserCreate = Static<typeof UserCreate>

export const UserPatch = closedComponent('UserPatch', 'Changes to a user. Absent fields stay the same.', {
  role: Type.Optional(Role),
  enabled: Type.Optional(Type.Boolean(enabled)),
  password: Type.Optional(NewPassword),
  mustChangePassword: Type.Optional(
    Type.Boolean({
      description: `${mustChangePassword.description} Set to true by default when you set another user’s password.`
    })
  ),
  proof,
  login: ignored(Login),
  kind: ignored(UserKind),
  ...readOnly
})
export type UserPatch = Static<typeof UserPatch>

export const userSorts = ['id', 'login', 'role', 'enabled', 'createdAt', 'updatedAt'] as const

/** The path parameter for a user. */
export const LoginParameter = Type.Object({
  login: Type.String({ description: 'The login of the user.', examples: ['ada'] })
})
