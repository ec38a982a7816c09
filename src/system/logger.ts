import type { FastifyServerOptions } from 'fastify'
import { AccessLog } from '../../plugins/http/access-log.ts'
import { escapeJson } from './terminal.ts'

/**
 * Returns options for logging JSON lines to standard output without secrets, with the number of the worker, if any. A transport
 * would hang in the single executable.
 */
export function loggerOptions(level: string, worker?: number) {
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
  // Keep the server running even if nobody reads the log or its disk is full.
  process.stdout.on('error', () => {})
  return {
    level,
    ...(worker !== undefined && { mixin: () => ({ worker }) }),
    stream: { write: (line: string) => process.stdout.write(escapeJson(line)) },
    redact: {
      paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.headers["${name}"]`]),
      censor: '[redacted]'
    }
  } satisfies FastifyServerOptions['logger']
}

/** Returns the request log on standard output, if the log level includes it. The log is flushed when the process ends. */
export function accessLogFor(level: string, worker?: number): AccessLog | undefined {
  if (!['info', 'debug', 'trace'].includes(level)) return undefined
  const log = new AccessLog((lines) => process.stdout.write(escapeJson(lines)), worker)
  process.once('exit', () => log.flush())
  return log
}
