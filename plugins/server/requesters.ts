import fp from 'fastify-plugin'
import { runFor } from '../../graph/jobs/shares.ts'
import { gatherChunks, readUnreadChunks } from '../http/bodies/small-chunks.ts'
import { Sender } from '../http/callers/requester.ts'
import type { Plugin } from '../http/plugin.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sender of the request, on whose behalf it is handled. */
    sender: Sender
  }
}

/** Charges all work for a request to its sender. */
const requesters: Plugin = async (app) => {
  app.decorateRequest('sender')
  app.addHook('onRequest', (request, reply, done) => {
    request.sender = new Sender(request.ip, reply.raw)
    gatherChunks(request, reply)
    runFor(request.sender, done)
  })
  // The end of the body is an event on the connection, which fires outside the context of the request.
  app.addHook('preValidation', (request, _reply, done) => runFor(request.sender, done))
  app.addHook('onSend', (request, _reply, payload, done) => {
    readUnreadChunks(request)
    done(null, payload)
  })
}

export default fp(requesters, { name: 'requesters' })
