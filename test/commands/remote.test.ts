import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { listenOn } from '../support/listening.ts'
import { call, login, run, runProgram, serve } from '../support/program.ts'

// graphstead push, pull and list with a server.

const SECRET = 'gst_000000000000000000000000000000abcdef'
const GML = 'graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]'

/** Starts a server, and returns it with a token. */
async function prepare(t: Test) {
  const folder = t.testdir({ files: { 'a.gml': GML, sub: { 'b.csv': 'source,target\nx,y\n' }, 'notes.xyz': 'none' } })
  const server = await serve(t, join(folder, 'data'), ['--log-level', 'error'])
  const admin = await login(server.url)
  const made = { name: 'script', scopes: ['write:graphs', 'read:audits'], password: PASSWORD }
  const { body } = await call(`${server.url}/api/account/tokens`, 'POST', made, admin)
  const env = { GRAPHSTEAD_URL: server.url, GRAPHSTEAD_TOKEN: body.token as string }
  const get = async (path: string) => (await call(`${server.url}${path}`, 'GET', undefined, admin)).body
  return { folder, server, env, admin, get, files: join(folder, 'files') }
}

t.test('the files of a folder are pushed under their paths, listed and pulled', async (t) => {
  const { folder, files, env, get } = await prepare(t)
  const pushed = await run(['push', files, '--message', 'By night'], env)
  t.same(pushed, {
    code: 0,
    stdout: `${files}/a.gml: graph 1, a.gml, 2 nodes, 1 edge, version 1\n${files}/sub/b.csv: graph 2, sub/b.csv, 2 nodes, 1 edge, version 1\n`,
    stderr: '1 other file of unknown format skipped\n'
  })
  t.match(await get('/api/graphs/2'), { key: 'sub/b.csv', shared: false })
  const stdout =
    '     1 OWNER admin            version 1, 2 nodes, 1 edge: a.gml [a.gml]\n' +
    '     2 OWNER admin            version 1, 2 nodes, 1 edge: sub/b.csv [sub/b.csv]\n'
  t.same(await run(['list'], env), { code: 0, stdout, stderr: '' })
  const record = JSON.parse((await run(['list', '--json', '--q', 'sub'], env)).stdout)
  t.same([record], await get('/api/graphs?q=sub'))

  const file = join(folder, 'pulled.csv')
  t.same(await run(['pull', 'sub/b.csv', file], env), { code: 0, stdout: '', stderr: `${file}: graph 2, 34 bytes\n` })
  t.equal(statSync(file).mode & 0o777, 0o600)
  t.equal(readFileSync(file, 'utf8'), 'Source,Target,Type\r\nx,y,Directed\r\n')
  t.match(await run(['pull', '2', file], env), { code: 1, stderr: /already exists; replace it with --force/ })
  t.match(await run(['pull', '2', file, '--force', '--format', 'tsv'], env), { code: 0 })
  t.match(await run(['pull', '--key', 'a.gml', '-', '--format', 'gml'], env), { code: 0, stdout: /source 1/ })
  t.same(readdirSync(folder).sort(), ['data', 'files', 'pulled.csv'], 'no other file is left')
})

t.test('pushing the same file repeatedly creates one version and one event', async (t) => {
  const { files, env, get } = await prepare(t)
  const file = join(files, 'a.gml')
  for (let round = 0; round < 3; round++) {
    const outcomes = await Promise.all(Array.from({ length: 3 }, () => run(['push', file, '--json'], env)))
    for (const { code, stdout, stderr } of outcomes) {
      t.same([code, stderr, JSON.parse(stdout).graph.version], [0, '', 1])
    }
  }
  const trail = await get('/management/audits?targetType=GRAPH')
  const made = trail.map(({ type, request }: any) => [type, request.token.name])
  t.same(made, [['GRAPH_CREATED', 'script']])
})

t.test('refusals are explained and exit with code 1', async (t) => {
  const { folder, files, env } = await prepare(t)
  const file = join(files, 'a.gml')
  const bad = join(folder, 'bad.gml')
  writeFileSync(bad, 'graph [\nnode [ id 1 ]\nedge [ source 1 target 9 ]\n]')
  const faults = /^[^\n]+bad\.gml: not pushed: the file has errors\n {2}line 3, column \d+: /
  t.match(await run(['push', bad], env), { code: 1, stdout: '', stderr: faults })
  t.equal((await run(['push', bad, '--json'], env)).stdout.includes('"code":"validation-failed"'), true)
  t.match(await run(['push', file, '--if-match', '"1-1-x"'], env), { code: 1, stderr: /\(precondition-failed\)/ })
  t.match(await run(['push', file, '--key', '.'.repeat(129)], env), { code: 1, stderr: /at most 128 characters/ })
  t.match(await run(['push', join(folder, 'none.gml')], env), { code: 1, stderr: /not pushed: ENOENT/ })
  t.match(await run(['pull', 'nothing', join(folder, 'x.gml')], env), { code: 1, stderr: /\(graph-not-found\)/ })
  t.match(await run(['pull', '7', join(folder, 'none/x.gml')], env), { code: 1, stderr: /\(graph-not-found\)/ })
  const wrong = await run(['list'], { ...env, GRAPHSTEAD_TOKEN: SECRET })
  t.match(wrong, { code: 1, stderr: 'graphstead list: The token is invalid, expired or revoked. (token-invalid)\n' })
  t.match(await run(['push', file, '--dry-run'], env), { code: 0, stdout: /a\.gml: GML, 2 nodes, 1 edge\n$/ })
  t.match(await run(['push', bad, '--dry-run'], env), { code: 1, stderr: /the file has errors\n/ })
  const choices = ['--lenient', '--directed', 'true', '--charset', 'latin1', '--dry-run']
  const leftOut =
    /bad\.gml: GML, 1 node, 0 edges, faulty-dropped: 1; skipped because of 1 fault\n {2}line 3, column \d+: /
  t.match(await run(['push', bad, ...choices], env), { code: 0, stdout: leftOut })
  const unknown = /encoding is not a label of the WHATWG/
  t.match(await run(['push', file, '--charset', 'none'], env), { code: 1, stderr: unknown })
  t.match(await run(['push', '-', '--key', 'k', '--dry-run'], env, GML), { code: 0, stdout: /^-: GML, 2 nodes/ })
  const piped = await runProgram(['push', '/dev/stdin', '--dry-run'], env, GML, 'cat | "$@"')
  t.match(
    piped,
    { code: 0, stdout: /^\/dev\/stdin: GML, 2 nodes, 1 edge\n$/ },
    'a pipe without a known size can be inspected'
  )
  t.same((await run(['list'], env)).stdout, '', 'nothing has been pushed')
})

t.test('invalid arguments and settings exit with code 2, and no message contains the token', async (t) => {
  const file = join(t.testdir({ 'a.gml': GML }), 'a.gml')
  const env = { GRAPHSTEAD_URL: 'http://127.0.0.1:1', GRAPHSTEAD_TOKEN: SECRET }
  for (const [args, more, words] of [
    [['push', file], { GRAPHSTEAD_URL: '' }, /GRAPHSTEAD_URL is missing/],
    [['push', file], { GRAPHSTEAD_TOKEN: '' }, /GRAPHSTEAD_TOKEN is missing/],
    [['push', file], { GRAPHSTEAD_TOKEN: `${SECRET} x` }, /is not a valid token/],
    [['push', file], { GRAPHSTEAD_TOKEN: '', GRAPHSTEAD_TOKEN_FILE: '/none' }, /GRAPHSTEAD_TOKEN_FILE cannot be read/],
    [['push', file], { GRAPHSTEAD_URL: `http://ada:${SECRET}@127.0.0.1/` }, /must be a URL such as https/],
    [['push', file], { GRAPHSTEAD_URL: 'ftp://127.0.0.1/' }, /must be a URL such as https/],
    [['list'], { GRAPHSTEAD_URL: 'http://graphs.example.org' }, /use https, or allow it with --plain-http/],
    [['push', file, `--token=${SECRET}`], {}, /Unknown option '--token'/],
    [['push'], {}, /specify at least one file/],
    [['push', file, file, '--key', 'k'], {}, /--key requires a single file/],
    [['push', '-'], {}, /- requires --key/],
    [['push', file, join(file, '../a.gml')], {}, /two files have the key a\.gml/],
    [['push', file, '--format', 'none'], {}, /unknown format none/],
    [['push', file, '--timeout', 'soon'], {}, /--timeout must look like 30s or 2m/],
    [['pull', '7'], {}, /name one file/],
    [['pull'], {}, /specify the id or key/],
    [['pull', '7', 'x.none'], {}, /--format must be one of/],
    [['list', 'x'], {}, /too many arguments: x/]
  ] as const) {
    const outcome = await run([...args], { ...env, ...more })
    t.match(outcome, { code: 2, stdout: '', stderr: words }, `${args.join(' ')} ${JSON.stringify(more)}`)
    t.equal(outcome.stderr.includes(SECRET), false)
  }
})

/** Starts a fake server that returns the given responses and records the requests. */
async function fake(t: Test, answer: (request: IncomingMessage, response: ServerResponse, number: number) => void) {
  const seen: { method: string; url: string; token: string | undefined; body: string }[] = []
  const server = createServer(async (request, response) => {
    const number = seen.length
    const { method = '', url = '', headers } = request
    const entry = { method, url, token: headers.authorization, body: '' }
    seen.push(entry)
    request.on('error', () => {})
    request.on('data', (chunk) => {
      entry.body += chunk
    })
    answer(request, response, number)
  })
  return { seen, env: { GRAPHSTEAD_URL: await listenOn(t, server), GRAPHSTEAD_TOKEN: SECRET } }
}

const record = { id: 7, name: 'a\u001b[2J', version: 2, nodeCount: 2, edgeCount: 1, owner: 'ada', access: 'OWNER' }

/** Responds with JSON once the whole request has arrived. */
function reply(request: IncomingMessage, response: ServerResponse, status: number, body: object, headers = {}) {
  request.on('end', () =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  )
}

t.test('a push is retried while the server is busy, or if the response is lost', async (t) => {
  const file = join(t.testdir({ 'a.gml': GML }), 'a.gml')
  const { seen, env } = await fake(t, (request, response, number) => {
    if (number === 0)
      reply(request, response, 503, { code: 'outcome-unknown', detail: 'Who knows' }, { 'retry-after': '1' })
    else if (number === 1) request.on('end', () => request.socket.destroy())
    else if (number === 2) reply(request, response, 429, { code: 'too-many-requests' })
    else reply(request, response, 200, record)
  })
  const outcome = await run(['push', file], env)
  t.match(outcome, { code: 0, stdout: `${file}: graph 7, a\\u{1b}[2J, 2 nodes, 1 edge, version 2\n`, stderr: '' })
  const requests = seen.map(({ method, url, body }) => [method, url, body])
  t.same(requests, Array(4).fill(['PUT', '/api/account/graphs/a.gml/content?format=gml', GML]))
})

t.test('if the server remains busy or unreachable, the command exits with code 3', async (t) => {
  const file = join(t.testdir({ 'a.gml': GML }), 'a.gml')
  const { seen, env } = await fake(t, (request, response) =>
    reply(request, response, 503, { code: 'server-busy', detail: 'Busy' }, { 'retry-after': '3600' })
  )
  t.match(await run(['push', file], env), { code: 3, stderr: `${file}: not pushed: Busy (server-busy)\n` })
  t.equal(seen.length, 1, 'the command does not wait for an hour')
  const away = await run(['list'], { ...env, GRAPHSTEAD_URL: 'http://127.0.0.1:1' })
  t.match(away, { code: 3, stderr: /^graphstead list: 127\.0\.0\.1:1: connect ECONNREFUSED/ })
})

t.test('the command reports a change that an earlier attempt may have made', async (t) => {
  const file = join(t.testdir({ 'a.gml': GML }), 'a.gml')
  const { env } = await fake(t, (request, response, number) => {
    if (number === 0) request.on('end', () => request.socket.destroy())
    else reply(request, response, 412, { code: 'precondition-failed', detail: 'It differs' })
  })
  const earlier = 'an earlier attempt, whose response was lost, may have changed it'
  const stderr = `${file}: not pushed: It differs (precondition-failed); ${earlier}\n`
  t.same(await run(['push', file, '--if-match', '"x"'], env), { code: 1, stdout: '', stderr })
})

t.test('responses that are not from Graphstead are refused with a message that shows none of their text', async (t) => {
  const file = join(t.testdir({ 'a.gml': GML }), 'a.gml')
  const words = 'the response is not from Graphstead: is the address right?'
  for (const body of ['<html>', '', 'null', '[{}]', '{}', JSON.stringify({ ...record, id: '\u001b[2J' })]) {
    const { env } = await fake(t, (request, response) => request.on('end', () => response.end(body)))
    t.same(await run(['push', file], env), { code: 1, stdout: '', stderr: `${file}: not pushed: ${words}\n` }, body)
    t.same(await run(['list'], env), { code: 1, stdout: '', stderr: `graphstead list: ${words}\n` }, body)
    const pulled = await run(['pull', 'key', '-', '--format', 'gml'], env)
    t.same(pulled, { code: 1, stdout: '', stderr: `graphstead pull: ${words}; - was not written\n` }, body)
  }
  const strange = { detail: { a: 1 }, code: 7, errors: [null] }
  const { env } = await fake(t, (request, response) => reply(request, response, 400, strange))
  const stderr = `${file}: not pushed: the server responded with 400\n`
  t.same(await run(['push', file], env), { code: 1, stdout: '', stderr })
})

t.test('a list shows no control characters, and fails if the server repeats a page', async (t) => {
  const listed = { ...record, owner: 'a\u001b[2J', access: '\u0007' }
  const { env, seen } = await fake(t, (request, response) =>
    reply(request, response, 200, [listed], { 'x-next-cursor': 'same' })
  )
  const line = '     7 \\u{7} a\\u{1b}[2J       version 2, 2 nodes, 1 edge: a\\u{1b}[2J\n'
  const stderr = 'graphstead list: the server returned the same page twice\n'
  t.same(await run(['list'], env), { code: 1, stdout: line + line, stderr })
  t.equal(seen.length, 2)
})

t.test('a request is retried if its response breaks off, and an endless response is given up', async (t) => {
  const broken = await fake(t, (request, response, number) => {
    if (number > 0) return reply(request, response, 200, [])
    response.writeHead(200, { 'content-length': '1000' }).write('[')
    setTimeout(() => response.destroy(), 50)
  })
  t.same(await run(['list'], broken.env), { code: 0, stdout: '', stderr: '' })
  t.equal(broken.seen.length, 2)
  for (const status of [200, 400]) {
    const { env } = await fake(t, (_request, response) => {
      response.writeHead(status)
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(1024 * 1024, 32))) {}
      }
      response.on('drain', more)
      more()
    })
    t.match(await run(['list'], env), { code: 1, stderr: /^graphstead list: the (server|response) [^\n]+\n$/ })
  }
})

t.test('redirects are not followed, and the token is not sent to other servers', async (t) => {
  const other = await fake(t, (request, response) => reply(request, response, 200, []))
  for (const status of [302, 308]) {
    const { seen, env } = await fake(t, (request, response) =>
      reply(request, response, status, {}, { location: `${other.env.GRAPHSTEAD_URL}/api/graphs` })
    )
    const stderr = /the server redirects to http:\/\/127\.0\.0\.1:\d+\/api\/graphs: use that address\n$/
    t.match(await run(['list'], env), { code: 1, stderr })
    t.equal(seen.length, 1)
  }
  t.same(other.seen, [])
})

t.test('a refusal that arrives during the upload is reported, not the broken connection', async (t) => {
  const file = join(t.testdir({}), 'large.gml')
  writeFileSync(file, Buffer.alloc(8 * 1024 * 1024, 32))
  const refusal = JSON.stringify({ code: 'scope-missing', detail: 'Not this one' })
  const { env } = await fake(t, (_request, response) =>
    response.writeHead(403, { 'content-type': 'application/problem+json' }).end(refusal)
  )
  t.match(await run(['push', file], env), { code: 1, stderr: `${file}: not pushed: Not this one (scope-missing)\n` })
})

t.test('an interrupted pull leaves no file', async (t) => {
  const folder = t.testdir({})
  const file = join(folder, 'a.gml')
  const { env } = await fake(t, (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' })
    response.write('half of it')
    setTimeout(() => response.destroy(), 50)
  })
  t.match(await run(['pull', '7', file], env), { code: 3, stderr: /was not written\n$/ })
  t.same(readdirSync(folder), [])
})

t.test('the URL may have a path, and the token may come from a file', async (t) => {
  const folder = t.testdir({ token: `${SECRET}\n` })
  const { seen, env } = await fake(t, (request, response) => reply(request, response, 200, []))
  const token = { GRAPHSTEAD_TOKEN: '', GRAPHSTEAD_TOKEN_FILE: join(folder, 'token') }
  const behind = { GRAPHSTEAD_URL: `${env.GRAPHSTEAD_URL}/graphs/`, ...token }
  t.same(await run(['list', '--tags', 'a,b'], behind), { code: 0, stdout: '', stderr: '' })
  t.same(seen, [{ method: 'GET', url: '/graphs/api/graphs?size=100&tags=a%2Cb', token: `Bearer ${SECRET}`, body: '' }])
})

t.test('a push killed halfway creates either the whole graph or nothing', async (t) => {
  const { folder, env, get } = await prepare(t)
  const file = join(folder, 'large.csv')
  const lines = Array.from({ length: 40_000 }, (_, index) => `a${index},b${index}\n`)
  writeFileSync(file, `source,target\n${lines.join('')}`)
  for (const seconds of [0.3, 0.6]) {
    await runProgram(['push', file, '--key', `k${seconds}`], env, '', `timeout --signal=KILL ${seconds} "$@"`)
  }
  t.match(await run(['push', file, '--key', 'last'], env), { code: 0 })
  const graphs = await get('/api/graphs')
  t.equal(graphs.at(-1).key, 'last')
  for (const { version, nodeCount, edgeCount } of graphs) t.same([version, nodeCount, edgeCount], [1, 80_000, 40_000])
})
