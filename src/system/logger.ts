import type { FastifyServerOptions } from 'fastify'
import { AccessLog } from '../../plugins/http/access-log.ts'
import { escapeJson } from './terminal.ts'

/** Options for JSON lines without secrets on standard output. (A transport would hang in the single executable.) */
export function loggerOptions(level: string) {
  const secrets = [
    'authorization',
    'cookie',
    'password',
    'currentPassword',
    'newPassword',
    'id_token',
    'secret',
    'token'
  ]
  // The server goes on when nobody reads the log, or its disk is full.
  process.stdout.on('error', () => {})
  return {
    level,
    stream: { write: (line: string) => process.stdout.write(escapeJson(line)) },
    redact: {
      paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.headers["${name}"]`]),
      censor: '[redacted]'
    }
  } satisfies FastifyServerOptions['logger']
}

/** The log of requests on standard output, if the level includes it. Flushed at the end of the process. */
export function accessLogFor(level: string): AccessLog | undefined {
  if (!['info', 'debug', 'trace'].includes(level)) return undefined
  const log = new AccessLog((lines) => process.stdout.write(escapeJson(lines)))
  process.once('exit', () => log.flush())
  return log
}
