import { Type } from '@sinclair/typebox'
import { countGrants } from '../../db/sharing/grants.ts'
import {
  addMember,
  countGroups,
  createGroup,
  deleteGroup,
  groupSortKey,
  isMember,
  listGroups,
  listMembers,
  removeMember,
  requireGroup,
  toGroup,
  updateGroup
} from '../../db/sharing/groups.ts'
import { requireUser } from '../../db/users/users.ts'
import { Group, GroupCreate, GroupPatch, GroupWithMembers, groupSorts } from '../../schemas/group.ts'
import { listQuery } from '../../schemas/parameters.ts'
import { answer, bodyRefusals, emptyAnswer, locationHeader, pageHeaders, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'

const tags = ['groups']
const params = Type.Object({ name: Type.String({ description: 'The name of the group.', examples: ['chemists'] }) })
const memberParams = Type.Object({
  ...params.properties,
  login: Type.String({ description: 'The login of the member.', examples: ['ada'] })
})

/** Lists and fetches groups for all users, who need them for sharing. The context authenticates the caller. */
export const groups: Plugin = async (app) => {
  const { store } = app

  app.get('/groups', {
    config: { scope: 'read:users' },
    schema: {
      tags,
      operationId: 'listGroups',
      summary: 'List groups',
      description: 'Returns a page of groups, sorted by id by default.',
      querystring: listQuery({}, groupSorts),
      response: { 200: answer(Type.Array(ref(Group)), 'A page of groups.', pageHeaders), ...refusals(400) }
    },
    handler: async (_request, reply) => {
      return reply.sendPage({
        path: '/api/groups',
        direction: 'asc',
        rows: (slice) => listGroups(store, slice),
        count: () => countGroups(store.scan),
        sortKey: groupSortKey
      })
    }
  })

  app.get('/groups/:name', {
    config: { scope: 'read:users' },
    schema: {
      tags,
      operationId: 'getGroup',
      summary: 'Fetch a group',
      description: 'Returns the group. Members and administrators also see its members.',
      params,
      response: { 200: answer(GroupWithMembers, 'The group.'), ...refusals(400, 404) }
    },
    handler: async ({ actor, params }) => {
      const group = await requireGroup(store.read, params.name)
      if (!actor.isAdministrator && !(await isMember(store.read, group.id, actor.userId))) return toGroup(group)
      const members = await listMembers(store.read, group.id)
      if (!actor.isAdministrator) return { ...toGroup(group), members }
      const graphCount = await countGrants(store.read, { granteeType: 'GROUP', granteeId: group.id })
      return { ...toGroup(group), members, graphCount }
    }
  })
}

/** Changes groups and their members. The context admits only administrators. */
export const groupChanges: Plugin = async (app) => {
  app.post('/groups', {
    bodyLimit: 16 * 1024,
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'createGroup',
      summary: 'Create a group',
      description: 'A new group has no members.',
      body: ref(GroupCreate),
      response: { 201: answer(Group, 'Created.', locationHeader), ...refusals(...bodyRefusals, 409) }
    },
    handler: async (request, reply) => {
      const { name, description = null } = request.body
      const group = await request.write((trx, actor) => createGroup(trx, actor, { name, description }))
      return reply.code(201).header('location', `/api/groups/${name}`).send(toGroup(group))
    }
  })

  app.patch('/groups/:name', {
    bodyLimit: 16 * 1024,
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'updateGroup',
      summary: 'Change a group',
      description: 'Changes the name, the description or both. Members and grants are kept.',
      params,
      body: ref(GroupPatch),
      response: { 200: answer(Group, 'Changed.'), ...refusals(...bodyRefusals, 404, 409) }
    },
    handler: async (request) => {
      const { name, description } = request.body
      const changes = { ...(name !== undefined && { name }), ...(description !== undefined && { description }) }
      const group = await request.write(async (trx, actor) =>
        updateGroup(trx, actor, await requireGroup(trx, request.params.name), changes)
      )
      return toGroup(group)
    }
  })

  app.delete('/groups/:name', {
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'deleteGroup',
      summary: 'Delete a group',
      description:
        'Members lose the access that was granted to the group. A later group with the same name does not inherit it.',
      params,
      response: { 204: emptyAnswer('Deleted.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      await request.write(async (trx, actor) => deleteGroup(trx, actor, await requireGroup(trx, request.params.name)))
      return reply.code(204).send()
    }
  })

  app.put('/groups/:name/members/:login', {
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'addMember',
      summary: 'Add a member to a group',
      description: 'The user gets the access that is granted to the group. Takes effect on the next request.',
      params: memberParams,
      response: { 204: emptyAnswer('The user is a member.'), ...refusals(400, 404, 409) }
    },
    handler: async (request, reply) => {
      const { name, login } = request.params
      await request.writeUser(login, async (trx, actor) => {
        const group = await requireGroup(trx, name)
        await addMember(trx, actor, group, await requireUser(trx, login))
      })
      return reply.code(204).send()
    }
  })

  app.delete('/groups/:name/members/:login', {
    config: { scope: 'write:users' },
    schema: {
      tags,
      operationId: 'removeMember',
      summary: 'Remove a member from a group',
      description: 'The user loses the access that is granted to the group. Takes effect on the next request.',
      params: memberParams,
      response: { 204: emptyAnswer('The user is not a member.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const { name, login } = request.params
      await request.writeUser(login, async (trx, actor) => {
        const group = await requireGroup(trx, name)
        await removeMember(trx, actor, group, await requireUser(trx, login))
      })
      return reply.code(204).send()
    }
  })
}
