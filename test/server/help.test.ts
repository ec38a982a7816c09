import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import t from 'tap'
import { helpPages } from '../../src/system/assets.ts'
import { searchIn } from '../../ui/help/browser/ranking.ts'
import { stemOf } from '../../ui/help/browser/words.ts'
import { build, problem } from '../support/helper.ts'

// The documentation site as served, built by `npm run docs`.

const skip = helpPages().size === 0 && 'npm run docs builds the pages, as does npm test'
const docs = join(import.meta.dirname, '../../docs')
const contributors = ['release.md', 'security-checklist.md']
const documents = readdirSync(docs).filter(
  (name) => name.endsWith('.md') && ![...contributors, 'README.md', 'guide.md'].includes(name)
)
const pages = ['', 'manual.html', ...documents.map((name) => name.replace('.md', '.html'))]
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

/** Returns the URLs that a page links to or loads. */
function targetsOf(html: string) {
  return [...html.matchAll(/<\w+ [^>]*?\b(?:src|href)="([^"]+)"/g)].map(([, target = '']) => target)
}

t.test('/help shows every document to everyone, with a policy without unsafe sources', { skip }, async (t) => {
  const { as } = await build(t)
  t.match(await as().get('/help'), { status: 308, headers: { location: '/help/' } })
  for (const name of pages) {
    const page = await as().get(`/help/${name}`)
    t.match(page, { status: 200, headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' } })
    const policy = page.headers['content-security-policy'] ?? ''
    t.match(policy, /^default-src 'none'; script-src 'self'; style-src 'self';/)
    t.notMatch(policy, /unsafe|https?:|\*/)
    t.notMatch(
      page.text,
      /<script(?![^>]*\bsrc=)|<style|<[^>]+\sstyle=|<[^>]+\son\w+=/,
      `${name} has no inline script or style`
    )
    t.match(page.text, /<h1 id="[^"]+">/, name)
  }
})

t.test('pages load only files of the site, and all their links resolve', { skip }, async (t) => {
  const { as } = await build(t)
  const files = new Map<string, string>()
  for (const name of pages) files.set(name, (await as().get(`/help/${name}`)).text)
  const seen = new Set<string>()
  for (const [name, text] of files) {
    for (const target of targetsOf(text).filter((target) => !/^(?:https?|mailto):/.test(target))) {
      const { pathname, hash } = new URL(target, `http://here/help/${name}`)
      t.match(pathname, /^\/help\//, `${name}: ${target}`)
      const file = pathname.slice('/help/'.length)
      const id = hash.slice(1)
      if (id) t.ok(files.get(file)?.includes(` id="${id}"`), `${name}: ${target}`)
      if (seen.has(file)) continue
      seen.add(file)
      t.equal((await as().get(pathname)).status, 200, `${name}: ${target}`)
    }
    t.notMatch(text, /<(?:script|img|link|source|iframe)\b[^>]*(?:src|srcset|href)="(?:https?:)?\/\//, name)
  }
  for (const name of pages.slice(1)) t.ok(seen.has(name), `a page links to ${name}`)
})

t.test('the search covers every heading of a document', { skip }, async (t) => {
  const { as } = await build(t)
  const { body } = await as().get('/help/search.json')
  const found = (body as string[][]).filter(([address]) => address?.startsWith('backup.html'))
  const headings = readFileSync(join(docs, 'backup.md'), 'utf8').match(/^#+ /gm) ?? []
  t.equal(found.length, headings.length)
  t.ok(found.every(([, page]) => page === found[0]?.[1]))
  t.notMatch(JSON.stringify(body), /<h\d|class=/, 'the index contains plain text')
})

t.test('the search finds the sections about the web app first', { skip }, async (t) => {
  const { as } = await build(t)
  const find = searchIn((await as().get('/help/search.json')).body)
  for (const [words, section] of [
    ['conflict', 'conflicts-when-two-people-edit-a-graph'],
    ['two people edit', 'conflicts-when-two-people-edit-a-graph'],
    ['number format', 'choose-a-number-format'],
    ['export svg', 'export-as-svg-png-or-a-graph-file'],
    ['copy graph', 'make-a-copy-of-a-graph'],
    ['trash', 'restore-a-deleted-graph-from-the-trash']
  ] as const) {
    t.equal(find(words)[0]?.address, `web-app.html#${section}`, words)
  }
  t.equal(find('backup')[0]?.address, 'backup.html')
})

t.test('the search finds tasks by words in any order, endings, synonyms and questions', { skip }, async (t) => {
  const { as } = await build(t)
  const find = searchIn((await as().get('/help/search.json')).body)
  for (const [words, address] of [
    ['forgot password', 'sign-in.html#reset-a-forgotten-password'],
    ['resetting passwords', 'sign-in.html#reset-a-forgotten-password'],
    ['delete several graphs', 'web-app.html#delete-or-change-several-graphs-at-once'],
    ['graph remove multiple', 'web-app.html#delete-or-change-several-graphs-at-once'],
    ['expiry link', 'links.html#let-a-link-expire-or-revoke-it'],
    ['make a link expire', 'links.html#let-a-link-expire-or-revoke-it'],
    ['set an expiry date', 'links.html#let-a-link-expire-or-revoke-it'],
    ['add a file to a graph', 'web-app.html#add-a-file-to-a-graph'],
    ['how do I invite', 'sign-in.html#invite-people'],
    ['export png', 'web-app.html#export-as-svg-png-or-a-graph-file'],
    ['remove a node', 'web-app.html#add-edit-and-remove-nodes-and-edges'],
    ['share a graph with a colleague', 'sharing.html'],
    ['log in', 'sign-in.html'],
    ['importing a file', 'web-app.html#import-a-file'],
    ['2FA', 'second-factor.html'],
    ['color nodes', 'figures.html#choose-colours-sizes-and-labels'],
    ['paper for figures unicorn', 'figures.html']
  ] as const) {
    t.equal(find(words)[0]?.address, address, words)
  }
  t.same(find('unicorn'), [])
})

t.test('the search ignores the endings of words', async (t) => {
  const words = [
    ['delete', 'deletes', 'deleted', 'deleting', 'deletion'],
    ['copy', 'copies', 'copied', 'copying'],
    ['expire', 'expires', 'expired', 'expiry', 'expiration'],
    ['drag', 'drags', 'dragged', 'dragging'],
    ['invite', 'invitation', 'invitations'],
    ['colour', 'colours', 'coloured', 'color']
  ]
  for (const [first = '', ...forms] of words) {
    for (const form of forms) t.equal(stemOf(form), stemOf(first), form)
  }
  t.not(stemOf('status'), stemOf('state'))
})

t.test('pages for contributors and lists of tests are not part of the help', { skip }, async (t) => {
  const { as } = await build(t)
  for (const name of contributors) t.match(await as().get(`/help/${name.replace('.md', '.html')}`), { status: 404 })
  const { text } = await as().get('/help/security-sign-in.html')
  t.match(text, 'invitation')
  t.notMatch(text, 'Tests: ')
})

t.test('files are compressed and revalidated by ETag', { skip }, async (t) => {
  const { app, as } = await build(t)
  const images = [...helpPages().keys()].filter((name) => name.startsWith('images/'))
  for (const name of ['', 'backup.html', 'search.js', 'search.json', 'help.css', 'icon.svg', ...images]) {
    const url = `/help/${name}`
    const plain = await app.inject({ url })
    t.match(plain, { statusCode: 200, headers: { etag: /^"/, vary: 'Accept-Encoding' } }, url)
    const packed = await app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
    t.equal(packed.headers['content-encoding'], 'gzip')
    t.same(gunzipSync(packed.rawPayload), plain.rawPayload)
    t.not(packed.headers.etag, plain.headers.etag)
    for (const etag of [plain.headers.etag, `W/${plain.headers.etag}`, `"other", ${plain.headers.etag}`]) {
      const again = await as().get(url, { 'if-none-match': etag ?? '' })
      t.match(again, { status: 304, text: '', headers: { etag: plain.headers.etag, vary: 'Accept-Encoding' } }, url)
    }
    t.match(await as().get(url, { 'if-none-match': '"other"' }), { status: 200 })
    const head = await app.inject({ method: 'HEAD', url })
    t.match(head, { statusCode: 200, payload: '', headers: { etag: plain.headers.etag } }, `HEAD ${url}`)
    t.equal(head.headers['content-length'], String(plain.rawPayload.length))
  }
})

t.test(
  'an unknown page returns 404, with a search page for browsers and a problem for other clients',
  { skip },
  async (t) => {
    const { as } = await build(t)
    const missing = await as().get('/help/lost.html', browser)
    t.match(missing, {
      status: 404,
      headers: { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }
    })
    t.match(missing.headers['content-security-policy'], /^default-src 'none'; script-src 'self';/)
    t.equal(missing.headers.vary, 'Accept, Accept-Encoding')
    t.match(missing.text, /<h1 [^>]*>Page not found/)
    t.match(await as().head('/help/lost.html', browser), { status: 404, text: '' })
    for (const name of [
      'lost.html',
      'backup',
      'README.md',
      '..%2fui%2findex.html',
      '%2e%2e%2fui',
      'images/lost.png',
      'images/..%2findex.html',
      'help/backup.html'
    ])
      t.match(await as().get(`/help/${name}`), problem(404, 'route-not-found'), name)
    t.match(await as().post('/help/', {}), problem(405, 'method-not-allowed'))
    t.match(await as().delete('/help/backup.html'), problem(405, 'method-not-allowed'))
  }
)
