import { join } from 'node:path'
import t, { type Test } from 'tap'
import { freePort } from '../../bench/ports.ts'
import { startProvider } from '../sign-in/provider.ts'
import { PASSWORD } from '../support/helper.ts'
import { serveProgram } from '../support/program.ts'
import { enter, journeysOf, openWindow, refusalsOf, seriousFindings } from './journeys.ts'

// Signing in with an identity provider as a user does.

const { browser, journey } = journeysOf(t)

/** Opens a window for a person known to the identity provider of the server. */
async function openAt(t: Test, person?: string) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const folder = t.testdir({ data: {} })
  const provider = await startProvider(t, url, folder)
  await serveProgram(t, join(folder, 'data'), ['--port', String(port), ...provider.args])
  const { page, mishaps } = await openWindow(t, await browser(), url)
  if (person !== undefined) await page.context().addCookies([{ name: 'person', value: person, url: provider.issuer }])
  /** Returns whether all requests to other hosts went to the provider. */
  const onlyThere = () => mishaps.elsewhere.every((address) => address.startsWith(`${provider.issuer}/`))
  return { page, mishaps, url, onlyThere }
}

journey('a person signs in with the provider, returns to the page, and cannot unlink it', async (t) => {
  const { page, mishaps, url, onlyThere } = await openAt(t, 'eve')
  await page.goto('/trash?sort=name')
  const button = page.getByRole('link', { name: 'Sign in with Example Lab' })
  await button.waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Account menu for eve' }).waitFor()
  t.equal(page.url(), `${url}/trash?sort=name`)
  await page.goto('/account')
  await page.getByText('You can sign in with your identity provider.').waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await page.getByRole('button', { name: 'New token' }).click()
  const making = page.getByRole('dialog', { name: 'New token' })
  await making.getByLabel('Name').fill('push')
  await making.getByLabel('Change graphs').check()
  t.equal(await making.getByLabel(/^Current password/).count(), 0, 'a recent sign-in needs no password')
  await making.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('dialog', { name: 'Token created' }).getByRole('button', { name: 'Close' }).last().click()
  await page.getByRole('button', { name: 'Unlink account' }).click()
  await page.getByText('The user has no other way to sign in.').waitFor()
  t.match(mishaps.errors, [/409/], 'only the unlinking was refused')
  t.ok(onlyThere())
})

journey('a user links the account, which the list of users shows, and unlinks it', async (t) => {
  const { page, mishaps, url, onlyThere } = await openAt(t, 'somebody')
  await page.goto('/account')
  await enter(page, 'admin', PASSWORD)
  await page.getByRole('button', { name: 'Link account', exact: true }).click()
  const form = page.locator('form', { has: page.getByRole('button', { name: 'Link account', exact: true }) })
  await form.getByLabel(/^Current password/).fill('another battery')
  await form.getByRole('button', { name: 'Link account', exact: true }).click()
  await form.getByRole('alert').waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await form.getByLabel(/^Current password/).fill(PASSWORD)
  await form.getByRole('button', { name: 'Link account', exact: true }).click()
  await page.getByText('You can sign in with your identity provider.').waitFor()
  t.equal(page.url(), `${url}/account`)
  await page.goto('/users')
  await page
    .getByRole('row', { name: /^admin/ })
    .getByText('linked')
    .waitFor()
  await page.goto('/account')
  await page.getByRole('button', { name: 'Unlink account' }).click()
  await page.getByText('Link your account to sign in with your identity provider.').waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['400'])
  t.ok(onlyThere())
})

journey('the sign-in page explains a failed sign-in at the provider', async (t) => {
  const { page, url, onlyThere } = await openAt(t)
  await page.goto('/graphs')
  await page.getByRole('link', { name: 'Sign in with Example Lab' }).click()
  await page.getByRole('alert').getByText('Your identity provider did not sign you in.').waitFor()
  t.equal(page.url(), `${url}/sign-in?error=sign-in-refused`)
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await page.goto('/sign-in?error=__proto__')
  await page.getByRole('alert').getByText('Sign-in failed. Try again.').waitFor()
  await enter(page, 'admin', PASSWORD)
  await page.waitForURL('/graphs')
  t.ok(onlyThere())
})
