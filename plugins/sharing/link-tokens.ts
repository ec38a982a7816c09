import { randomUUID } from 'node:crypto'
import jwt, { type JWT } from '@fastify/jwt'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { LinkRow } from '../../db/tables.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { bearerOf, type Claims, cacheClaims, jwtOptionsOf } from '../http/callers/tokens.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    linkTokens: {
      /** Issues a token for a visitor of the link. The lifetime is in seconds. */
      issue(link: Pick<LinkRow, 'publicId' | 'tokenVersion'>): { token: string; lifetime: number }
      /** Returns the claims of the request's token for this link. Throws `token-missing` or `token-invalid`. */
      claimsOf(request: FastifyRequest, publicId: string): Claims
    }
  }
}

/** The lifetime of a token, in seconds. */
const LIFETIME = 15 * 60

/**
 * The tokens of link visitors. Their key and audience differ from those of user tokens, so neither kind is accepted in place of
 * the other.
 */
const linkTokens: Plugin<{ key: Buffer }> = async (app, { key }) => {
  await app.register(jwt, { namespace: 'link', ...jwtOptionsOf('graphstead-link', key) })
  const { link: tokens } = app.jwt as unknown as { link: JWT }
  const verified = cacheClaims((token) => tokens.verify<Claims>(token))

  app.decorate('linkTokens', {
    issue({ publicId, tokenVersion }) {
      const claims = { sub: publicId, tv: tokenVersion, jti: randomUUID() }
      return { token: tokens.sign(claims, { expiresIn: LIFETIME }), lifetime: LIFETIME }
    },
    claimsOf(request, publicId) {
      const token = bearerOf(request)
      if (token === undefined) throw new ProblemError('token-missing')
      const claims = verified(token)
      if (claims.sub !== publicId) throw new ProblemError('token-invalid')
      return claims
    }
  })
}

export default fp(linkTokens, { name: 'link-tokens', dependencies: ['authentication'] })
