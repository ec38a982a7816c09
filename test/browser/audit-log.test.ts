import { readFile } from 'node:fs/promises'
import type { Download, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { readProof } from '../../audit/checkpoint.ts'
import { PASSWORD } from '../support/helper.ts'
import { login } from '../support/program.ts'
import { until } from '../support/until.ts'
import { button, inspect, journeysOf, openWindow, refusalsOf, serveTeam, signIn } from './journeys.ts'

// The audit log in the web app: proofs of events, checkpoints and exports.

const { browser, journey } = journeysOf(t)

const CHECKPOINT = '/management/audits/log/checkpoint'

/** Starts a server with an auditor and a graph. `take` fetches a path as text. */
async function serveTrail(t: Test) {
  const team = await serveTeam(t, 'audrey')
  await team.as('admin', 'POST', '/api/graphs', { name: 'Roads' })
  const headers = { authorization: `Bearer ${await login(team.url)}` }
  const take = async (path: string) => (await fetch(`${team.url}${path}`, { headers })).text()
  return { ...team, take }
}

/** Opens a page as the auditor once every event is in the log. */
async function openAsAuditor(t: Test, address: string) {
  const trail = await serveTrail(t)
  const window = await openWindow(t, await browser(), trail.url)
  await window.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await window.page.goto('/trash')
  await signIn(window.page, 'audrey')
  const last = await trail.settle()
  await window.page.goto(address)
  return { ...trail, ...window, last }
}

/** Returns the text of a saved file. */
async function contentOf(download: Download) {
  return readFile(await download.path(), 'utf8')
}

const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()')
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const saved = async (page: Page, name: string) => {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return download
}

/** Returns a server's error response with this code. */
const refusal = (status: number, code: string, seconds: number) => ({
  status,
  headers: { 'retry-after': String(seconds) },
  contentType: 'application/problem+json',
  body: JSON.stringify({ type: `urn:${code}`, title: code, status, code })
})

journey('an event shows the checkpoint that proves it, and its proof can be copied and downloaded', async (t) => {
  const { page, take, last } = await openAsAuditor(t, '/audits/2')
  const served = await take('/management/audits/2/proof')
  const { index, hashes } = readProof(served)
  t.same([index, hashes.length], [1, Math.ceil(Math.log2(last))])
  const proof = region(page, 'Proof')
  await proof.getByText(`Proved by a checkpoint covering ${last} events`, { exact: true }).waitFor()
  t.match(
    await proof.getByText('Checked at').innerText(),
    new RegExp(
      String.raw`^Leaf 1 of the log\. The path to the root has ${hashes.length} hashes\. Checked at \d+:\d\d:\d\d [AP]M\.$`
    )
  )
  t.equal(await region(page, 'Proof text').locator('pre').textContent(), served)

  await button(page, 'Copy proof').click()
  await page.getByText('Copied.').waitFor()
  t.equal(await clipboard(page), served)
  const download = await saved(page, 'Download proof')
  t.equal(download.suggestedFilename(), 'event-2.tlog-proof')
  t.equal(await contentOf(download), served)

  // Closing the event keeps the list's filters.
  await page.goto('/audits/2?outcome=SUCCESS')
  await proof.waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/audits\?outcome=SUCCESS$/)
})

journey('an event that is not in the log yet says so, and retries until it is included', async (t) => {
  const { page, last, mishaps } = await openAsAuditor(t, '/audits')
  let asked = 0
  let isKept = true
  await page.route('**/management/audits/2/proof', (route) => {
    asked++
    return isKept ? route.fulfill(refusal(409, 'not-in-tree-yet', 2)) : route.continue()
  })
  await page.goto('/audits/2')
  const status = region(page, 'Proof').getByRole('status')
  await status.getByText('Not in the audit log yet. Events are added within two seconds.', { exact: true }).waitFor()
  await inspect(t, page, 'audit-unproved')
  t.same(
    [await button(page, 'Copy proof').count(), await button(page, 'Download proof').count()],
    [0, 0],
    'there is no proof to copy or download'
  )
  await status.getByText('This is taking longer than usual').waitFor()
  t.ok(asked >= 5, `asked ${asked} times`)
  isKept = false
  await status.getByText(`Proved by a checkpoint covering ${last} events`, { exact: true }).waitFor()
  const askedBefore = asked
  await page.waitForTimeout(2500)
  t.equal(asked, askedBefore, 'a loaded proof is not requested again')
  t.equal(mishaps.errors.filter((error) => !/409/.test(error)).length, 0, 'nothing else went wrong')
})

journey('erased names appear as “erased” in italics, in the list and in an event', async (t) => {
  const { page, last } = await openAsAuditor(t, '/trash')
  const erase = (event: Record<string, unknown>) =>
    event.id === 2 ? { ...event, principal: '', target: { type: 'USER', id: 2, name: '' }, request: undefined } : event
  await page.route(/\/management\/audits(\?.*|\/2)$/, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    return route.fulfill({ response, json: Array.isArray(body) ? body.map(erase) : erase(body) })
  })
  await page.goto('/audits?sort=id,asc')
  const cells = page.getByRole('table', { name: 'Audit log' }).getByRole('row').nth(2).getByRole('cell')
  await cells.first().waitFor()
  t.equal(await page.getByText('erased', { exact: true }).count(), 2, 'the user and the target of one event')
  const isItalic = (place: ReturnType<Page['getByText']>) =>
    place.evaluate((element) => (globalThis as any).getComputedStyle(element).fontStyle)
  t.same(
    [await cells.nth(1).innerText(), await isItalic(cells.nth(1).getByText('erased'))],
    ['erased', 'italic'],
    'the name of the user is erased'
  )
  t.same([await cells.nth(4).innerText(), await isItalic(cells.nth(4).getByText('erased'))], ['erased', 'italic'])
  await inspect(t, page, 'audits-erased')

  await page.goto('/audits/2')
  const dialog = page.getByRole('dialog', { name: 'Event 2' })
  const row = dialog.getByRole('row', { name: /^User/ })
  t.equal(await row.getByRole('cell').innerText(), 'erased')
  t.equal(await isItalic(row.getByText('erased')), 'italic')
  t.equal(await dialog.getByRole('row', { name: /^Target erased/ }).count(), 1)
  await dialog.getByText('Personal data in this event was erased. Its proof is still valid.').waitFor()
  await dialog.getByText(`Proved by a checkpoint covering ${last} events`, { exact: true }).waitFor()
  await inspect(t, page, 'audit-erased')
})

journey('the list shows the latest checkpoint with its time, to copy and download', async (t) => {
  const { page, as, take, settle, last } = await openAsAuditor(t, '/audits')
  const shown = region(page, 'Latest checkpoint')
  const check = async (size: number) => {
    await shown.getByText(`Latest checkpoint: ${size} events`, { exact: true }).waitFor()
    const note = await take(CHECKPOINT)
    const [origin = '', count, root = ''] = note.split('\n')
    t.equal(count, String(size))
    t.match(origin, /^graphstead\.audit\//)
    await shown.getByText(`Origin ${origin}`, { exact: true }).waitFor()
    const [line, time] = (await shown.getByText(', checked at').innerText()).split(', checked at ')
    t.equal(line, `Root ${root.slice(0, 12)}…`)
    t.match(time, /^\d+:\d\d:\d\d [AP]M$/)
    return note
  }
  await check(last)

  await as('admin', 'PATCH', '/api/graphs/1', { name: 'Rails' })
  t.equal(await settle(), last + 1)
  await page.getByLabel('User', { exact: true }).fill('admin')
  await page.waitForURL(/principal=admin/)
  const note = await check(last + 1)

  await button(page, 'Copy checkpoint').click()
  await page.getByText('Copied.').waitFor()
  t.equal(await clipboard(page), note)
  const download = await saved(page, 'Download checkpoint')
  t.equal(download.suggestedFilename(), `checkpoint-${last + 1}.txt`)
  t.equal(await contentOf(download), note)
})

journey('over plain HTTP, without a clipboard API, Copy works or reports that it failed', async (t) => {
  const { page, context, take } = await openAsAuditor(t, '/trash')
  await page.addInitScript('Object.defineProperty(Navigator.prototype, "clipboard", { value: undefined })')
  await page.goto('/audits')
  await button(page, 'Copy checkpoint').click()
  await page.getByText('Copied.').waitFor()
  t.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Copy checkpoint')
  t.equal(await page.locator('textarea').count(), 0, 'no helper element is left behind')
  const other = await context.newPage()
  await other.goto('/trash')
  t.equal(await clipboard(other), await take(CHECKPOINT))
  await other.close()

  await page.goto('/audits/1')
  await button(page, 'Copy proof').click()
  await page.getByText('Copied.').waitFor()
  await page.evaluate('document.execCommand = () => false')
  await button(page, 'Copy proof').click()
  await page.getByText('Copying failed. Select the text and copy it manually.').waitFor()
})

journey('a page explains in five sentences why to keep a checkpoint, and how to verify it', async (t) => {
  const { page, url, take, last } = await openAsAuditor(t, '/audits')
  await page.getByRole('link', { name: 'Why keep checkpoints?' }).click()
  await page.waitForURL('**/audits/checkpoints')
  await page.reload()
  await page.getByRole('heading', { name: 'Checkpoints', level: 1 }).waitFor()
  t.equal(await page.title(), 'Checkpoints – Graphstead')
  const sentences = await region(page, 'Why keep checkpoints?').locator('p').allInnerTexts()
  t.equal(sentences.length, 5)
  for (const sentence of sentences) t.match(sentence, /^[A-Z][^.!?]+\.$/, 'each paragraph is one sentence')
  const strange = /\b(?:Merkle|tree|leaf|leaves|hash|hashes|root|tile|cosign\w*|witness\w*)\b/i
  t.notMatch(sentences.join(' '), strange, 'there is no jargon')

  const [note, key] = [await take(CHECKPOINT), (await take('/management/audits/log/key')).trim()]
  const block = (name: string) => page.locator('.text-block').and(region(page, name)).locator('pre').textContent()
  const command = `graphstead audit verify ${url} --key ${key} --kept checkpoint-${last}.txt`
  await region(page, 'Verify a stored checkpoint').first().waitFor()
  t.equal(await block('Latest checkpoint'), note)
  t.equal(await block('Verifier key'), key)
  t.equal(await block('Verify a stored checkpoint'), command)
  for (const [name, value] of [
    ['Copy checkpoint', note],
    ['Copy verifier key', key],
    ['Copy command', command]
  ] as const) {
    await button(page, name).click()
    await page.getByText('Copied.').first().waitFor()
    t.equal(await clipboard(page), value, name)
  }
  t.equal((await saved(page, 'Download checkpoint')).suggestedFilename(), `checkpoint-${last}.txt`)
  await page.getByRole('link', { name: 'API documentation' }).click()
  await page.locator('[id$="-getAuditCheckpoint"]').waitFor()
  await page.goto('/audits/checkpoints')
  await page.getByRole('link', { name: 'Back to audit log' }).click()
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
})

journey('Export offers the matching events in both formats, and the browser downloads them', async (t) => {
  const { page } = await openAsAuditor(t, '/audits')
  const filters = {
    principal: 'admin',
    type: 'GRAPH_CREATED',
    targetType: 'GRAPH',
    targetId: '1',
    outcome: 'SUCCESS'
  }
  const days = { fromDate: '2026-01-01', toDate: '2126-01-01', zone: 'Europe/Berlin' }
  await page.route('**/management/activity*', (route) => route.fulfill({ json: [] }))
  await page.goto(`/audits?${new URLSearchParams({ ...filters, ...days })}&sort=id,asc&page=0&size=50`)
  await button(page, 'Export').click()
  const menu = page.getByRole('menu')
  await menu.getByText('Exports 1 event matching the current period and filters.').waitFor()
  await inspect(t, page, 'audits-export')
  for (const [name, format] of [
    ['JSONL For proofs', 'jsonl'],
    ['CSV For spreadsheets', 'csv']
  ] as const) {
    const item = menu.getByRole('menuitem', { name })
    const address = new URL((await item.getAttribute('href')) ?? '', page.url())
    t.equal(address.pathname, '/management/audits/export')
    t.same(Object.fromEntries(address.searchParams), { ...filters, ...days, format })
    const [download] = await Promise.all([page.waitForEvent('download'), item.click()])
    t.equal(download.url(), String(address), 'the browser downloads the file itself')
    t.match(download.suggestedFilename(), new RegExp(String.raw`^audit-\d+\.${format}$`))
    const lines = (await contentOf(download)).trimEnd().split(/\r?\n/)
    if (format === 'csv') lines.shift()
    t.equal(lines.length, 1, 'only the matching event is exported')
    t.match(lines[0], /GRAPH_CREATED/)
    t.match(lines[0], 'Roads')
    await button(page, 'Export').click()
  }
})

journey('without matching events, export is disabled', async (t) => {
  const { page } = await openAsAuditor(t, '/audits?principal=nobody')
  await page.getByText('No events match these filters.').waitFor()
  t.equal(await button(page, 'Export').isDisabled(), true)
})

journey('a user cannot see the log, and a former auditor is told that access is denied', async (t) => {
  const { page, as, mishaps } = await openAsAuditor(t, '/audits')
  await region(page, 'Latest checkpoint').getByText('checked at').waitFor()
  t.equal((await as('admin', 'PATCH', '/api/users/audrey', { role: 'USER' })).status, 200)
  await page.getByRole('table', { name: 'Audit log' }).getByRole('link').first().click()
  await page.getByRole('alert').getByText('You do not have permission to do this.').first().waitFor()

  for (const path of ['log/checkpoint', 'log/key', '1/proof', '1'])
    t.equal(await page.evaluate(`fetch("/management/audits/${path}").then(({ status }) => status)`), 403, path)
  for (const address of ['/audits', '/audits/checkpoints', '/audits/1']) {
    await page.goto(address)
    await page.getByText('Page not found').waitFor()
    t.equal(await page.getByText('checkpoint').count(), 0, address)
  }
  t.same([...new Set(refusalsOf(mishaps))], ['403'])
})

journey('pages report a missing checkpoint, and retry until there is one', async (t) => {
  const { page, last, mishaps } = await openAsAuditor(t, '/trash')
  let isMissing = true
  await page.route(/\/log\/(checkpoint|key)$/, (route) =>
    isMissing ? route.fulfill(refusal(503, 'not-ready', 1)) : route.continue()
  )
  await page.goto('/audits')
  const none = 'No checkpoint yet. Trying again in a moment.'
  await region(page, 'Latest checkpoint').getByText(none, { exact: true }).waitFor()
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  t.equal(await button(page, 'Copy checkpoint').count(), 0)
  await inspect(t, page, 'audits-without-checkpoint')
  isMissing = false
  await page.getByText(`Latest checkpoint: ${last} events`, { exact: true }).waitFor()

  isMissing = true
  await page.goto('/audits/checkpoints')
  await page.getByText(none, { exact: true }).waitFor()
  t.equal(await region(page, 'Why keep checkpoints?').locator('p').count(), 5)
  await inspect(t, page, 'checkpoints-without-checkpoint')
  isMissing = false
  await region(page, 'Verify a stored checkpoint').first().waitFor()
  t.equal(await page.getByText(none).count(), 0)
  t.equal(mishaps.errors.filter((error) => !/503/.test(error)).length, 0, 'nothing else went wrong')
})

journey('the log pages fit windows of any size, even with the longest origin', async (t) => {
  const { page } = await openAsAuditor(t, '/trash')
  const longest = `graphstead.audit/${'longorigin'.repeat(24)}/1`
  await page.route('**/log/checkpoint', async (route) => {
    const response = await route.fetch()
    const [, ...lines] = (await response.text()).split('\n')
    return route.fulfill({ response, body: [longest, ...lines].join('\n') })
  })
  await page.route('**/log/key', (route) => route.fulfill({ body: `${longest}+0a1b2c3d+${'A'.repeat(44)}` }))
  for (const width of [1280, 800, 390]) {
    await page.setViewportSize({ width, height: 844 })
    const check = async (what: string) => {
      await inspect(t, page, `${what}-${width}`)
      const wider = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      t.ok(wider <= 0, `${what}: nothing overflows the window`)
      const tops = await page.evaluate<number[]>(
        '[...document.querySelectorAll("header a")].map((link) => link.getBoundingClientRect().top)'
      )
      t.ok(Math.min(...tops) >= 0, `${what}: the header is fully visible`)
    }
    await page.goto('/audits/checkpoints')
    await button(page, 'Copy command').scrollIntoViewIfNeeded()
    await check('log-checkpoints')
    await page.goto('/audits')
    await region(page, 'Latest checkpoint').getByText('checked at').waitFor()
    await button(page, 'Export').click()
    await page.getByRole('menuitem', { name: 'CSV' }).waitFor()
    await check('log-export')
    await page.goto('/audits/1')
    await button(page, 'Download proof').scrollIntoViewIfNeeded()
    await check('log-proof')
  }
})

journey('sign-in, events with proofs, exports and checkpoints work by keyboard alone', async (t) => {
  const { url, settle, take } = await serveTrail(t)
  const { page, context } = await openWindow(t, await browser(), url)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const focused = () =>
    page.evaluate<string>('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 60; presses++) {
      if (name.test(await focused())) return
      await page.keyboard.press('Tab')
    }
    t.fail(`Tab does not reach ${name}`)
  }
  await page.goto('/audits')
  await page.getByLabel('Username').focus()
  await page.keyboard.type('audrey')
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  await settle()

  await page.locator('body').press('Tab')
  await tabTo(/^Export$/)
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'JSONL' }).waitFor()
  const isFocused = 'document.activeElement.textContent.startsWith("JSONL")'
  t.ok(await until(async () => Boolean(await page.evaluate(isFocused))))
  await page.keyboard.press('ArrowDown')
  t.match(await focused(), /^CSV/)
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  t.match(await focused(), /^Export$/)

  await tabTo(/^Why keep checkpoints\?$/)
  await tabTo(/^Copy checkpoint$/)
  await page.keyboard.press('Enter')
  await page.getByText('Copied.').waitFor()
  t.match(await clipboard(page), /^graphstead\.audit\//)
  await tabTo(/\d+:\d\d [AP]M$/)
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: /^Event \d+$/ })
  const id = /\d+$/.exec(page.url())?.[0]
  await dialog.getByText('Proved by a checkpoint').waitFor()
  await tabTo(/^Proof text$/)
  await tabTo(/^Copy proof$/)
  await page.keyboard.press('Space')
  const isCopied = 'navigator.clipboard.readText().then((text) => text.startsWith("c2sp.org/tlog-proof"))'
  t.ok(await until(async () => Boolean(await page.evaluate(isCopied))))
  t.equal(await clipboard(page), await take(`/management/audits/${id}/proof`))
  await tabTo(/^Download proof$/)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  t.equal(download.suggestedFilename(), `event-${id}.tlog-proof`)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })

  await page.locator('body').press('Tab')
  await tabTo(/^Why keep checkpoints\?$/)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Checkpoints', level: 1 }).waitFor()
  await tabTo(/^Copy command$/)
  await tabTo(/^Verify a stored checkpoint$/)
})
