import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { enter, journeysOf, openWindow, refusalsOf, serveTeam, signIn } from './journeys.ts'

// Sessions that end with unsaved changes.

const { browser, journey } = journeysOf(t)

/** Opens the list of graphs as admin, whose only graph is Paths. `end` ends the session from another client. */
async function openAsAdmin(t: Test) {
  const team = await serveTeam(t)
  await team.as('admin', 'POST', '/api/graphs', { name: 'Paths' })
  const { page, mishaps } = await openWindow(t, await browser(), team.url)
  const end = async () => t.equal((await team.as('admin', 'POST', '/api/account/logout')).status, 204)
  return { page, mishaps, end }
}

const kept = (page: Page) => page.getByText('Unsaved changes are kept in this window. Sign in as admin').waitFor()

journey('a session that ends during an upload keeps the typed text', async (t) => {
  const { page, mishaps, end } = await openAsAdmin(t)
  await page.goto('/graphs')
  await signIn(page, 'admin')
  await page.getByRole('button', { name: 'New graph' }).click()
  const dialog = page.getByRole('dialog', { name: 'New graph' })
  // The dialog focuses the name once it has opened.
  await dialog.getByLabel(/^Name/).and(page.locator(':focus')).waitFor()
  await dialog.getByLabel(/^Name/).fill('Rails')
  await dialog.getByLabel('Description').fill('Written for an hour.')
  await end()
  await dialog.getByRole('textbox', { name: 'Or an edge table' }).fill('source,target\na,b\n')
  await kept(page)
  await enter(page, 'admin', PASSWORD)
  await page.getByRole('button', { name: 'Account menu for admin', includeHidden: true }).waitFor()
  await dialog.waitFor()
  t.equal(await dialog.getByLabel(/^Name/).inputValue(), 'Rails')
  t.equal(await dialog.getByLabel('Description').inputValue(), 'Written for an hour.')
  t.equal(await dialog.getByRole('textbox', { name: 'Or an edge table' }).inputValue(), 'source,target\na,b\n')
  await dialog.getByText('2 nodes, 1 edge').waitFor()
  t.equal(await dialog.getByRole('alert').count(), 0, 'the error has disappeared')
  t.equal(await dialog.getByRole('button', { name: 'Create' }).isEnabled(), true)
  t.same([...new Set(refusalsOf(mishaps))], ['401'])
})

journey('the typed text survives Escape in the sign-in form and a long absence', async (t) => {
  const { page, mishaps, end } = await openAsAdmin(t)
  await page.clock.install()
  await page.goto('/graphs/1')
  await signIn(page, 'admin')
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Edit name and description' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit name and description' })
  await dialog.getByLabel('Description').fill('Written for an hour.')
  await end()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await kept(page)
  t.equal(await dialog.count(), 0, 'the dialog below is hidden from screen readers as well')
  t.equal(await page.getByRole('button', { name: 'Account menu for admin' }).count(), 0, 'the pages are hidden')
  await page.getByLabel('Username').press('Escape')
  // Longer than the cache keeps unused data.
  await page.clock.fastForward('10:00')
  await enter(page, 'admin', PASSWORD)
  await dialog.waitFor()
  t.equal(await dialog.getByLabel('Description').inputValue(), 'Written for an hour.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Graphs', exact: true }).click()
  await page.getByText('Written for an hour.').waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['401'])
})
