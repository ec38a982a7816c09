import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Route } from 'playwright-core'
import { startChromium } from '../bench/chromium.ts'

// Packs clients/typescript, and installs the package in an empty folder. In that folder, checks its types, runs the examples in
// its README against a server from this repository, and runs the package in a browser. Requires the packages from npm ci on
// PATH. Prints a line for each step, the output of failing steps, and the number of passed and failed steps.

const root = join(import.meta.dirname, '..')
const client = join(root, 'clients/typescript')
const work = mkdtempSync(join(tmpdir(), 'graphstead-typescript-'))
const user = join(work, 'user')
const installed = join(user, 'node_modules/@graphstead/client')
const password = 'three blind mice run'
const counts = { passed: 0, failed: 0 }

/** Runs a step. Returns false if it throws, and true otherwise. */
async function step(name: string, run: () => unknown) {
  try {
    await run()
    counts.passed++
    console.log(`ok ${name}`)
    return true
  } catch (error) {
    counts.failed++
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    console.log(`not ok ${name}`, `${stdout}${stderr}`.slice(-5000), error)
    return false
  }
}

/** Runs a command. Returns its output, and throws if it fails. */
async function run(folder: string, command: string, args: string[], env: Record<string, string> = {}) {
  const options = { cwd: folder, env: { ...process.env, ...env }, timeout: 120_000 }
  return (await promisify(execFile)(command, args, options)).stdout
}

/** Throws if the two values differ as JSON. */
function expectSame(actual: unknown, expected: unknown) {
  const [is, should] = [actual, expected].map((value) => JSON.stringify(value))
  if (is !== should) throw new Error(`${is} should be ${should}`)
}

/** Returns the README's examples in the given language. */
function examples(language: string) {
  const readme = readFileSync(join(client, 'README.md'), 'utf8')
  return [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, code = '']) => code)
}

/** Packs the client, and checks the names of the packed files. Returns the path of the package. */
async function pack() {
  const args = ['pack', '--json', '--pack-destination', work]
  const [{ filename, files }] = JSON.parse((await run(client, 'npm', args)).replace(/^[^[]*/, ''))
  const others = files
    .map(({ path }: { path: string }) => path)
    .filter((path: string) => !/^dist\/[a-z]+(\.js|\.d\.ts)$/.test(path))
  expectSame(others.sort(), ['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json'])
  return join(work, filename)
}

/** Installs the package on its own in an empty folder. Retries once if the registry does not respond. */
async function install(file: string) {
  mkdirSync(user)
  writeFileSync(join(user, 'package.json'), '{"name": "user", "private": true, "type": "module"}')
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', file]
  await run(user, 'npm', args).catch(() => run(user, 'npm', args))
}

/** Type-checks a file with the compiler's strictest options. */
function check(file: string, settings: string) {
  const strict =
    '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022'
  return run(user, 'tsc', [
    ...`${strict} ${settings}`.split(' '),
    '--typeRoots',
    join(root, 'node_modules/@types'),
    file
  ])
}

/** Starts a server. Returns its address and its process. */
async function startServer() {
  const args = ['src/graphstead.js', 'serve', '--port', '0', '--data', join(work, 'data')]
  const env = { ...process.env, GRAPHSTEAD_ADMIN_PASSWORD: password }
  const server = spawn('node', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    server.stderr.on('data', (chunk) => {
      said += chunk
      const address = /running at (http:[^,]+),/.exec(said)?.[1]
      if (address) resolve(address)
    })
    server.on('exit', () => reject(new Error(said)))
  })
  return { url, server }
}

/** Sends JSON. Returns the parsed body of the response. */
async function post(url: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return await response.json()
}

/** Creates a user. Returns an API token for them. */
async function tokenOf(url: string, login: string): Promise<string> {
  const admin = await post(`${url}/api/authenticate`, { username: 'admin', password })
  const user = { login, password, role: 'USER', mustChangePassword: false, proof: { password } }
  await post(`${url}/api/users`, user, admin.id_token)
  const { id_token } = await post(`${url}/api/authenticate`, { username: login, password })
  return (await post(`${url}/api/account/tokens`, { name: 'CI', scopes: ['write:graphs'], password }, id_token)).token
}

/** A page on the server's own origin that loads the package without a bundler. */
const page = `<!doctype html><title>Client</title>
<script type="importmap">{"imports": {"@graphstead/client": "/client/index.js", "openapi-fetch": "/openapi-fetch.mjs"}}</script>`

/** Responds to the browser's requests for the page and for the files of the package. */
function serveFiles(route: Route) {
  const { pathname } = new URL(route.request().url())
  if (pathname === '/client/') return route.fulfill({ body: page, contentType: 'text/html' })
  const name = pathname.replace('/client/', '')
  const file =
    pathname === '/openapi-fetch.mjs'
      ? join(user, 'node_modules/openapi-fetch/dist/index.mjs')
      : join(installed, 'dist', name)
  return route.fulfill({ body: readFileSync(file, 'utf8'), contentType: 'text/javascript' })
}

/** Runs the package in a browser, once with a token and once with the page's session. */
async function browse(url: string, token: string) {
  const browser = await startChromium()
  try {
    const tab = await browser.newPage({ baseURL: url })
    await tab.route(/\/client\/|\/openapi-fetch\.mjs$/, serveFiles)
    await tab.route('**/moved/api/**', (route) => route.fulfill({ status: 307, headers: { location: '/healthz' } }))
    await tab.goto('/client/')
    const results = await tab.evaluate(
      async ({ token, password, module }) => {
        const { Graphstead }: typeof import('../clients/typescript/src/index.ts') = await import(module)
        const server = new Graphstead(location.origin, { token })
        const file = new File(['source,target\na,b\n'], 'edges.csv', { type: 'text/csv' })
        const { graph, created } = await server.push('page/1', file, { name: 'Browser' })
        const { id } = graph
        const namesOf = async (client: typeof server) => {
          const names: string[] = []
          for await (const { name } of client.graphs({ q: 'Browser', size: 1 })) names.push(name)
          return names
        }
        const codeOf = (promise: Promise<unknown>) => promise.then(String, (error) => error.code ?? String(error))
        const moved = new Graphstead(`${location.origin}/moved`, { token })
        const results = {
          created,
          names: await namesOf(server),
          pulled: await server.pull('page/1'),
          missing: await codeOf(server.pull(999)),
          moved: await codeOf(moved.pull(id)),
          before: await codeOf(namesOf(new Graphstead(location.origin)))
        }
        const headers = { 'content-type': 'application/json' }
        const body = JSON.stringify({ username: 'browser', password })
        await fetch('/api/session', { method: 'POST', headers, body })
        const session = new Graphstead(location.origin)
        const renamed = await session.api.PATCH('/api/graphs/{id}', {
          params: { path: { id } },
          body: { name: 'Browser 2' }
        })
        return { ...results, after: await namesOf(session), renamed: renamed.data?.name }
      },
      { token, password, module: '/client/index.js' }
    )
    expectSame(results, {
      created: true,
      names: ['Browser'],
      pulled: { directed: true, nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] },
      missing: 'graph-not-found',
      moved: 'redirected',
      before: 'token-missing',
      after: ['Browser 2'],
      renamed: 'Browser 2'
    })
  } finally {
    await browser.close()
  }
}

async function main() {
  let file = ''
  const isPacked = await step('npm pack: only code, types and documents', async () => {
    file = await pack()
  })
  if (!isPacked || !(await step('the package is installed in an empty folder', () => install(file)))) return
  const code = examples('ts').join('\n')
  writeFileSync(join(user, 'readme.ts'), code)
  const web = `${examples('js').join('\n')}
import type { GraphRecord } from '@graphstead/client'
export const rows: AsyncIterable<GraphRecord> = server.graphs()
// @ts-expect-error: the API does not have this filter.
server.graphs({ colour: 'red' })\n`
  writeFileSync(join(user, 'web.ts'), web)
  await step('the types work in Node.js', () =>
    check('readme.ts', '--module node16 --lib es2023 --types node --skipLibCheck')
  )
  await step('the types work in a bundler', () =>
    check('web.ts', '--module esnext --moduleResolution bundler --lib es2022,dom,dom.iterable,dom.asynciterable')
  )
  let server: ChildProcess | undefined
  try {
    const started = await startServer()
    const { url } = started
    server = started.server
    await step(`README.md: ${examples('ts').length} examples`, async () => {
      if (code === '') throw new Error('the README has no examples')
      const token = await tokenOf(url, 'reader')
      const said = await run(user, 'node', ['readme.ts'], { GRAPHSTEAD_URL: url, GRAPHSTEAD_TOKEN: token })
      expectSame(said.trim().split('\n'), [
        `See ${url}/graphs/1`,
        'false 2 {}',
        '3 2',
        'application/graphml+xml {}',
        '1 First 3',
        ...['3 undefined', '2 undefined', '1 By a script'],
        'Renamed',
        'line 1: node 1 has the id of an earlier node'
      ])
    })
    await step('the package works in a browser', async () => browse(url, await tokenOf(url, 'browser')))
  } finally {
    if (server?.kill()) await once(server, 'exit')
  }
}

try {
  await main()
} finally {
  rmSync(work, { recursive: true })
}
console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0)
