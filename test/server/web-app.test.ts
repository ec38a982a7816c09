import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { pages } from '../../plugins/server/web-app.ts'
import { build, problem } from '../support/helper.ts'

// The files of the web app as served, built by `npm run build:ui`. test/browser/app.test.ts uses the app.

const built = join(import.meta.dirname, '../../dist/ui')

const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

t.test('every page is the same file, which is never cached and has a strict policy with its own nonce', async (t) => {
  const { as } = await build(t)
  const nonces = new Set<string>()
  for (const url of pages) {
    const page = await as().get(url.replace(':id', '7'))
    t.match(page, { status: 200, headers: html }, url)
    const policy = page.headers['content-security-policy'] ?? ''
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/=]{24}'; /)
    t.notMatch(policy, /unsafe|https?:|\*/, 'the policy allows nothing unsafe and no other host')
    const nonce = /'nonce-([^']+)'/.exec(policy)?.[1] ?? ''
    t.ok(page.text.includes(`nonce="${nonce}"`))
    nonces.add(nonce)
    t.notMatch(page.text, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=/, 'there is no inline script or style')
  }
  t.equal(nonces.size, pages.length)
})

t.test('page assets come from the server, are compressed, and can be cached forever', async (t) => {
  const { app, as } = await build(t)
  const { text } = await as().get('/')
  const needed = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
  t.ok(needed.length >= 3)
  for (const url of needed) {
    t.match(url, /^\/assets\//, 'assets come from this host')
    const plain = await as().get(url)
    const headers = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' }
    t.match(plain, { status: 200, headers })
    t.equal(plain.headers['content-encoding'], undefined)
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } })
    t.equal(packed.headers['content-encoding'], 'gzip')
    t.equal(gunzipSync(packed.rawPayload).toString(), plain.text)
  }
  t.match(await as().get('/assets/nothing.js'), problem(404, 'route-not-found'))
  t.match(await as().get('/assets/..%2findex.html'), problem(404, 'route-not-found'))
  t.match(await as().post('/graphs', {}), problem(405, 'method-not-allowed'))
  t.match(await as().get('/graphs/1/nothing'), problem(404, 'route-not-found'))
})

t.test('an unknown path returns 404, with the app for browsers and a problem for other clients', async (t) => {
  const { as } = await build(t)
  const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const policy = /^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-/
  for (const url of ['/nothing', '/graphs/1/nothing', '//evil.example/', '/apis', '/docs/']) {
    const { text, ...page } = await as().get(url, browser)
    t.match(page, { status: 404, headers: { ...html, vary: 'Accept' } }, url)
    t.match(page.headers, { 'content-security-policy': policy, location: undefined })
    t.match(text, '<div id="app">')
    const head = await as().head(url, browser)
    t.match(head, { status: 404, headers: html }, `HEAD ${url}`)
    t.equal(head.text, '')
    for (const accept of ['*/*', 'application/json', 'application/json, text/html', 'text/html;q=0.1, */*', '', ';,,'])
      t.match(await as().get(url, { accept }), problem(404, 'route-not-found'), `${accept} ${url}`)
    t.match(await as().post(url, {}, browser), problem(404, 'route-not-found'), `POST ${url}`)
    t.match(await as().delete(url, browser), problem(404, 'route-not-found'), `DELETE ${url}`)
  }
  const others = ['/api', '/api/', '/api/nothing', '/api/graphs/1/x', '/management', '/management/x', '/assets/x.js']
  for (const url of others) t.match(await as().get(url, browser), problem(404, 'route-not-found'), url)
  t.match(await as().post('/graphs', {}, browser), problem(405, 'method-not-allowed'))
})

t.test('a page with a trailing slash redirects to the page on this host', async (t) => {
  const { as } = await build(t)
  const browser = { accept: 'text/html' }
  for (const [url, location] of [
    ['/graphs/', '/graphs'],
    ['/graphs/1/', '/graphs/1'],
    ['/graphs/1/?tab=nodes&node=a%2Fb', '/graphs/1?tab=nodes&node=a%2Fb'],
    ['/graphs/1/history/', '/graphs/1/history'],
    ['/audits/?size=5', '/audits?size=5'],
    ['/account/?//evil.example/', '/account?//evil.example/'],
    ['/graphs/%2f%2fevil.example/', '/graphs/%2f%2fevil.example'],
    ['/graphs/%0d%0aset-cookie:a=b/', '/graphs/%0d%0aset-cookie:a=b']
  ] as const) {
    t.match(await as().get(url, browser), { status: 308, headers: { location, 'cache-control': 'no-store' } }, url)
    t.match(await as().head(url, browser), { status: 308, headers: { location } }, `HEAD ${url}`)
  }
  for (const url of ['//', '//evil.example/', '//evil.example/graphs/1/', '/%2f/evil.example/', '/x/'])
    t.match(await as().get(url, browser), { status: 404, headers: { location: undefined } }, url)
  t.match(await as().get('/graphs/1/'), problem(404, 'route-not-found'), 'only browsers are redirected')
})

t.test('the scripts and styles of the sign-in form and the list of graphs are at most 310 KB compressed', async (t) => {
  const { app, as } = await build(t)
  const { text } = await as().get('/')
  const assets = readdirSync(join(built, 'assets'))
  const loaded = new Set<string>()
  /** Adds a file and the scripts that it imports. */
  function load(name: string) {
    if (loaded.has(name)) return
    loaded.add(name)
    if (!name.endsWith('.js')) return
    const source = readFileSync(join(built, 'assets', name), 'utf8')
    for (const [, imported = ''] of source.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g)) load(imported)
  }
  for (const [, name = ''] of text.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)) load(name)
  for (const name of assets) if (name.startsWith('signed-in-')) load(name)
  let bytes = 0
  for (const name of loaded) {
    bytes += (await app.inject({ url: `/assets/${name}`, headers: { 'accept-encoding': 'gzip' } })).rawPayload.length
  }
  t.comment(`${bytes} bytes`)
  t.ok(bytes > 0 && bytes <= 310_000)
})

t.test('no file of the app loads anything from another host', async (t) => {
  for (const name of readdirSync(join(built, 'assets'))) {
    const source = readFileSync(join(built, 'assets', name), 'utf8')
    t.notMatch(source, /\b(?:import|from|fetch|url)\s*\(?\s*["'`]?(?:https?:)?\/\/\w/, name)
  }
})
