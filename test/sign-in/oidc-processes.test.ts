import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { freePort } from '../../bench/ports.ts'
import { only } from '../support/engine.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { serveProgram } from '../support/program.ts'
import { startProvider, Visitor } from './provider.ts'

t.test(
  'a sign-in started in one process can finish in another with the same database and key',
  only('PostgreSQL', 'the processes share no file'),
  async (t) => {
    const postgres = await startPostgres()
    t.teardown(() => postgres.stop())
    const folder = t.testdir({ one: {}, two: {} })
    const key = join(folder, 'token.key')
    writeFileSync(key, randomBytes(32), { mode: 0o600 })
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const provider = await startProvider(t, url, folder)
    const env = { GRAPHSTEAD_DATABASE_URL: postgres.url, GRAPHSTEAD_JWT_SECRET_FILE: key }
    await serveProgram(t, join(folder, 'one'), ['--port', String(port), ...provider.args], env)
    const other = await serveProgram(t, join(folder, 'two'), provider.args, env)

    const visitor = new Visitor()
    visitor.set(provider.issuer, 'person', 'eve')
    const back = await visitor.follow(`${url}/api/oidc/start?to=/trash`, `${url}/api/oidc/callback`)
    const answer = await visitor.fetch(back.replace(url, other.url), {}, url)
    t.strictSame([answer.status, answer.headers.get('location')], [302, '/trash'])
    for (const server of [url, other.url]) {
      const session = await visitor.fetch(`${server}/api/session`, {}, url)
      t.match(await session.json(), { login: 'eve', linked: true }, server)
    }
  }
)
