import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import { startPostgres } from './postgres-server.ts'
import { serveProgram } from './program.ts'

/** Starts two processes that share a database and the token key. */
export async function startTwo(t: Test) {
  const postgres = await startPostgres({ safe: true })
  t.teardown(() => postgres.stop())
  const folder = t.testdir({ one: {}, two: {} })
  const key = join(folder, 'token.key')
  writeFileSync(key, randomBytes(32), { mode: 0o600 })
  const env = { GRAPHSTEAD_DATABASE_URL: postgres.url, GRAPHSTEAD_JWT_SECRET_FILE: key }
  const start = (name: string) => serveProgram(t, join(folder, name), ['--log-level', 'fatal'], env)
  const [one, other] = await Promise.all([start('one'), start('two')])
  return { postgres, one, other, start }
}
