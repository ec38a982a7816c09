import t, { type Test } from 'tap'
import { journeysOf, openAs, openWindow, refusalsInSession, refusalsOf, serveTeam, signIn } from './journeys.ts'

// Pages that fail to load, concurrent changes, ended sessions and paging.

const { browser, journey } = journeysOf(t)

/** Opens the list of graphs as admin. */
async function openAsAdmin(t: Test) {
  const team = await serveTeam(t)
  const window = await openAs(t, browser(), team.url, 'admin')
  const go = (name: string) => window.page.getByRole('link', { name, exact: true }).click()
  return { ...team, ...window, go }
}

const auditsCode = /\/assets\/audits-page/

journey('a page that fails to load offline can be retried, and other pages still work', async (t) => {
  const { page, context, go, mishaps } = await openAsAdmin(t)
  await page.getByText('No graphs yet').waitFor()
  await context.setOffline(true)
  await go('Audit log')
  await page.getByText('No connection to the server').waitFor()
  await context.setOffline(false)
  await go('Graphs')
  await page.getByText('No graphs yet').waitFor()
  await go('Audit log')
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_INTERNET_DISCONNECTED'])
})

journey('a page whose file was renamed by a server upgrade reloads the app once', async (t) => {
  const { page, go, mishaps } = await openAsAdmin(t)
  let requests = 0
  await page.route(auditsCode, (route) => {
    requests++
    return requests === 1 ? route.fulfill({ status: 404 }) : route.continue()
  })
  await go('Audit log')
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  t.equal(requests, 2)
  t.same([...new Set(refusalsOf(mishaps))], ['404'])
})

journey('a permanently missing page shows an error, without repeated reloads of the app', async (t) => {
  const { page, go, mishaps } = await openAsAdmin(t)
  let requests = 0
  await page.route(auditsCode, (route) => {
    requests++
    return route.fulfill({ status: 404 })
  })
  await go('Audit log')
  const alert = page.getByRole('alert').filter({ hasText: 'This page could not be loaded.' })
  await alert.waitFor()
  t.equal(requests, 2)
  await go('Trash')
  await page.getByText('The trash is empty').waitFor()
  await go('Audit log')
  await alert.waitFor()
  await page.unroute(auditsCode)
  await alert.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('table', { name: 'Audit log' }).waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['404'])
})

journey('an edit keeps changes made by someone else, and asks about fields that both have changed', async (t) => {
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

journey('an ended session is reported, and the next sign-in returns to the same page', async (t) => {
  const { url } = await serveTeam(t)
  const { page, context, mishaps } = await openWindow(t, await browser(), url)
  await context.addCookies([{ name: 'graphstead_session', value: 'ended', url }])
  await page.goto('/trash')
  await page.getByText('Your session has expired or was ended elsewhere.').waitFor()
  await signIn(page, 'admin')
  await page.getByText('The trash is empty').waitFor()
  await page.getByRole('button', { name: 'Account menu for admin' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username').waitFor()
  t.equal(
    await page.getByText('Your session has expired or was ended elsewhere.').count(),
    0,
    'signing out shows no such message'
  )
  t.same(refusalsInSession(mishaps), [])
})

journey('Back returns to the previous page of a list, and a page past the end shows the last page', async (t) => {
  const { page, as } = await openAsAdmin(t)
  for (let number = 1; number <= 51; number++) await as('admin', 'POST', '/api/graphs', { name: `Graph ${number}` })
  await page.goto('/graphs')
  await page.getByText('1–20 of 51').waitFor()
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await page.getByText('21–40 of 51').waitFor()
  await page.getByRole('button', { name: 'Page 3', exact: true }).click()
  await page.getByText('41–51 of 51').waitFor()
  await page.goBack()
  await page.getByText('21–40 of 51').waitFor()
  await page.goBack()
  await page.getByText('1–20 of 51').waitFor()
  t.equal(new URL(page.url()).search, '')

  await page.goto('/graphs?page=99')
  await page.getByText('41–51 of 51').waitFor()
  t.equal(new URL(page.url()).search, '?page=2')
})

journey('an action that cannot reach the server shows an error until the next attempt', async (t) => {
  const { page, as, mishaps } = await openAsAdmin(t)
  await as('admin', 'POST', '/api/graphs', { name: 'Paths' })
  await page.goto('/graphs')
  await page.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await page.route('**/api/graphs/1', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Move to trash' }).click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('Cannot reach the server.').waitFor()
  // A change in another tab triggers another response.
  await as('admin', 'POST', '/api/graphs', { name: 'Roads' })
  await page.evaluate('new BroadcastChannel("graphstead").postMessage("changed")')
  await page.locator('table').getByText('Roads').waitFor()
  t.equal(await alert.isVisible(), true)
  await page.unroute('**/api/graphs/1')
  await dialog.getByRole('button', { name: 'Move to trash' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_FAILED'])
})

journey('a tab shows the changes of another tab', async (t) => {
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
  t.same(await page.evaluate('told'), ['changed'], 'the import is announced, and the download is not')
})
