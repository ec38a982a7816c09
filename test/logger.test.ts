import { Writable } from 'node:stream'
import fastify from 'fastify'
import t from 'tap'
import { loggerOptions } from '../src/logger.ts'

t.test('secrets never get into the log', async (t) => {
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
