import type { FastifyServerOptions } from 'fastify'

/** JSON lines on standard output (a transport would hang in a single executable), without secrets. */
export function loggerOptions(level: string) {
  const secrets = ['authorization', 'cookie', 'password', 'currentPassword', 'newPassword', 'id_token']
  return {
    level,
    redact: {
      paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.headers["${name}"]`]),
      censor: '[redacted]'
    }
  } satisfies FastifyServerOptions['logger']
}
