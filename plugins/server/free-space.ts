import { statfs } from 'node:fs/promises'
import fp from 'fastify-plugin'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import { announcedBytes } from '../http/bodies/announced-bytes.ts'
import { whenClosed } from '../http/bodies/when-closed.ts'
import type { Plugin } from '../http/plugin.ts'
import { extendSchemas } from '../http/route-schemas.ts'

declare module 'fastify' {
  interface FastifyInstance {
    freeSpace: {
      /** Makes the routes of this context refuse new content if the disk is nearly full. */
      expectRoom(context: FastifyInstance): void
      /** Returns whether the disk is too full for new content. */
      isLow(): boolean
    }
  }
}

/** The interval between measurements, in milliseconds. */
const INTERVAL = 1000

/**
 * Keeps `minFree` bytes of the folder's disk for requests that must always work, such as signing in, deleting and recording
 * events. Requests that add content are refused if less would remain. A timer measures the free space, so that requests need
 * not wait, and bytes received since the last measurement are subtracted. If there is no folder, or `minFree` is 0, nothing is
 * measured.
 */
const freeSpace: Plugin<{ folder: string | undefined; minFree: number }> = async (app, { folder, minFree }) => {
  let free: number | undefined
  /** The number of bytes declared by requests that are in progress or ended after the last measurement. */
  let underWay = 0
  let ended = 0
  let isMeasuring = false

  async function measure() {
    if (folder === undefined || isMeasuring) return
    isMeasuring = true
    const before = ended
    try {
      const { bavail, bsize } = await statfs(folder)
      free = bavail * bsize
      ended -= before
    } catch {
      free = undefined
    }
    isMeasuring = false
  }

  const isLow = (more = 0) => free !== undefined && free - underWay - ended - more < minFree
  app.decorate('freeSpace', {
    expectRoom(context) {
      context.addHook('onRequest', (request, reply, done) => {
        if (minFree === 0 || METHODS_WITHOUT_CONTENT.has(request.method)) return done()
        // A body of unknown length may be as long as the route allows.
        const isOpen = request.headers['transfer-encoding'] !== undefined
        const length = isOpen ? (request.routeOptions.bodyLimit ?? 0) : announcedBytes(request)
        if (isLow(length)) throw new ProblemError('storage-low')
        underWay += length
        whenClosed(reply.raw, () => {
          underWay -= length
          ended += length
        })
        done()
      })
      // Documents the refusal in the schemas of the context's routes.
      extendSchemas(context, ({ method }) => ({
        response: METHODS_WITHOUT_CONTENT.has(String(method)) ? {} : refusals(507)
      }))
    },
    isLow: () => isLow()
  })

  app.metrics.watchFreeBytes(() => free)
  if (folder === undefined || minFree === 0) return
  await measure()
  const timer = setInterval(measure, INTERVAL).unref()
  app.addHook('onClose', async () => clearInterval(timer))
}

export default fp(freeSpace, { name: 'free-space', dependencies: ['metrics'] })

/** The methods that add no content. */
const METHODS_WITHOUT_CONTENT = new Set(['GET', 'HEAD', 'OPTIONS', 'DELETE'])
