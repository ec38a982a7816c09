import type { FastifyRequest } from 'fastify'
import { takeTurn } from '../../../graph/jobs/turns.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'

/** The media types of JSON bodies. */
export const jsonTypes = ['application/json', 'application/merge-patch+json']

/** Larger bodies are parsed and checked in a turn of their own, in bytes. */
const SMALL = 4096

/** Creates a body parser for Fastify. It accepts JSON in UTF-8 only, and parses it with `parse`. */
export function createJsonParser(parse: (bytes: Buffer, request: FastifyRequest) => unknown) {
  return async (request: FastifyRequest, bytes: Buffer): Promise<unknown> => {
    const { headers } = request
    const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
    const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(type)?.[1] ?? 'utf-8'
    if (!/^utf-?8$/i.test(charset) || encoding !== 'identity') {
      throw new ProblemError('media-type-unsupported', { detail: 'JSON is in UTF-8, and not compressed.' })
    }
    if (bytes.length > SMALL) await takeTurn(request.sender)
    // Some clients send a type without a body, as with DELETE.
    return bytes.length === 0 ? undefined : parse(bytes, request)
  }
}
