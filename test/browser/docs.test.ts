import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { login, serveProgram } from '../support/program.ts'
import { journeysOf, openWindow, picture } from './journeys.ts'

// The API page in a real browser, under its Content-Security-Policy.

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

t.test('/docs lists operations, shows and tries them, by a policy without anything unsafe', async (t) => {
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

  t.same(refused, [], 'the policy had nothing to refuse')
  t.same(mishaps, { errors: [], elsewhere: [] })

  await page.evaluate(`new Promise((refused) => {
    document.addEventListener('securitypolicyviolation', refused, { once: true })
    document.body.insertAdjacentHTML('beforeend', '<p style="color: red">red</p>')
  }).then(() => {})`)
  t.same(refused, ['style-src-attr inline'], 'it does refuse violations, and the test detects them')
})
