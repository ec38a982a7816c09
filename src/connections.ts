import { readFileSync } from 'node:fs'
import type { Server } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'

/** So many files stay for the database, its threads and the log. */
const RESERVED = 64

/** How often to tell of connections that were refused, in milliseconds. */
const INTERVAL = 10_000

/**
 * Takes no more connections than leave enough open files for the store: beyond them a client is disconnected at once, and
 * all others are served as before.
 */
export function limitConnections(server: Server, log: FastifyBaseLogger) {
  const files = openFilesAtMost()
  if (files === undefined) return
  server.maxConnections = Math.max(1, files - RESERVED)
  let refused = 0
  let told = 0
  server.on('drop', () => {
    refused++
    if (performance.now() - told < INTERVAL && told > 0) return
    told = performance.now()
    log.error(
      { refused, limit: server.maxConnections },
      'connections are refused: too many are open; raise LimitNOFILE'
    )
    refused = 0
  })
}

/** How many files this process may have open, where the system tells. */
function openFilesAtMost() {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
