import type { FastifyServerOptions } from 'fastify'
import { AccessLog } from '../plugins/http/access-log.ts'

/** JSON lines on standard output (a transport would hang in a single executable), without secrets. */
export function loggerOptions(level: string) {
  const secrets = ['authorization', 'cookie', 'password', 'currentPassword', 'newPassword', 'id_token']
  // Whoever stops reading the log, or leaves no room for it, does not stop the server.
  process.stdout.on('error', () => {})
  return {
    level,
    stream: { write: (line: string) => process.stdout.write(line) },
    redact: {
      paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.headers["${name}"]`]),
      censor: '[redacted]'
    }
  } satisfies FastifyServerOptions['logger']
}

/** The log of requests, on standard output too, where the level includes them. What ends the process does not lose it. */
export function accessLogFor(level: string): AccessLog | undefined {
  if (!['info', 'debug', 'trace'].includes(level)) return undefined
  const log = new AccessLog((lines) => process.stdout.write(lines))
  process.once('exit', () => log.flush())
  return log
}
