import { type Static, Type } from '@sinclair/typebox'
import { ownCredentials } from './own-credentials.ts'
import { closedComponent, component, Time } from './types.ts'
import { Login, NewPassword } from './user.ts'

/** How long an invitation is valid, in days. */
export const INVITATION_DAYS = 7

const secret = Type.String({
  minLength: 43,
  maxLength: 43,
  pattern: '^[A-Za-z0-9_-]+$',
  writeOnly: true,
  description: 'The fragment of the address.',
  examples: ['q1Yw8cZb0mV5tR2nJ7xL4dKfPsHgUeAo3iB6vNyQk9E']
})
const expiresAt = { ...Time, description: 'When the invitation expires.' }

export const InvitationCreate = closedComponent('InvitationCreate', 'The credentials of the caller.', ownCredentials)

export const Invitation = component('Invitation', 'An address at which a user can choose their first password.', {
  url: Type.String({
    format: 'uri-reference',
    description:
      'The address, with its secret in the fragment. Shown only once. Relative to the server unless `--public-url` is set.',
    examples: ['/invite#q1Yw8cZb0mV5tR2nJ7xL4dKfPsHgUeAo3iB6vNyQk9E']
  }),
  expiresAt
})

export const InvitationSecret = closedComponent('InvitationSecret', 'The secret of an invitation.', { secret })

export const InvitedUser = component('InvitedUser', 'The user that an invitation is for.', { login: Login, expiresAt })
export type InvitedUser = Static<typeof InvitedUser>

export const InvitationAcceptance = closedComponent(
  'InvitationAcceptance',
  'The secret of an invitation, and the password that the invited user has chosen.',
  { secret, password: NewPassword }
)
