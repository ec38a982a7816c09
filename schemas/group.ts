import { type Static, Type } from '@sinclair/typebox'
import { closedComponent, component, Id, ignored, LARGE, nullable, optionalInteger, TEXT, Time } from './types.ts'
import { Login } from './user.ts'

/** Group names follow the same rules as logins, so that they fit in URLs and have only one spelling. */
export const NAME_PATTERN = '^[a-z0-9][a-z0-9._@-]{0,63}$'

export const Name = Type.String({
  pattern: NAME_PATTERN,
  description: 'The unique name of the group: up to 64 lower-case letters, digits and `._@-`.',
  examples: ['chemists']
})
export const Description = Type.String({
  maxLength: 500,
  pattern: TEXT,
  description: 'A description of the group.',
  examples: ['The laboratory on the second floor.']
})

/** The maximum number of members per group. */
export const MAX_MEMBERS = 10_000

/** A group of users, without its members. */
export const Group = component('Group', 'A group of users that can be granted access to graphs.', {
  id: Id,
  name: Name,
  description: Type.Optional(Description),
  createdAt: Time,
  updatedAt: Time
})
export type Group = Static<typeof Group>

export const GroupWithMembers = component('GroupWithMembers', 'A group with its members.', {
  ...Group.properties,
  members: Type.Optional(
    Type.Array(Login, {
      description: 'The logins of the members, sorted. Visible only to members and administrators.'
    })
  ),
  graphCount: optionalInteger({
    ...LARGE,
    minimum: 0,
    description:
      'The number of graphs granted to the group, including those in the trash. Visible only to administrators.',
    examples: [12]
  })
})
export type GroupWithMembers = Static<typeof GroupWithMembers>

const maintained = {
  id: ignored(Id),
  members: ignored(GroupWithMembers.properties.members),
  graphCount: ignored(GroupWithMembers.properties.graphCount),
  createdAt: ignored(Time),
  updatedAt: ignored(Time)
}

export const GroupCreate = closedComponent('GroupCreate', 'A new group, without members.', {
  name: Name,
  description: Type.Optional(nullable(Description)),
  ...maintained
})
export type GroupCreate = Static<typeof GroupCreate>

export const GroupPatch = closedComponent(
  'GroupPatch',
  'Changes to a group. Absent fields stay the same; null removes a field.',
  {
    name: Type.Optional(Name),
    description: Type.Optional(nullable(Description)),
    ...maintained
  }
)
export type GroupPatch = Static<typeof GroupPatch>

export const groupSorts = ['id', 'name', 'createdAt', 'updatedAt'] as const
