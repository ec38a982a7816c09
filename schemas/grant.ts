import { type Static, Type } from '@sinclair/typebox'
import { Name as GroupName } from './group.ts'
import { closedComponent, component, oneOf, Time } from './types.ts'
import { Login } from './user.ts'

/** The rights that can be granted. Each includes the ones after it. */
const grantedAccesses = ['WRITE', 'READ'] as const
export type GrantedAccess = (typeof grantedAccesses)[number]

const granteeTypes = ['USER', 'GROUP'] as const
export type GranteeType = (typeof granteeTypes)[number]

const access = oneOf(grantedAccesses, {
  description: 'WRITE: can change the graph and restore its versions. READ: can only read it.',
  examples: ['READ']
})

/** The maximum number of grants per graph. */
export const MAX_GRANTS = 1000

/** Access to a graph, granted to a person or group. */
export const Grant = component('Grant', "A person's or group's access to a graph.", {
  user: Type.Optional({ ...Login, description: 'The login of the person; absent for a group.' }),
  group: Type.Optional({ ...GroupName, description: 'The name of the group; absent for a person.' }),
  access,
  createdAt: Time,
  createdBy: Type.String({
    description: 'The login of the user who granted access; empty if it was erased.',
    examples: ['ada']
  })
})
export type Grant = Static<typeof Grant>

export const GrantUpdate = closedComponent('GrantUpdate', 'The access to grant.', { access })
export type GrantUpdate = Static<typeof GrantUpdate>
