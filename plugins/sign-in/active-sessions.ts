import { type TProperties, Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { accountOf } from '../../db/actors.ts'
import { endListedSession, listSessions } from '../../db/users/active-sessions.ts'
import type { IdleLimits } from '../../db/users/sessions.ts'
import { requireUser } from '../../db/users/users.ts'
import { answer, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { LISTED_SESSIONS, Session, SessionId } from '../../schemas/session.ts'
import { ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'

type Options = { idle: IdleLimits }

/** The user whose sessions a set of routes is about. */
interface Whose {
  path: string
  tag: string
  /** A part of the names of the operations, and the words of their summaries. */
  noun: string
  words: string
  params: TProperties
  loginOf(request: FastifyRequest): string
}

/** The caller's own sessions. Registered where callers are authenticated. Tokens of programs are refused. */
export const mySessions: Plugin<Options> = async (app, { idle }) =>
  addRoutes(app, idle, {
    path: '/account/sessions',
    tag: 'account',
    noun: 'My',
    words: 'of mine',
    params: {},
    loginOf: ({ actor }) => accountOf(actor)
  })

/** The sessions of all users. Registered where callers are administrators. Tokens of programs are refused. */
export const userSessions: Plugin<Options> = async (app, { idle }) =>
  addRoutes(app, idle, {
    path: '/users/:login/sessions',
    tag: 'users',
    noun: 'User',
    words: 'of a user',
    params: { login: Type.String({ description: 'The login of the user.', examples: ['ada'] }) },
    loginOf: ({ params }) => (params as { login: string }).login
  })

/** Adds the routes for the sessions of one user. */
function addRoutes(app: Parameters<Plugin>[0], idle: IdleLimits, { path, tag, noun, words, params, loginOf }: Whose) {
  const { store } = app
  const tags = [tag]

  app.get(path, {
    schema: {
      tags,
      operationId: `list${noun}Sessions`,
      summary: `List sessions ${words}`,
      description: `Browsers that are signed in, and tokens of \`POST /api/authenticate\`; the last used first, ${LISTED_SESSIONS} at most. Sessions that began before the server recorded them are missing: \`POST /api/account/logout\` ends them too.`,
      params: Type.Object(params),
      response: { 200: answer(Type.Array(ref(Session)), 'The sessions.'), ...refusals(400, 404) }
    },
    handler: async (request) =>
      listSessions(store.read, await requireUser(store.read, loginOf(request)), idle, request.actor.token.id)
  })

  app.delete(`${path}/:sessionId`, {
    schema: {
      tags,
      operationId: `end${noun}Session`,
      summary: `End a session ${words}`,
      description: 'Its token is refused from the next request on. Changes that it has begun are made first.',
      params: Type.Object({ ...params, sessionId: SessionId }),
      response: { 204: emptyAnswer('Ended.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const login = loginOf(request)
      const { sessionId } = request.params as { sessionId: string }
      await request.writeUser(login, async (trx, actor) =>
        endListedSession(trx, actor, await requireUser(trx, login), sessionId)
      )
      return reply.code(204).send()
    }
  })
}
