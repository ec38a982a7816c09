import { copyFileSync } from 'node:fs'
import { get } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'node:tls'
import t from 'tap'
import { root, run, serveProgram } from '../support/program.ts'

/** Returns the paths of a self-signed localhost certificate and its key, which were made for these tests only. */
const pair = (name: string) => [join(root, 'test/tls', `${name}.crt`), join(root, 'test/tls', `${name}.key`)] as const

/** Returns the name in the certificate that the server presents on a new connection. */
function nameOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), rejectUnauthorized: false }, () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
    socket.on('error', reject)
  })
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = get(url, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    request.on('error', reject)
  })
}

t.test('a server with a certificate uses TLS and reloads the certificate on SIGHUP', async (t) => {
  const folder = t.testdir({})
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')]
  const put = (name: string) => {
    const [newCert, newKey] = pair(name)
    copyFileSync(newCert, cert)
    copyFileSync(newKey, key)
  }
  put('first')
  const server = await serveProgram(t, join(folder, 'data'), ['--tls-cert', cert, '--tls-key', key])
  t.match(server.url, /^https:/)
  t.equal(await statusOf(`${server.url}/readyz`), 200)
  t.equal(await nameOf(server.url), 'first')
  await t.rejects(fetch(server.url.replace('https', 'http')), 'plain HTTP fails')
  t.equal(await statusOf(`${server.url}/readyz`), 200)

  put('second')
  server.child.kill('SIGHUP')
  while (!server.stdout().includes('the certificate was reloaded')) await sleep(20)
  t.equal(await nameOf(server.url), 'second')

  copyFileSync(pair('first')[1], key)
  server.child.kill('SIGHUP')
  while (!server.stdout().includes('the old one stays')) await sleep(20)
  t.equal(await nameOf(server.url), 'second', 'a key that does not match the certificate changes nothing')
  t.notMatch(server.stdout(), /PRIVATE/)
  t.equal(await server.stop(), 0)
})

t.test('unusable certificates are refused at startup', async (t) => {
  const folder = t.testdir({ text: 'no certificate' })
  const data = join(folder, 'data')
  const [cert, key] = pair('first')
  const cases: [string[], RegExp][] = [
    [['--tls-cert', cert], /--tls-cert and --tls-key must be used together/],
    [['--tls-key', key], /--tls-cert and --tls-key must be used together/],
    [['--tls-cert', join(folder, 'missing'), '--tls-key', key], /--tls-cert: .*missing cannot be read/],
    [['--tls-cert', join(folder, 'text'), '--tls-key', key], /cannot be used/],
    [['--tls-cert', cert, '--tls-key', pair('second')[1]], /cannot be used/]
  ]
  for (const [args, says] of cases) {
    t.match(await run(['serve', '--port', '0', '--data', data, ...args]), { code: 2, stderr: says }, args.join(' '))
  }
})

t.test('SIGHUP without a certificate changes nothing', async (t) => {
  const server = await serveProgram(t, t.testdir({}))
  server.child.kill('SIGHUP')
  while (!server.stdout().includes('no certificate to reload')) await sleep(20)
  t.equal((await fetch(`${server.url}/readyz`)).status, 200)
  t.equal(await server.stop(), 0)
})
