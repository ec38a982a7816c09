import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import t from 'tap'
import { executable, root, type Server, serve, serveProgram } from '../support/program.ts'
import { sendRaw } from '../support/raw-http.ts'

// The process survives invalid or unusual HTTP on any listener, and still responds.

const METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS', 'TRACE', 'CONNECT', 'PRI', 'QUERY', 'PURGE', 'get', 'X', '']
const TARGETS = [
  ...['/', '//', '///', '/\\', '\\\\', '/%', '/%00', '/%ff%fe', '/?%', '/#', '//[', '/\u00ff', '*', '?', 'x'],
  ...['/metrics?', '/metrics/..//', '/api/graphs/../../..', '/__proto__', '/constructor'],
  ...[
    'http://',
    'http://[/',
    'http:///x',
    'HTTPS://x:99999/',
    'http://a@b:c/metrics',
    'ftp://x/',
    'x:443',
    '[::1]:443'
  ],
  ...[`/${'a'.repeat(5000)}`, `/${'%41'.repeat(500)}`]
]
const HEADERS = [
  'Host: x',
  '',
  'Host:',
  'Host: a\r\nHost: b',
  'Host: [',
  'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket',
  'Host: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__',
  'Host: x\r\nExpect: 100-continue\r\nContent-Length: 5',
  'Host: x\r\nExpect: something',
  'Host: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked',
  'Host: x\r\nContent-Length: -1',
  'Host: x\r\nContent-Length: 5\r\nContent-Length: 6',
  ' Folded: x',
  'Host: x\r\nContent-Length: 99999999999999999999',
  'Host: x\r\nTransfer-Encoding: chunked, gzip',
  'Host: x\r\nCookie: =;=;;a\r\nAuthorization: Basic \r\nAccept: ;;q=\r\nAccept-Encoding: *;q=x',
  'Host: x\r\nX-Forwarded-For: ,,[::, x\r\nForwarded: for="[',
  'Host: x\r\nRange: bytes=9-1\r\nIf-None-Match: W/"\r\nIf-Modified-Since: never',
  `Host: x\r\n${'X: y\r\n'.repeat(1500)}Z: z`,
  ': no name',
  'no colon'
]
const requestLines = METHODS.flatMap((method) => TARGETS.map((target) => `${method} ${target}`))
const requests = [
  ...requestLines.map((line) => `${line} HTTP/1.1\r\nHost: x\r\n\r\n`),
  ...HEADERS.flatMap((header) =>
    ['GET /', 'GET /metrics', 'POST /api/authenticate'].map((line) => `${line} HTTP/1.1\r\n${header}\r\n\r\n`)
  ),
  ...['', ' ', 'HTTP/0.9', 'HTTP/1.0', 'HTTP/1.2', 'HTTP/2.0', 'HTTP/9.9', 'RTSP/1.0'].map(
    (version) => `GET /metrics ${version}\r\n\r\n`
  ),
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\r\n'.repeat(100),
  '\0'.repeat(100),
  'POST /api/authenticate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n',
  'POST /api/authenticate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1;a="\r\nx\r\n0\r\nHost: y\r\n\r\n',
  'SSH-2.0-OpenSSH_9.9\r\n'
].map((text) => Buffer.from(text, 'latin1'))

/** A ClientHello with an invalid server name, and other initial TLS bytes. */
const garbage = [
  '16030100',
  '1603010005010000010303',
  '160301ffff01fffffb0303',
  '15030100020228',
  '16030300040e000000',
  '80800103010057',
  `16030100${'41'.repeat(60)}`,
  `1703030010${'00'.repeat(16)}`
].map((hex) => Buffer.from(hex, 'hex'))

/** Sends the bytes, then waits briefly for a response or the end of the connection. */
function attack(open: () => Socket, bytes: Buffer) {
  return new Promise<void>((resolve) => {
    const socket = open()
    const timer = setTimeout(() => socket.destroy(), 100)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
    // Reconnects after any response.
    socket.on('data', () => socket.destroy())
    socket.write(bytes)
  })
}

async function attackAll(open: () => Socket, corpus: Buffer[]) {
  const waiting = [...corpus]
  await Promise.all(
    Array.from({ length: 32 }, async () => {
      for (let bytes = waiting.pop(); bytes; bytes = waiting.pop()) await attack(open, bytes)
    })
  )
}

/** Waits for the metrics listener, and returns its port. */
async function metricsPortOf(server: Server) {
  for (;;) {
    const port = /"port":(\d+)[^\n]*metrics are served/.exec(server.stdout())?.[1]
    if (port) return Number(port)
    await sleep(10)
  }
}

for (const tls of [false, true]) {
  t.test(`malformed requests do not stop the server${tls ? ', even over TLS' : ''}`, async (t) => {
    const files = ['crt', 'key'].map((type) => join(root, 'test/tls', `first.${type}`)) as [string, string]
    const args = ['--metrics-port', '0', ...(tls ? ['--tls-cert', files[0], '--tls-key', files[1]] : [])]
    const server = await serveProgram(t, t.testdir({}), args)
    const port = Number(new URL(server.url).port)
    const metricsPort = await metricsPortOf(server)
    const plain = (port: number) => () => createConnection(port, '127.0.0.1')
    const encrypted = (port: number) => () => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false })
    await attackAll(plain(port), [...garbage, ...(tls ? requests.slice(0, 50) : requests)])
    if (tls) {
      // The parser is the same as without TLS.
      await attackAll(
        encrypted(port),
        requests.filter((_, index) => index % 4 === 0)
      )
      for (const servername of ['x', 'a'.repeat(250), 'xn--\u00e9', 'a..b', '-'])
        await attack(
          () => connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false, servername }),
          garbage[0] as Buffer
        )
    }
    if (!tls) await attackAll(plain(metricsPort), [...garbage, ...requests])

    t.equal(server.child.exitCode, null, 'the server is running')
    const answer = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
    t.match(answer, /^graphstead_connections [1-9]\d*$/m)
    const status = await new Promise<string>((resolve) => {
      const socket = tls ? encrypted(port)() : plain(port)()
      socket.on('error', (error) => resolve(String(error)))
      socket.once('data', (chunk) => resolve(String(chunk).slice(0, 12)))
      socket.write('GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    })
    t.equal(status, 'HTTP/1.1 200')
    t.notMatch(server.stdout(), /"level":[56]0/, 'no request caused a server error')
    t.equal(await server.stop(), 0)
  })
}

t.test('a request needs exactly one valid Host header', async (t) => {
  const server = await serve(t, t.testdir({}), ['--metrics-port', '0'])
  const metricsPort = await metricsPortOf(server)
  const good = ['Host: x', 'host: [::1]:80', 'Host: a.b-c_d:8080', 'Host:', 'Host: %41']
  const wrong = [
    ...['X: y', 'Host: x\r\nHost: x', 'Host: x\r\nX: y\r\nhOsT: y', 'Host: x y', 'Host: x/y', 'Host: x:y'],
    ...['Host: [::1', 'Host: a@b', 'Host: a, b', 'Host: <script>']
  ]
  const cases = [
    ...good.map((header) => ['1.1', header, '200']),
    ...wrong.map((header) => ['1.1', header, '400']),
    ...[
      ['1.0', 'X: y', '200'],
      ['1.0', 'Host: x', '200'],
      ['1.0', 'Host: x\r\nHost: y', '400']
    ]
  ]
  for (const [port, path] of [
    [Number(new URL(server.url).port), '/healthz'],
    [metricsPort, '/metrics']
  ] as const) {
    for (const [version, header, status] of cases) {
      const request = `GET ${path} HTTP/${version}\r\n${header}\r\nConnection: close\r\n\r\n`
      const name = `${path}: HTTP/${version}, ${JSON.stringify(header)}`
      t.equal((await sendRaw(port, request)).slice(9, 12), status, name)
    }
  }
})

t.test('a log that cannot be written to does not stop the server', async (t) => {
  const server = await serveProgram(t, t.testdir({}), [], {}, 'exec "$@" > /dev/full')
  for (let count = 0; count < 3; count++) {
    t.equal((await fetch(`${server.url}/readyz`)).status, 200)
    await sleep(100)
  }
  t.equal(await server.stop(), 0)
})

t.test(
  'an uncaught exception is logged, and shuts the server down properly',
  { skip: executable && 'an executable cannot load extra code' },
  async (t) => {
    const fault = `data:text/javascript,${encodeURIComponent('process.on("SIGUSR2",()=>{throw new Error("a test of faults")})')}`
    const server = await serveProgram(t, t.testdir({}), [], { NODE_OPTIONS: `--import ${fault}` })
    server.child.kill('SIGUSR2')
    t.equal(await server.stop('SIGCONT'), 1, 'the exit code reports the exception')
    t.match(server.stdout(), /"level":60.*a test of faults.*the server stops after an uncaught exception/)
  }
)
