import type { TProperties } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { type Actor, accountOf } from '../../db/actors.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { LoginParameter } from '../../schemas/user.ts'

/**
 * Keeps administrators from managing their own account through the routes for other users, which do not ask for a password.
 * Throws `forbidden`.
 */
export function expectOther(actor: Actor, login: string) {
  if (login === accountOf(actor))
    throw new ProblemError('forbidden', { detail: 'Administrators cannot do this to their own account.' })
}

/** The user whose tokens or sessions a set of routes manages. */
export interface Whose {
  path: string
  /** The word to use in operationIds, and the possessive to use in summaries. */
  noun: string
  possessive: 'my' | "a user's"
  params: TProperties
  loginOf(request: FastifyRequest): string
}

/** Describes the routes for the caller's own tokens or sessions. */
export function mine(things: string): Whose {
  const loginOf: Whose['loginOf'] = ({ actor }) => accountOf(actor)
  return { path: `/account/${things}`, noun: 'My', possessive: 'my', params: {}, loginOf }
}

/** Describes the routes for the tokens or sessions of the user named in the path. */
export function ofUser(things: string): Whose {
  const loginOf: Whose['loginOf'] = ({ params }) => (params as { login: string }).login
  const params = LoginParameter.properties
  return { path: `/users/:login/${things}`, noun: 'User', possessive: "a user's", params, loginOf }
}
