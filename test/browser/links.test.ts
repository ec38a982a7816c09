import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Frame, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { download, line, turn } from './graph-page.ts'
import {
  act,
  inspect,
  journeysOf,
  openAs,
  openWindow,
  picture,
  refusalsOf,
  seriousFindings,
  serveTeam,
  signIn
} from './journeys.ts'

// Links for people without an account: the page, and the dialog that creates links.

const { browser, journey } = journeysOf(t)
const narrow = { width: 390, height: 844 }
const missing = 'This link is not available.'

/** Starts a server with a graph owned by ada and links to it. */
async function serveLinks(t: Test, graph: object = line) {
  const team = await serveTeam(t, 'ada')
  t.equal((await team.as('ada', 'POST', '/api/graphs', graph)).status, 201)
  const links = '/api/graphs/1/links'
  const link = async (body: object = {}) =>
    (await team.as('ada', 'POST', links, body)).body as Record<'id' | 'url', string>
  const openedTimes = async () =>
    (await team.as('ada', 'GET', links)).body.map((link: { openCount: number }) => link.openCount)
  return { ...team, links, link, openedTimes }
}

/** Starts another site on another port with one page. The server records requests. */
async function serveElsewhere(t: Test) {
  const asked: { url: string; referer: string | undefined }[] = []
  let html = ''
  const server = createServer(({ url = '', headers }, response) => {
    asked.push({ url, referer: headers.referer })
    response.setHeader('content-type', 'text/html').end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    asked,
    show: (body: string) => {
      html = `<!doctype html><html lang="en"><title>Wiki</title><body><h1>Wiki</h1>${body}</body></html>`
    }
  }
}

const drawing = (page: Page | Frame) => page.getByRole('application', { name: /^Drawing of Line/ })

journey('a link shows its graph to people without an account, without cookies or storage', async (t) => {
  const { url, link, openedTimes } = await serveLinks(t, { ...line, description: 'Six in a row' })
  const shown = await link({ downloads: true, version: 1 })
  const { page, context } = await openWindow(t, await browser(), url, { acceptDownloads: true })
  const urls: string[] = []
  page.on('request', (request) => urls.push(request.url()))
  await page.goto(shown.url)
  await drawing(page).waitFor()
  t.equal(await page.title(), 'Line – Graphstead')
  await page.getByRole('heading', { level: 1, name: 'Line' }).waitFor()
  await page.getByText('Version 1').waitFor()
  await page.getByText('Six in a row').waitFor()
  const legend = page.getByRole('region', { name: 'Legend' })
  await legend.getByRole('button', { name: /^red/ }).waitFor()
  await inspect(t, page, 'link')

  await page.getByPlaceholder('Find a node').fill('Node 3')
  await page.getByRole('option', { name: 'Node 3' }).click()
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('heading', { name: 'Node 3' }).waitFor()
  t.equal(await details.getByRole('button', { name: /Edit|Pin|path/ }).count(), 0, 'there are no editing controls')
  await details.getByRole('button', { name: 'odd' }).first().click()
  await details.getByText('Directed').waitFor()
  await details.getByRole('button', { name: 'Close' }).click()

  await page.getByText('Nodes', { exact: true }).click()
  const rows = page.getByRole('row')
  t.equal(await rows.count(), 7)
  await legendOff(page, 'red')
  t.equal(await rows.count(), 5, 'a value hidden in the legend is not in the table')
  await page.getByRole('columnheader', { name: 'ID' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'ID' }).getByRole('button').click()
  await rows.nth(1).filter({ hasText: 'n5' }).waitFor()
  await page.getByText('Edges', { exact: true }).click()
  await page.getByRole('cell', { name: 'Node 4' }).first().waitFor()

  const file = await download(page, 'GraphML')
  t.equal(file.name, 'Line.graphml')
  t.match(file.bytes.toString(), /<graphml/)

  const secret = shown.url.split('#')[1] ?? 'none'
  t.equal(new URL(page.url()).hash, `#${secret}`, 'the fragment of the URL is unchanged')
  t.equal(new URL(page.url()).search, '')
  t.same(
    urls.filter((asked) => asked.split('#')[0]?.includes(secret)),
    [],
    'no requested URL contains the secret'
  )
  t.same(await context.cookies(), [])
  t.same(await page.evaluate('[localStorage.length, sessionStorage.length]'), [0, 0])
  t.equal(urls.filter((asked) => asked.endsWith('/open')).length, 1, 'a single token is requested')
  t.same(await openedTimes(), [1])
})

/** Hides a value in the legend, and returns to the node table. */
async function legendOff(page: Page, value: string) {
  await page.getByText('Drawing', { exact: true }).click()
  await page
    .getByRole('region', { name: 'Legend' })
    .getByRole('button', { name: new RegExp(`^${value}`) })
    .click()
  await page.getByText('Nodes', { exact: true }).click()
}

journey('a link without downloads offers no download; a graph without positions is laid out', async (t) => {
  const nodes = line.content.nodes.map(({ x: _, y: __, ...node }) => node)
  const { url, link } = await serveLinks(t, { ...line, content: { ...line.content, nodes } })
  const { url: address } = await link()
  for (const options of [{ viewport: narrow, hasTouch: true, isMobile: true }, { colorScheme: 'dark' as const }]) {
    const { page } = await openWindow(t, await browser(), url, options)
    await page.goto(address)
    await drawing(page).waitFor()
    await page.getByRole('button', { name: 'Run layout' }).waitFor()
    t.equal(await page.getByRole('button', { name: 'Download' }).count(), 0)
    t.same(await seriousFindings(page), [], 'axe finds no violation in the drawing')
    t.equal(
      await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
      false,
      'nothing overflows the window'
    )
    await picture(page, options.viewport ? 'link-narrow' : 'link-dark')
    await page.getByText('Nodes', { exact: true }).click()
    await page.getByRole('button', { name: 'Node 2', exact: true }).click()
    await page.getByRole('region', { name: 'Details' }).waitFor()
    t.same(await seriousFindings(page), [], 'axe finds no violation in a table with details')
  }
})

journey('a URL that requests a summary, which links lack, shows the drawing', async (t) => {
  const { url, link } = await serveLinks(t)
  const { page } = await openWindow(t, await browser(), url)
  const [address, secret] = (await link()).url.split('#')
  await page.goto(`${address}?tab=summary#${secret}`)
  await drawing(page).waitFor()
  t.equal(await page.getByRole('radio', { name: 'Drawing' }).isChecked(), true)
  // Only graphs too large to draw have a summary.
  await page.goto('/graphs/1?tab=summary')
  await signIn(page, 'ada')
  await drawing(page).waitFor()
  t.equal(await page.getByRole('radio', { name: 'Drawing' }).isChecked(), true)
})

journey('on a phone only the table scrolls, and only visible rows are rendered', async (t) => {
  const nodes = Array.from({ length: 1000 }, (_, index) => ({ id: `n${index}`, x: index, y: 0 }))
  const { url, link } = await serveLinks(t, { ...line, content: { nodes, edges: [] } })
  const { page } = await openWindow(t, await browser(), url, { viewport: narrow, hasTouch: true, isMobile: true })
  const look = async () => {
    await page
      .getByRole('button', { name: 'n3', exact: true })
      .or(page.getByRole('link', { name: 'n3' }))
      .waitFor()
    const rows = await page.getByRole('row').count()
    t.ok(rows > 10 && rows < 100, `${rows} rows`)
    t.equal(await page.evaluate('document.documentElement.scrollHeight - innerHeight'), 0)
  }
  const [address, secret] = (await link()).url.split('#')
  await page.goto(`${address}?tab=nodes#${secret}`)
  await look()
  await page.goto('/graphs/1?tab=nodes')
  await signIn(page, 'ada')
  await look()
})

journey('nodes are found and read by keyboard alone, and the focus returns', async (t) => {
  const { url, link } = await serveLinks(t)
  const { page } = await openWindow(t, await browser(), url)
  await page.goto((await link()).url)
  await drawing(page).waitFor()
  await page.keyboard.press('Tab')
  await page.locator('input[type=radio]:focus').waitFor({ state: 'attached' })
  await page.keyboard.press('Tab')
  await page.keyboard.type('Node 1')
  await page.keyboard.press('Enter')
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('heading', { name: 'Node 1' }).waitFor()
  while ((await page.evaluate('document.activeElement.getAttribute("role")')) !== 'application')
    await page.keyboard.press('Tab')
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await details.waitFor()
})

journey('a wrong secret and a revoked link show the same plain message', async (t) => {
  const { url, as, links, link } = await serveLinks(t)
  const { id, url: address } = await link({ downloads: true })
  const { page, mishaps } = await openWindow(t, await browser(), url)
  await page.goto(`${address.split('#')[0]}#wrong`)
  await page.getByRole('heading', { name: missing }).waitFor()
  t.equal(await page.title(), 'Graphstead')
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await page.goto(address)
  await drawing(page).waitFor()
  t.equal((await as('ada', 'DELETE', `${links}/${id}`)).status, 204)
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'GraphML' }).click()
  await page.getByRole('heading', { name: missing }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: missing }).waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['404'])
})

journey(
  'a link asks for its password, and again after the password changes; wrong attempts are throttled',
  async (t) => {
    const { url, as, links, link } = await serveLinks(t)
    const { id, url: address } = await link({ password: PASSWORD, downloads: true })
    const { page, context, mishaps } = await openWindow(t, await browser(), url)
    await page.goto(address)
    await page.getByRole('heading', { name: 'This graph is password-protected' }).waitFor()
    t.equal(await page.getByRole('alert').count(), 0)
    t.same(await seriousFindings(page), [], 'axe finds no violation')
    const field = page.getByLabel(/^Password/)
    await field.fill('not this one')
    await field.press('Enter')
    await page.getByRole('alert').getByText('Incorrect password.').waitFor()
    await field.fill(PASSWORD)
    await field.press('Enter')
    await drawing(page).waitFor()
    t.same(await context.cookies(), [])

    t.equal((await as('ada', 'PATCH', `${links}/${id}`, { password: 'quite another one' })).status, 200)
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: 'GraphML' }).click()
    await page.getByRole('heading', { name: 'This graph is password-protected' }).waitFor()
    for (
      let attempt = 0;
      (await page.getByText(/^Too many attempts. Try again in \d+ seconds?\.$/).count()) === 0;
      attempt++
    ) {
      if (attempt === 30) throw new Error('attempts were never throttled')
      await field.fill(`wrong ${attempt}`)
      await field.press('Enter')
      await page.getByRole('main').getByRole('alert').waitFor()
      await page.locator('button[type=submit]:not([data-loading])').waitFor()
    }
    const statuses = new Set(refusalsOf(mishaps))
    t.same([...statuses], ['401', '429'])
  }
)

journey('a token is renewed with the secret before it expires', async (t) => {
  const { url, link } = await serveLinks(t)
  const { url: address } = await link({ downloads: true })
  const { page } = await openWindow(t, await browser(), url, { acceptDownloads: true })
  await page.clock.install()
  const opened: string[] = []
  page.on('request', (request) => request.url().endsWith('/open') && opened.push(request.url()))
  await page.goto(address)
  await drawing(page).waitFor()
  await page.clock.fastForward(13 * 60_000)
  await download(page, 'GraphML')
  t.equal(opened.length, 1)
  await page.clock.fastForward(90_000)
  await download(page, 'GraphML')
  t.equal(opened.length, 2)
})

journey('only allowed sites can embed a link; they cannot access its content, and get no Referer', async (t) => {
  const { url, link } = await serveLinks(t)
  const [wiki, other] = [await serveElsewhere(t), await serveElsewhere(t)]
  const { url: address } = await link({ origins: [wiki.origin] })
  const whole = new URL(address, url).href
  const secret = address.split('#')[1] ?? 'none'
  const framed = `<iframe title="Graph" src="${whole}" width="800" height="600"></iframe>`

  wiki.show(framed)
  const { page, mishaps } = await openWindow(t, await browser(), wiki.origin)
  await page.goto('/')
  const frame = page.frames()[1] as Frame
  await drawing(frame).waitFor()
  await picture(page, 'link-framed')
  const reach = `(() => { try { return frames[0].document.title } catch (error) { return error.name } })()`
  t.equal(await page.evaluate(reach), 'SecurityError')
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  // The link page sends a request to the other server, as an image would.
  await frame.evaluate(`fetch('${wiki.origin}/from-the-frame', { mode: 'no-cors' }).catch(() => {})`)
  await frame.evaluate(`void (location.href = '${wiki.origin}/after-the-frame')`)
  await page
    .waitForEvent('framenavigated', { predicate: (moved) => moved.url().endsWith('/after-the-frame') })
    .catch(() => {})

  other.show(framed)
  const stranger = await openWindow(t, await browser(), other.origin)
  await stranger.page.goto('/')
  await stranger.page.waitForLoadState('networkidle')
  const kept = stranger.page.frames()[1] as Frame
  t.equal(await drawing(kept).count(), 0)
  t.ok(
    stranger.mishaps.errors.some((error) => /frame-ancestors/.test(error)),
    'the browser reports the reason'
  )
  for (const error of mishaps.errors) t.match(error, /postMessage|Content Security Policy/)
  for (const asked of [...mishaps.elsewhere, ...stranger.mishaps.elsewhere]) t.ok(asked.startsWith(url), asked)

  const all = [...wiki.asked, ...other.asked]
  t.ok(
    wiki.asked.some(({ url }) => url === '/after-the-frame'),
    'the frame sent a request to the other server'
  )
  t.same(
    all.filter(({ url, referer }) => `${url} ${referer}`.includes(secret)),
    []
  )
  t.same(
    all.filter(({ url, referer }) => url.includes('frame') && referer),
    [],
    'no request reveals the URL of the link'
  )
})

journey('an owner creates, copies, edits and revokes a link, and sees how often it was opened', async (t) => {
  const { url, as, links } = await serveLinks(t)
  const { page, context, mishaps } = await openWindow(t, await browser(), url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
  await page.goto('/graphs/1')
  await signIn(page, 'ada')
  await page.getByRole('button', { name: 'Share…' }).click()
  const share = page.getByRole('dialog', { name: 'Share “Line”' })
  await share.getByRole('tab', { name: 'People' }).press('ArrowRight')
  await share.getByText('No links yet. Create one to share the graph without an account.').waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation without links')

  await share.getByRole('button', { name: 'New link' }).click()
  const form = page.getByRole('dialog', { name: 'New link' })
  await form.getByLabel('Name').fill('For the paper')
  await form.getByLabel('Version').fill('1')
  await form.getByLabel('Expires on').fill('2099-12-31')
  await form.getByLabel('Allowed sites').fill('not an origin')
  await turn(form, 'Allow downloads', true)
  await turn(form, 'Allow link previews', true)
  await inspect(t, page, 'link-dialog')
  await form.getByRole('button', { name: 'Create' }).click()
  await form
    .getByRole('alert')
    .getByText(/is not an origin/)
    .first()
    .waitFor()
  await form.getByLabel('Allowed sites').fill('')
  await form.getByLabel('Name').press('Enter')
  await form.waitFor({ state: 'detached' })
  const row = share.getByRole('listitem').filter({ hasText: 'For the paper' })
  await row.getByText('Never opened').waitFor()
  t.match(
    await row.innerText(),
    /Version 1 · Expires Dec 31, 2099, 11:59 PM · Downloads allowed · Link previews allowed/
  )
  await inspect(t, page, 'share-links')

  await row.getByRole('button', { name: 'Copy address of For the paper' }).click()
  await page.getByText('Copied').first().waitFor()
  const address = await copied()
  t.equal(await row.getByRole('link', { name: address }).getAttribute('href'), address)
  t.equal(new URL(address).origin, url)
  const visitor = await openWindow(t, await browser(), url)
  await visitor.page.goto(address)
  await drawing(visitor.page).waitFor()
  await share.getByRole('tab', { name: 'Embed' }).click()
  await share.getByText('No site can embed this graph yet.').waitFor()
  await share.getByLabel('Allowed sites').fill('https://a.example/wiki?page=1')
  await share.getByRole('button', { name: 'Create HTML' }).click()
  const framed = share.getByLabel('HTML for your page')
  t.match(await framed.inputValue(), /^<iframe src="/)
  await inspect(t, page, 'share-embed-created')
  const [, embedded] = (await as('ada', 'GET', links)).body
  t.same([embedded.name, embedded.origins], ['Embedded', ['https://a.example']])
  await as('ada', 'DELETE', `${links}/${embedded.id}`)
  await share.getByRole('tab', { name: 'Link' }).click()
  await row.getByText('Opened once, now').waitFor()

  await row.getByRole('button', { name: 'Edit For the paper' }).click()
  const change = page.getByRole('dialog', { name: 'Edit For the paper' })
  await change.getByText('Ask the administrator to set --public-url.').waitFor()
  t.equal(await change.getByLabel('Expires on').inputValue(), '2099-12-31')
  await change.getByLabel('Version').fill('')
  await change.getByRole('textbox', { name: 'Password' }).fill(PASSWORD)
  const allowed = change.getByRole('switch', { name: 'Allow link previews' })
  t.same(
    [await allowed.isDisabled(), await allowed.isChecked()],
    [true, false],
    'previews are unavailable with a password'
  )
  t.equal((await fetch(new URL(`/s/${new URL(address).pathname.split('/')[2]}/preview.png`, url))).status, 200)
  await change.getByLabel('Allowed sites').fill('https://wiki.example.org, http://localhost:3000')
  await change.getByRole('button', { name: 'Save' }).click()
  await change.waitFor({ state: 'detached' })
  await row
    .getByText(/^Always the latest version · .* · Password-protected · .*Embedding allowed on https:\/\/wiki/)
    .waitFor()
  t.equal((await fetch(new URL(`/s/${new URL(address).pathname.split('/')[2]}/preview.png`, url))).status, 404)
  const { version, hasPassword, origins, expiresAt } = (await as('ada', 'GET', links)).body[0]
  t.same([version, hasPassword, origins], [undefined, true, ['https://wiki.example.org', 'http://localhost:3000']])
  t.equal(expiresAt, '2099-12-31T22:59:59.999Z', 'an unchanged expiry date keeps its exact time')

  await share.getByRole('tab', { name: 'Embed' }).click()
  const html = await share.getByLabel('HTML for your page').inputValue()
  t.ok(html.startsWith(`<iframe src="${address}" title="Line" `), html)
  await share.getByRole('button', { name: 'Copy HTML' }).click()
  while ((await copied()) !== html) await page.waitForTimeout(50)
  await share.getByRole('button', { name: 'Preview' }).click()
  const preview = page.frameLocator('iframe')
  await preview.getByLabel(/^Password/).fill(PASSWORD)
  await preview.getByRole('button', { name: 'Show graph' }).click()
  await preview.getByRole('application').waitFor()
  await inspect(t, page, 'share-embed')

  await share.getByRole('tab', { name: 'Link' }).click()
  await row.getByRole('button', { name: 'Revoke For the paper' }).click()
  const confirm = page.getByRole('dialog', { name: 'Revoke For the paper' })
  await confirm.getByRole('button', { name: 'Cancel' }).click()
  await confirm.waitFor({ state: 'detached' })
  await row.getByRole('button', { name: 'Revoke For the paper' }).click()
  await confirm.getByRole('button', { name: 'Revoke' }).click()
  await share.getByText('No links yet. Create one to share the graph without an account.').waitFor()
  await share.locator('h3:focus', { hasText: 'Links' }).waitFor()
  await visitor.page.reload()
  await visitor.page.getByRole('heading', { name: missing }).waitFor()
  t.same(refusalsOf(visitor.mishaps), ['404'])
  t.same([...new Set(refusalsOf(mishaps))].sort(), ['400', '401'])
})

journey('a URL can open a view, and the dialog has one column on a phone', async (t) => {
  const { url, as, link } = await serveLinks(t)
  const { url: address } = await link({ name: 'A name that takes more than one line of a telephone, as names do' })
  const visitor = await openWindow(t, await browser(), url)
  await visitor.page.goto(address.replace('#', '?tab=edges&edge=2#'))
  await visitor.page.getByRole('table', { name: 'Edges of Line' }).waitFor()
  await visitor.page.getByRole('region', { name: 'Details' }).getByText('Directed').waitFor()

  t.equal((await as('admin', 'GET', '/api/graphs/1/links')).body.length, 1)
  const { page } = await openAs(t, browser(), url, 'ada', '/graphs/1', {
    viewport: narrow,
    colorScheme: 'dark'
  })
  await act(page, 'Line', 'Share…')
  const share = page.getByRole('dialog')
  await share.getByRole('tab', { name: 'Link' }).click()
  await share.getByText('Opened once').waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  t.equal(await share.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  await picture(page, 'share-links-narrow')
})
