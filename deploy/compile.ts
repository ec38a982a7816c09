import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { programOf, runProgram } from './program.ts'

// node deploy/compile.ts SOURCE ADDON CACHE runs the bundled program, with its threads beside it, as a server; sends
// typical requests, and keeps V8's compiled code.

const [source = '', addon = '', cache = ''] = process.argv.slice(2)
const data = mkdtempSync(join(tmpdir(), 'graphstead-compile-'))
const PASSWORD = 'only for this moment'

const script = programOf(readFileSync(source, 'utf8'))
const nodeRequire = createRequire(import.meta.url)
/** The same as in the executable, without the web app. */
const sea = {
  isSea: () => true,
  getAssetKeys: () => [basename(addon)],
  getRawAsset: () => readFileSync(addon),
  getAsset: (thread: string) => readFileSync(join(dirname(source), `${thread}.js`), 'utf8')
}
const require = Object.assign((id: string) => (id === 'node:sea' ? sea : nodeRequire(id)), nodeRequire)

process.argv = [process.execPath, source, 'serve', '--data', data, '--port', '0', '--log-level', 'info']
process.env.GRAPHSTEAD_ADMIN_PASSWORD = PASSWORD
// Discards the log.
process.stdout.write = () => true
const serving = Promise.withResolvers<string>()
process.stderr.write = (text) => {
  const [, url] = /serves on (\S+),/.exec(String(text)) ?? []
  if (url) serving.resolve(url)
  return true
}
runProgram(script, require as NodeJS.Require)
await useServer(await serving.promise)
// V8 accepts only code compiled under the flags it starts with; graph/worker.ts has set this one.
setFlagsFromString('--no-expose-gc')
writeFileSync(cache, script.createCachedData())
process.on('exit', () => rmSync(data, { recursive: true, force: true }))
process.kill(process.pid, 'SIGINT')

async function useServer(url: string) {
  const json = { 'content-type': 'application/json' }
  const credentials = JSON.stringify({ username: 'admin', password: PASSWORD })
  const login = await fetch(`${url}/api/authenticate`, { method: 'POST', headers: json, body: credentials })
  const { id_token } = (await login.json()) as { id_token: string }
  const headers = { ...json, authorization: `Bearer ${id_token}` }
  const content = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] }
  const requests: [string, string, object?][] = [
    ['GET', '/readyz'],
    ['POST', '/api/graphs', { name: 'One', content }],
    ['PUT', '/api/graphs', { id: 1, name: 'Two' }],
    ['PATCH', '/api/graphs/1', { shared: true }],
    ['GET', '/api/graphs/1'],
    ['GET', '/api/graphs?sort=name&size=5'],
    ['GET', '/api/mygraphs'],
    ['GET', '/management/audits'],
    ['GET', '/metrics']
  ]
  for (const [method, path, body] of requests) {
    const answer = await fetch(`${url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${method} ${path} is ${answer.status}`)
    await answer.arrayBuffer()
  }
}
