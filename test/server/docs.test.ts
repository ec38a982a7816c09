import t from 'tap'
import { docsPage } from '../../src/system/assets.ts'
import { build } from '../support/helper.ts'

const missing = docsPage().size === 0 && 'npm run build:ui builds the page, as does npm test'

t.test('GET /docs returns a page that loads nothing from other hosts', { skip: missing }, async (t) => {
  const { as } = await build(t)
  const page = await as().get('/docs')
  t.match(page, { status: 200, headers: { 'content-type': /^text\/html/ } })
  const policy = page.headers['content-security-policy'] ?? ''
  t.notMatch(policy, /https?:|\*/, 'the policy names no other host')
  t.match(policy, /script-src 'self';/)
  const needed = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
  t.ok(needed.length >= 4)
  t.ok(needed.includes('help/'), 'the page links to the help')
  for (const url of needed.filter((url) => !url.startsWith('data:') && url !== 'help/')) {
    t.notMatch(url, /^(https?:)?\/\//)
    const asset = await as().get(new URL(url, 'http://here/docs').pathname)
    t.match(asset, { status: 200, headers: { etag: /"/, 'content-type': /css|javascript/ } }, url)
    const again = await as().get(new URL(url, 'http://here/docs').pathname, {
      'if-none-match': asset.headers.etag ?? ''
    })
    t.match(again, { status: 304, text: '' })
  }
  t.match((await as().get('/docs/start.js')).text, /url: 'openapi\.json'/)
})
