import { Writable } from 'node:stream'
import fastify from 'fastify'
import t from 'tap'
import { AccessLog } from '../../plugins/http/access-log.ts'
import { loggerOptions } from '../../src/system/logger.ts'

t.test('secrets never appear in the log', async (t) => {
  let written = ''
  const stream = new Writable({
    write(chunk, _encoding, done) {
      written += chunk
      done()
    }
  })
  const app = fastify({ logger: { ...loggerOptions('info'), stream } })
  const secrets = { authorization: 'Bearer s3cret', cookie: 's3cret', password: 's3cret', currentPassword: 's3cret' }
  app.log.info(secrets, 'at the top')
  app.log.info({ headers: secrets, body: { newPassword: 's3cret', id_token: 's3cret' } }, 'one level down')
  app.log.info({ request: { headers: secrets, body: secrets } }, 'two levels down')
  app.log.child({ reqId: 'x' }).error({ err: Object.assign(new Error('failed'), { headers: secrets }) })
  t.equal(written.trim().split('\n').length, 4)
  t.match(written, /\[redacted\]/)
  t.notMatch(written, /s3cret/)
})

t.test('a request is logged as one line of JSON, whatever its path, address and user contain', async (t) => {
  let written = ''
  const log = new AccessLog((lines) => {
    written += lines
  })
  const hostile = '"},\n{"level":30,"user":"root\\\u2028'
  const access = { reqId: 'a', method: 'GET', path: hostile, status: 200, ms: 0.1, ip: hostile, user: hostile }
  log.add(access)
  log.add({ ...access, user: undefined })
  log.flush()
  const lines = written
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const { user: _, ...anonymous } = access
  const rest = { level: 30, msg: 'request' }
  t.strictSame(
    lines.map(({ time: _, ...line }) => line),
    [
      { ...access, ...rest },
      { ...anonymous, ...rest }
    ]
  )
})
