import { Type } from '@sinclair/typebox'
import { endListedSession, listSessions } from '../../db/users/active-sessions.ts'
import { endSessions, type IdleLimits } from '../../db/users/sessions.ts'
import { requireUser } from '../../db/users/users.ts'
import { answer, emptyAnswer, refusals } from '../../schemas/responses.ts'
import { LISTED_SESSIONS, Session, SessionId } from '../../schemas/session.ts'
import { ref } from '../../schemas/types.ts'
import { LoginParameter } from '../../schemas/user.ts'
import type { Plugin } from '../http/plugin.ts'
import { mine, ofUser, type Whose } from './addressed-user.ts'

type Options = { idle: IdleLimits }

/** Manages the caller's own sessions. The context authenticates the caller. API tokens are refused. */
export const mySessions: Plugin<Options> = async (app, { idle }) => addRoutes(app, idle, 'account', mine('sessions'))

/** Manages the sessions of all users. The context admits only administrators. API tokens are refused. */
export const userSessions: Plugin<Options> = async (app, { idle }) => {
  const whose = ofUser('sessions')
  addRoutes(app, idle, 'users', whose)

  app.delete(whose.path, {
    schema: {
      tags: ['users'],
      operationId: 'endUserSessions',
      summary: "End all of a user's sessions",
      description:
        'Signs the user out of all browsers, and invalidates all of their tokens from `POST /api/authenticate`, including those that are not listed. API tokens stay valid.',
      params: LoginParameter,
      response: { 204: emptyAnswer('All sessions have ended.'), ...refusals(400, 404) }
    },
    handler: async (request, reply) => {
      const { login } = request.params
      await request.writeUser(login, async (trx, actor) => endSessions(trx, actor, await requireUser(trx, login)))
      return reply.code(204).send()
    }
  })
}

/** Adds the routes for a user's sessions. */
function addRoutes(app: Parameters<Plugin>[0], idle: IdleLimits, tag: string, whose: Whose) {
  const { path, noun, possessive, params, loginOf } = whose
  const { store } = app
  const tags = [tag]

  app.get(path, {
    schema: {
      tags,
      operationId: `list${noun}Sessions`,
      summary: `List ${possessive} sessions`,
      description: `Returns signed-in browsers and tokens from \`POST /api/authenticate\`, most recently used first, up to ${LISTED_SESSIONS}. Sessions created before the server started recording sessions are not listed; \`POST /api/account/logout\` ends those as well.`,
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
      summary: `End one of ${possessive} sessions`,
      description: 'The token of the session is refused from then on. Changes already in progress are completed.',
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
