import type { Route } from 'playwright-core'
import t from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { serveProgram } from '../support/program.ts'
import {
  act,
  enter,
  inspect,
  journeysOf,
  openAs,
  openWindow,
  pick,
  refusalsInSession,
  refusalsOf,
  serveTeam,
  signIn
} from './journeys.ts'

// Accounts, the audit log, and errors such as wrong passwords, ended sessions and unreachable servers.

const { browser, journey } = journeysOf(t)

journey('an administrator creates a user, changes the role, resets the password, disables and deletes', async (t) => {
  const { url, as } = await serveTeam(t)
  const { page, mishaps } = await openAs(t, browser(), url, 'admin', '/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Username/).fill('eve')
  await dialog.getByRole('radio', { name: 'Choose it now' }).check()
  await dialog.getByLabel(/^Password/).fill('evening star over')
  await dialog.getByText('They must choose a new one when they first sign in.').waitFor()
  const own = dialog.getByLabel(/^Your password/)
  await own.fill('a guess of mine')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').getByText('Your password').waitFor()
  await inspect(t, page, 'new-user')
  await own.fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.match((await as('admin', 'GET', '/api/users/eve')).body, { role: 'USER', enabled: true })

  const eve = await openWindow(t, await browser(), url)
  await eve.page.goto('/trash')
  await enter(eve.page, 'eve', 'evening star over')
  const asked = eve.page.getByRole('heading', { name: 'Choose a new password' })
  await asked.waitFor()
  await inspect(t, eve.page, 'given-password')
  for (const address of ['/graphs', '/graphs/1', '/account', '/']) {
    await eve.page.goto(address)
    await asked.waitFor()
    t.equal(await eve.page.getByRole('banner').count(), 0, `${address} does not get round it`)
  }
  t.equal(await eve.page.evaluate('fetch("/api/graphs").then(({ status }) => status)'), 403, 'nor does the API')
  const change = async (current: string, next: string) => {
    await eve.page.getByLabel(/^Current password/).fill(current)
    await eve.page.getByLabel(/^New password/).fill(next)
    await eve.page.getByRole('button', { name: 'Change password' }).click()
  }
  await eve.page.goto('/trash')
  await change('evening star over', 'evening star over')
  await eve.page.getByText('must differ from the current password').waitFor()
  await change('evening star over', 'night and no star')
  await eve.page.getByText('The trash is empty').waitFor()
  t.pass('she lands on the page that she asked for, without signing in again')
  t.same(refusalsOf(eve.mishaps), ['403', '400'], 'what was refused, and nothing else')
  await eve.page.getByRole('button', { name: 'Account menu for eve' }).click()
  await eve.page.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(eve.page, 'eve', 'night and no star')
  t.equal(await eve.page.getByRole('link', { name: 'Users' }).count(), 0)
  await eve.page.goto('/users')
  await eve.page.getByText('Page not found').waitFor()

  await act(page, 'eve', 'Change role')
  t.equal(await own.count(), 0, 'only a gain takes the password')
  await pick(dialog.getByRole('combobox', { name: 'Role' }), 'Auditor')
  await own.fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.equal((await as('admin', 'GET', '/api/users/eve')).body.role, 'AUDITOR')

  await act(page, 'eve', 'Reset password')
  await dialog.getByLabel(/^Password/).fill('password1234')
  await own.fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The new password was not accepted.').waitFor()
  await dialog.getByLabel(/^Password/).fill('morning star over')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  await eve.page.goto('/graphs')
  await eve.page.getByLabel('Username').waitFor()
  t.pass('her session has ended')
  await enter(eve.page, 'eve', 'morning star over')
  await asked.waitFor()
  await change('morning star over', 'noon and no star')
  await eve.page.getByRole('link', { name: 'Audit log' }).waitFor()

  await act(page, 'eve', 'Disable')
  await page.getByText('Disabled', { exact: true }).waitFor()
  await eve.page.getByRole('link', { name: 'Trash' }).click()
  await eve.page.getByLabel('Username').waitFor()
  t.pass('and again, without a reload')
  await act(page, 'eve', 'Enable')
  await dialog.getByText('The user can sign in again, with the role Auditor.').waitFor()
  await own.fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Enable' }).click()
  await page.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' })
  t.equal((await as('admin', 'GET', '/api/users/eve')).body.enabled, true)

  await act(page, 'eve', 'Delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('eve', { exact: true }).waitFor({ state: 'detached' })
  t.equal((await as('admin', 'GET', '/api/users/eve')).status, 404)

  await act(page, 'admin', 'Disable')
  await page.getByText('The last administrator cannot be removed.').waitFor()
  t.match(refusalsOf(mishaps), ['400', '400', '409'], 'what was refused, and nothing else')
})

journey('a password change ends all other sessions', async (t) => {
  const { url } = await serveTeam(t, 'ada')
  const [here, there] = [await openWindow(t, await browser(), url), await openWindow(t, await browser(), url)]
  for (const { page } of [here, there]) {
    await page.goto('/account')
    await signIn(page, 'ada')
  }
  const { page } = here
  await page.getByLabel(/^Current password/).fill('not this one')
  await page.getByLabel(/^New password/).fill('difference engine')
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('The current password is incorrect.').waitFor()
  await page.getByLabel(/^Current password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Password changed.').waitFor()
  await page.getByRole('link', { name: 'Graphs', exact: true }).click()
  await page.getByText('No graphs yet').waitFor()
  await there.page.getByRole('link', { name: 'Graphs', exact: true }).click()
  await there.page.getByLabel('Username').waitFor()

  await page.getByRole('button', { name: 'Account menu for ada' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Username').waitFor()
  t.same(
    (await here.context.cookies()).filter(({ value }) => value).map(({ name }) => name),
    ['graphstead_device']
  )
  await page.reload()
  await page.getByLabel('Username').waitFor()
  t.same([...new Set(refusalsOf(here.mishaps))], ['400'])
  t.same([...new Set(refusalsOf(there.mishaps))], ['401'])
})

journey('signing in as another user in one window changes the user in the others', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', { name: 'Ada’s own' })
  const { page, context, mishaps } = await openAs(t, browser(), url, 'ada')
  await page.getByRole('link', { name: 'Ada’s own' }).waitFor()
  const other = await context.newPage()
  await other.goto('/')
  await other.getByRole('button', { name: 'Account menu for ada' }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  await signIn(other, 'bob')
  await page.evaluate('dispatchEvent(new Event("visibilitychange"))')
  await page.getByRole('button', { name: 'Account menu for bob' }).waitFor()
  await page.getByText('No graphs yet').waitFor()
  t.equal(await page.getByText('Ada’s own').count(), 0)
  t.same(refusalsInSession(mishaps), [])
})

journey('events are filtered by type, outcome and day', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob', 'audrey')
  await as('ada', 'POST', '/api/graphs', { name: 'One' })
  await as('bob', 'GET', '/management/audits')
  const { page } = await openAs(t, browser(), url, 'audrey', '/audits')
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await rows.nth(5).waitFor()
  const filter = async (name: string, option: string) => {
    await pick(page.getByRole('combobox', { name, exact: true }), option)
  }
  await filter('Outcome', 'Denied')
  await rows.nth(2).waitFor({ state: 'detached' })
  t.match(await rows.nth(1).innerText(), /bob\s+Access denied/)
  await filter('Event', 'Graph created')
  await page.getByText('No events match these filters.').waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await page.getByLabel('User', { exact: true }).fill('ada')
  await page.waitForURL(/principal=ada/)
  await page.getByText(/^2 events/).waitFor()
  await page.getByRole('button', { name: /: 2 events$/ }).click()
  await page.waitForURL(/fromDate=(\d{4}-\d\d-\d\d)&toDate=\1/)
  await page.getByText('1–2 of 2').waitFor()

  await page.getByRole('button', { name: 'Period' }).click()
  await page.getByRole('button', { name: 'Next month' }).first().waitFor()
  await inspect(t, page, 'audits-range')
  await page.keyboard.press('Escape')
})

journey('the app reports a wrong password, and throttling after too many', async (t) => {
  const { url } = await serveTeam(t, 'ada')
  const { page, mishaps } = await openWindow(t, await browser(), url)
  await page.goto('/')
  await page.getByLabel('Username').fill('ada')
  for (let attempt = 0; attempt < 12; attempt++) {
    await page.getByLabel(/^Password/).fill(`wrong ${attempt}`)
    const answer = page.waitForResponse(/api\/session/)
    await page.getByRole('button', { name: 'Sign in' }).click()
    if ((await answer).status() === 429) break
    await page.getByText('Incorrect username or password.').waitFor()
  }
  await page.getByText('Too many attempts.').waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['401', '429'])
})

journey('the app shows within three seconds that the server has stopped, and reconnects', async (t) => {
  const data = t.testdir({ data: {} })
  const first = await serveProgram(t, data)
  const port = new URL(first.url).port
  const { page, mishaps } = await openAs(t, browser(), first.url, 'admin')
  const banner = page.getByRole('status').filter({ hasText: 'No connection to the server' })
  const retry = banner.getByRole('button', { name: 'Try again' })
  await page.getByText('No graphs yet').waitFor()
  let checks = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/healthz')) checks++
  })
  await first.stop()
  await page.getByRole('link', { name: 'Trash' }).click()
  await banner.waitFor({ timeout: 3000 })
  await page.getByRole('heading', { level: 1, name: 'This page could not be loaded.' }).waitFor()
  t.equal(await page.getByText('Cannot reach the server.').count(), 0, 'the banner says it once')
  await inspect(t, page, 'offline')
  // The next automatic check follows four seconds after the third one.
  while (checks < 3) await page.waitForTimeout(100)
  const check = page.waitForRequest('**/healthz', { timeout: 1500 })
  await retry.press('Enter')
  await check
  t.ok(await banner.isVisible())
  await serveProgram(t, data, ['--port', port])
  await page.getByText('The trash is empty').waitFor()
  await banner.waitFor({ state: 'detached' })
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_CONNECTION_REFUSED'])
})

journey(
  'a proxy that cannot reach the server counts as a lost connection; a slow or broken request does not',
  async (t) => {
    const { url } = await serveTeam(t, 'ada')
    const { page, mishaps } = await openAs(t, browser(), url, 'ada')
    const banner = page.getByText('No connection to the server')
    await page.getByText('No graphs yet').waitFor()

    await page.route('**/api/trash?*', (route) => route.abort())
    await page.getByRole('link', { name: 'Trash' }).click()
    await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
    t.equal(await banner.count(), 0, 'the health check succeeds')
    await page.unroute('**/api/trash?*')

    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route('**/api/trash?*', (route) => released.then(() => route.continue()))
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click()
    await page.waitForTimeout(3500)
    t.equal(await banner.count(), 0, 'the request is slow')
    release()
    await page.getByText('The trash is empty').waitFor()

    const badGateway = (route: Route) => route.fulfill({ status: 502, body: 'Bad Gateway' })
    await page.route(/\/(api\/.*|healthz)$/, badGateway)
    await page.route('**/api/graphs?*', badGateway)
    await page.waitForTimeout(1500)
    await page.getByRole('link', { name: 'Graphs', exact: true }).click()
    await banner.waitFor({ timeout: 3000 })
    await page.unrouteAll()
    await banner.waitFor({ state: 'detached' })
    t.same([...new Set(refusalsOf(mishaps))].toSorted(), ['502', 'net::ERR_FAILED'])
  }
)

journey('the app reports that signing out has failed', async (t) => {
  const { url } = await serveTeam(t, 'ada')
  const { page, mishaps } = await openAs(t, browser(), url, 'ada')
  await page.route('**/api/session', (route) =>
    route.request().method() === 'DELETE' ? route.abort() : route.continue()
  )
  const signOut = async () => {
    await page.getByRole('button', { name: 'Account menu for ada' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  await signOut()
  await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
  await page.unroute('**/api/session')
  await signOut()
  await page.getByLabel(/^Password/).waitFor()
  t.pass('the second attempt succeeds')
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_FAILED'])
})

journey('graphs are renamed, found, deleted and restored', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  for (const name of ['Zebra', 'Apple', 'Mango'])
    await as('ada', 'POST', '/api/graphs', { name, type: name === 'Mango' ? 'fruit' : null })
  await as('bob', 'POST', '/api/graphs', { name: 'Shared by Bob', shared: true })
  const { page } = await openAs(t, browser(), url, 'ada')
  const table = page.getByRole('table', { name: 'Graphs' })
  const names = async () => table.getByRole('link').allInnerTexts()
  await table.getByRole('link', { name: 'Zebra' }).waitFor()
  await table.getByRole('button', { name: 'Name' }).click()
  await page.waitForURL(/sort=name/)
  await page.waitForTimeout(300)
  t.same(await names(), ['Apple', 'Mango', 'Shared by Bob', 'Zebra'])
  await page.getByRole('radiogroup').getByText('Mine').click()
  await table.getByRole('link', { name: 'Shared by Bob' }).waitFor({ state: 'detached' })
  t.same(await names(), ['Apple', 'Mango', 'Zebra'])
  await page.getByRole('combobox', { name: 'Search graphs and nodes' }).fill('ang')
  await page.getByText('1–1 of 1').waitFor()
  await page.reload()
  await page.getByText('1–1 of 1').waitFor()
  t.same(await names(), ['Mango'], 'the address stores it')

  await act(page, 'Mango', 'Edit name and description')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Name/).fill('Mango tree')
  await dialog.getByLabel('Description').fill('Grows in the garden.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await table.getByText('Grows in the garden.').waitFor()
  t.match((await as('ada', 'GET', '/api/graphs/3')).body, {
    name: 'Mango tree',
    type: 'fruit',
    description: 'Grows in the garden.'
  })

  await act(page, 'Mango tree', 'Delete')
  await dialog.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByText('No graphs match these filters.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await table.getByRole('link', { name: 'Mango tree' }).waitFor()
  await act(page, 'Mango tree', 'Delete')
  await dialog.getByRole('button', { name: 'Move to trash' }).click()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByRole('button', { name: 'Delete permanently: Mango tree' }).click()
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await page.getByText('The trash is empty').waitFor()
})
