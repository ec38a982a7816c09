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
  description: 'WRITE: may change the graph and restore its versions. READ: may only read it.',
  examples: ['READ']
})

/** The maximum number of grants per graph. */
export const MAX_GRANTS = 1000

/** A right to a graph that its owner has given to a person or a group. */
export const Grant = component('Grant', 'A right to a graph that a person or a group has.', {
  user: Type.Optional({ ...Login, description: 'The login of the person who has it; absent for a group.' }),
  group: Type.Optional({ ...GroupName, description: 'The name of the group that has it; absent for a person.' }),
  access,
  createdAt: Time,
  createdBy: Type.String({
    description: 'The actor who granted it; empty if the login was erased.',
    examples: ['ada']
  })
})
export type Grant = Static<typeof Grant>

export const GrantUpdate = closedComponent('GrantUpdate', 'The right that is granted.', { access })
export type GrantUpdate = Static<typeof GrantUpdate>
