import { Type } from '@sinclair/typebox'
import { grantAccess, listGrants, type NamedGrantee, revokeAccess } from '../../db/sharing/grants.ts'
import { Grant, GrantUpdate } from '../../schemas/grant.ts'
import { IdParameter } from '../../schemas/parameters.ts'
import { answer, bodyRefusals, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'
import { idOf } from '../http/urls.ts'

/** The two kinds of grantees: the last segment of their path, and their names in the OpenAPI document. */
const kinds = [
  { granteeType: 'USER', path: 'users', parameter: 'login', noun: 'User', thing: 'a person', example: 'ada' },
  { granteeType: 'GROUP', path: 'groups', parameter: 'name', noun: 'Group', thing: 'a group', example: 'chemists' }
] as const

/**
 * Manages the people and groups that may use a graph, for its owner and for administrators. The context authenticates the
 * caller.
 */
const grants: Plugin = async (app) => {
  const { store } = app
  const tags = ['sharing']

  app.get('/graphs/:id/access', {
    config: { scope: 'read:graphs' },
    schema: {
      tags,
      operationId: 'listAccess',
      summary: 'List the grants of a graph',
      description:
        'Returns all groups and people to whom the graph is granted, sorted by name. The owner and administrators have access as well and, if the graph is `shared`, so does everyone else.',
      params: IdParameter,
      response: { 200: answer(Type.Array(ref(Grant)), 'All grants.'), ...refusals(400, 403, 404) }
    },
    handler: async ({ actor, params }) => listGrants(store.read, actor, idOf(params.id))
  })

  for (const { granteeType, path, parameter, noun, thing, example } of kinds) {
    const url = `/graphs/:id/access/${path}/:${parameter}` as const
    const name = { [parameter]: Type.String({ description: `The name of ${thing}.`, examples: [example] }) }
    const params = Type.Object({ ...IdParameter.properties, ...name })
    const granteeOf = (parameters: object): NamedGrantee => ({
      granteeType,
      name: String(Reflect.get(parameters, parameter))
    })

    app.put(url, {
      bodyLimit: 1024,
      config: { scope: 'write:graphs' },
      schema: {
        tags,
        operationId: `grantTo${noun}`,
        summary: `Grant a graph to ${thing}`,
        description: 'Replaces any earlier grant. Takes effect on the next request.',
        params,
        body: ref(GrantUpdate),
        response: { 204: emptyAnswer('Granted.'), ...refusals(...bodyRefusals, 403, 404, 409) }
      },
      handler: async (request, reply) => {
        const { body, params } = request
        const id = idOf((params as { id: string }).id)
        await request.write((trx, actor) => grantAccess(trx, actor, id, granteeOf(params as object), body.access))
        return reply.code(204).send()
      }
    })

    app.delete(url, {
      config: { scope: 'write:graphs' },
      schema: {
        tags,
        operationId: `revokeFrom${noun}`,
        summary: `Revoke ${thing}'s access to a graph`,
        description: 'Also succeeds if nothing was granted. Takes effect on the next request.',
        params,
        response: { 204: emptyAnswer('The grant no longer exists.'), ...refusals(400, 403, 404) }
      },
      handler: async (request, reply) => {
        const { params } = request
        const id = idOf((params as { id: string }).id)
        await request.write((trx, actor) => revokeAccess(trx, actor, id, granteeOf(params as object)))
        return reply.code(204).send()
      }
    })
  }
}

export default grants
