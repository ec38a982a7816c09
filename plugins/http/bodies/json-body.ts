import type { FastifyRequest } from 'fastify'
import { takeTurn } from '../../../graph/jobs/turns.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'

/** The media types of JSON bodies. */
export const jsonTypes = ['application/json', 'application/merge-patch+json']

/** The size in bytes above which a body is parsed and checked in a separate turn. */
const SMALL = 4096

/** Creates a body parser for Fastify that accepts only JSON in UTF-8 and parses it with `parse`. */
export function createJsonParser(parse: (bytes: Buffer, request: FastifyRequest) => unknown) {
  return async (request: FastifyRequest, bytes: Buffer): Promise<unknown> => {
    const { headers } = request
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
    if (!/^utf-?8$/i.test(charset) || encoding !== 'identity') {
      throw new ProblemError('media-type-unsupported', { detail: 'JSON must be in UTF-8 and uncompressed.' })
    }
    if (bytes.length > SMALL) await takeTurn(request.sender)
    // Some clients send a media type without a body, for example with DELETE.
    return bytes.length === 0 ? undefined : parse(bytes, request)
  }
}
