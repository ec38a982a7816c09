import t, { type Test } from 'tap'
import { journeysOf, openAs, openWindow, refusalsInSession, refusalsOf, serveTeam, signIn } from './journeys.ts'

// Pages that fail to load, changes by others meanwhile, sessions that end, and pages of lists.

const { browser, journey } = journeysOf(t)

/** Opens the list of graphs as admin. */
async function openAsAdmin(t: Test) {
  const team = await serveTeam(t)
  const window = await openAs(t, browser(), team.url, 'admin')
  const go = (name: string) => window.page.getByRole('link', { name, exact: true }).click()
  return { ...team, ...window, go }
}

const auditsCode = /\/assets\/audits-page/

journey('a page that cannot be loaded offline leaves the others alone, and can be tried again', async (t) => {
  const { page, context, go, mishaps } = await openAsAdmin(t)
  await page.getByText('No graphs yet').waitFor()
  await context.setOffline(true)
  await go('Audits')
  await page.getByRole('alert').getByText('The server cannot be reached.').first().waitFor()
  await context.setOffline(false)
  await go('Graphs')
  await page.getByText('No graphs yet').waitFor()
  await go('Audits')
  await page.getByRole('table', { name: 'Audits' }).waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_INTERNET_DISCONNECTED'])
})

journey('a page that an upgraded server has under another name loads the app again, once', async (t) => {
  const { page, go, mishaps } = await openAsAdmin(t)
  let requests = 0
  await page.route(auditsCode, (route) => {
    requests++
    return requests === 1 ? route.fulfill({ status: 404 }) : route.continue()
  })
  await go('Audits')
  await page.getByRole('table', { name: 'Audits' }).waitFor()
  t.equal(requests, 2)
  t.same([...new Set(refusalsOf(mishaps))], ['404'])
})

journey('a page that is always missing says so, and does not load the app again and again', async (t) => {
  const { page, go, mishaps } = await openAsAdmin(t)
  let requests = 0
  await page.route(auditsCode, (route) => {
    requests++
    return route.fulfill({ status: 404 })
  })
  await go('Audits')
  const alert = page.getByRole('alert').filter({ hasText: 'This page could not be loaded from the server.' })
  await alert.waitFor()
  t.equal(requests, 2)
  await go('Trash')
  await page.getByText('The trash is empty').waitFor()
  await go('Audits')
  await alert.waitFor()
  await page.unroute(auditsCode)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Audits' }).waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['404'])
})

journey('an edit keeps the changes of others, and asks where both have changed a field', async (t) => {
  const { page, as, mishaps } = await openAsAdmin(t)
  await as('admin', 'POST', '/api/graphs', { name: 'Paths', description: 'Old.' })
  const stored = async () => {
    const { name, type, description } = (await as('admin', 'GET', '/api/graphs/1')).body
    return { name, type, description }
  }
  await page.goto('/graphs/1')
  const dialog = page.getByRole('dialog')
  const save = () => dialog.getByRole('button', { name: 'Save' }).click()
  const edit = async () => {
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Edit name and description' }).click()
  }

  await edit()
  await dialog.getByLabel(/^Name/).fill('Roads')
  await as('admin', 'PATCH', '/api/graphs/1', { description: 'Theirs.' })
  await save()
  await dialog.getByText('Theirs: Theirs.').waitFor()
  t.equal(await dialog.getByLabel('Theirs: Theirs.').isChecked(), true)
  t.equal(await dialog.getByLabel('Yours: Old.').isChecked(), false)
  t.same(await stored(), { name: 'Paths', type: undefined, description: 'Theirs.' }, 'nothing is saved yet')
  await save()
  await dialog.waitFor({ state: 'detached' })
  t.same(await stored(), { name: 'Roads', type: undefined, description: 'Theirs.' }, 'both changes are kept')

  await edit()
  await dialog.getByLabel(/^Name/).fill('Tracks')
  await dialog.getByLabel(/^Type/).fill('map')
  await as('admin', 'PATCH', '/api/graphs/1', { name: 'Rails' })
  await save()
  await dialog.getByText('Theirs: Rails').waitFor()
  await save()
  t.same(await stored(), { name: 'Rails', type: undefined, description: 'Theirs.' }, 'the user has to choose')
  await dialog.getByLabel('Yours: Tracks').check()
  await save()
  await dialog.waitFor({ state: 'detached' })
  t.same(await stored(), { name: 'Tracks', type: 'map', description: 'Theirs.' })
  t.match(mishaps.errors, [/409/, /409/], 'nothing else went wrong')
})

journey('a session that has ended says so, and the next one goes on at the same page', async (t) => {
  const { url } = await serveTeam(t)
  const { page, context, mishaps } = await openWindow(t, await browser(), url)
  await context.addCookies([{ name: 'graphstead_session', value: 'ended', url }])
  await page.goto('/trash')
  await page.getByText('Your session has ended').waitFor()
  await signIn(page, 'admin')
  await page.getByText('The trash is empty').waitFor()
  await page.getByRole('button', { name: 'Account of admin' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username').waitFor()
  t.equal(await page.getByText('Your session has ended').count(), 0, 'not after signing out')
  t.same(refusalsInSession(mishaps), [])
})

journey('Back returns to the page of a list; a page beyond the end becomes the last one', async (t) => {
  const { page, as } = await openAsAdmin(t)
  for (let number = 1; number <= 51; number++) await as('admin', 'POST', '/api/graphs', { name: `Graph ${number}` })
  await page.goto('/graphs')
  await page.getByText('1 to 20 of 51').waitFor()
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await page.getByText('21 to 40 of 51').waitFor()
  await page.getByRole('button', { name: 'Page 3', exact: true }).click()
  await page.getByText('41 to 51 of 51').waitFor()
  await page.goBack()
  await page.getByText('21 to 40 of 51').waitFor()
  await page.goBack()
  await page.getByText('1 to 20 of 51').waitFor()
  t.equal(new URL(page.url()).search, '')

  await page.goto('/graphs?page=99')
  await page.getByText('41 to 51 of 51').waitFor()
  t.equal(new URL(page.url()).search, '?page=2')
})

journey('an action that did not reach the server says so until the next try', async (t) => {
  const { page, as, mishaps } = await openAsAdmin(t)
  await as('admin', 'POST', '/api/graphs', { name: 'Paths' })
  await page.goto('/graphs')
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await page.route('**/api/graphs/1', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Move to trash' }).click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('The server cannot be reached.').waitFor()
  // Another answer, here because of a change by another tab.
  await as('admin', 'POST', '/api/graphs', { name: 'Roads' })
  await page.evaluate('new BroadcastChannel("graphstead").postMessage("changed")')
  await page.locator('table').getByText('Roads').waitFor()
  t.equal(await alert.isVisible(), true)
  await page.unroute('**/api/graphs/1')
  await dialog.getByRole('button', { name: 'Move to trash' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_FAILED'])
})

journey('a tab shows what another tab has changed', async (t) => {
  const { page, context, url } = await openAsAdmin(t)
  await page.getByText('No graphs yet').waitFor()
  const other = await context.newPage()
  await other.goto(url)
  await other.getByRole('button', { name: 'New graph' }).click()
  await other.getByLabel(/^Name/).fill('From elsewhere')
  await other.getByRole('dialog').getByRole('button', { name: 'Create' }).click()
  await page.getByRole('link', { name: 'From elsewhere' }).waitFor()

  await page.evaluate('told = []; new BroadcastChannel("graphstead").onmessage = ({ data }) => told.push(data)')
  await other.goto(`${url}/graphs/1`)
  await other.getByRole('button', { name: 'Download' }).click()
  const download = other.waitForEvent('download')
  await other.getByRole('menuitem', { name: /^GraphML/ }).click()
  await download
  await other.goto(`${url}/graphs`)
  await other.getByRole('button', { name: 'Import' }).first().click()
  const dialog = other.getByRole('dialog', { name: 'Import graphs' })
  const file = { name: 'Imported.csv', mimeType: 'text/csv', buffer: Buffer.from('source,target\na,b\n') }
  await dialog.locator('input[type=file]').setInputFiles([file])
  await dialog.getByRole('button', { name: 'Import 1 graph' }).click()
  await page.getByRole('link', { name: 'Imported' }).waitFor()
  t.same(await page.evaluate('told'), ['changed'], 'the import, and not the download')
})
