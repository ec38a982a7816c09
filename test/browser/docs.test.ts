import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { login, serveProgram } from '../support/program.ts'
import { inspect, journeysOf, openAs, openWindow, picture, serveTeam } from './journeys.ts'

// The API and help pages in a real browser, under their Content-Security-Policy.

const { browser } = journeysOf(t)

/** Returns the policy violations of a page, one per line. */
async function refusalsOf(page: Page) {
  const refused: string[] = []
  await page.exposeFunction('refuse', (line: string) => refused.push(line))
  await page.addInitScript({
    content: `document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      refuse(effectiveDirective + ' ' + blockedURI))`
  })
  return refused
}

t.test('/docs lists, shows and tries out operations under a policy without unsafe sources', async (t) => {
  const { url } = await serveProgram(t, join(t.testdir({}), 'data'))
  const token = await login(url)
  const { page, mishaps } = await openWindow(t, await browser(), url)
  const refused = await refusalsOf(page)
  const answer = await page.goto('/docs')
  const policy = answer?.headers()['content-security-policy'] ?? ''
  t.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/)
  t.notMatch(policy, /unsafe|https?:|\*/)

  const operation = (id: string) => page.locator(`[id$="-${id}"]`)
  await operation('createGraph').waitFor()
  t.ok((await page.locator('.opblock').count()) > 30, 'all operations are listed')

  await page.getByRole('button', { name: 'Authorize' }).first().click()
  const dialog = page.locator('.dialog-ux')
  await dialog.getByLabel('auth-bearer-value').fill(token)
  await dialog.getByRole('button', { name: 'Apply credentials' }).first().click()
  await dialog.getByRole('button', { name: 'Close' }).first().click()

  await operation('createGraph').locator('.opblock-summary').click()
  await operation('createGraph').getByRole('button', { name: 'Try it out' }).click()
  await operation('createGraph').locator('textarea').first().fill('{"name": "From the page"}')
  await operation('createGraph').getByRole('button', { name: 'Execute' }).click()
  const reply = operation('createGraph').locator('.live-responses-table')
  await reply.getByText('201', { exact: true }).first().waitFor()
  t.match(await reply.innerText(), /"name": "From the page"/)
  await picture(page, 'docs')

  t.same(refused, [], 'the policy blocked nothing')
  t.same(mishaps, { errors: [], elsewhere: [] })

  await page.evaluate(`new Promise((refused) => {
    document.addEventListener('securitypolicyviolation', refused, { once: true })
    document.body.insertAdjacentHTML('beforeend', '<p style="color: red">red</p>')
  }).then(() => {})`)
  t.same(refused, ['style-src-attr inline'], 'the policy blocks violations, and the test detects them')
})

t.test('/help opens from the header, is searched by keyboard, and has light and dark modes', async (t) => {
  const { url } = await serveTeam(t, 'ada')
  const ada = await openAs(t, browser(), url, 'ada')
  const help = ada.page.getByRole('link', { name: 'Help', exact: true })
  await help.waitFor()
  for (const open of [() => help.click(), () => ada.page.keyboard.press('Shift+?')]) {
    const [opened] = await Promise.all([ada.context.waitForEvent('page'), open()])
    await opened.getByRole('heading', { level: 1, name: 'How do I …' }).waitFor()
    t.equal(opened.url(), `${url}/help/`)
    await opened.getByRole('navigation', { name: 'Web app' }).getByRole('link', { name: 'Trash' }).click()
    await opened.getByText('The trash is empty').waitFor()
  }
  t.same(ada.mishaps, { errors: [], elsewhere: [] })

  const { page, mishaps } = await openWindow(t, await browser(), url, { colorScheme: 'light' })
  const refused = await refusalsOf(page)
  await page.goto('/help/')
  await inspect(t, page, 'help')
  await page.keyboard.press('/')
  await page.keyboard.type('backup')
  const results = page.locator('search').getByRole('listitem')
  await results.first().waitFor()
  t.equal(await results.first().locator('mark').first().innerText(), 'backup', 'matched words are highlighted')
  await inspect(t, page, 'help-search')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/help\/backup\.html/)
  const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]')
  t.equal(await current.innerText(), await page.getByRole('heading', { level: 1 }).innerText())
  await inspect(t, page, 'help-page')

  const back = () => page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  const light = await back()
  await page.getByRole('button', { name: 'Dark mode' }).click()
  t.not(await back(), light)
  await page.reload()
  t.not(await back(), light, 'the choice of theme is kept')
  await inspect(t, page, 'help-dark')
  await page.getByRole('button', { name: 'Light mode' }).click()
  t.equal(await back(), light)

  await page.setViewportSize({ width: 360, height: 740 })
  for (const name of ['', 'configure.html', 'formats.html', 'lost.html']) {
    await page.goto(`/help/${name}`)
    const width = await page.evaluate<number>('document.documentElement.scrollWidth')
    t.ok(width <= 360, `${name} is ${width} pixels wide on a phone`)
    await inspect(t, page, `help-phone-${name}`)
  }
  t.same(refused, [], 'the policy blocked nothing')
  t.same(mishaps.elsewhere, [])
  t.match(mishaps.errors, [/404/], 'the only error is that of the missing page')
})
