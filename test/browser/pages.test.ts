import t, { type Test } from 'tap'
import { browserOf, openWindow, sameEverywhere, serveTeam, signIn } from '../browser.ts'

// Pages that fail to load, and changes by others meanwhile.

const browser = browserOf(t)

/** Opens the list of graphs as admin. */
async function openAsAdmin(t: Test) {
  const team = await serveTeam(t)
  const window = await openWindow(t, await browser(), team.url)
  await window.page.goto('/')
  await signIn(window.page, 'admin')
  const go = (name: string) => window.page.getByRole('link', { name, exact: true }).click()
  return { ...team, ...window, go }
}

const auditsCode = /\/assets\/audits-page/

t.test(
  'a page that cannot be loaded offline leaves the others alone, and can be tried again',
  sameEverywhere,
  async (t) => {
    const { page, context, go } = await openAsAdmin(t)
    await page.getByText('No graphs yet').waitFor()
    await context.setOffline(true)
    await go('Audits')
    await page.getByRole('alert').getByText('The server cannot be reached.').first().waitFor()
    await context.setOffline(false)
    await go('Graphs')
    await page.getByText('No graphs yet').waitFor()
    await go('Audits')
    await page.getByRole('table', { name: 'Audits' }).waitFor()
  }
)

t.test('a page that an upgraded server has under another name loads the app again, once', sameEverywhere, async (t) => {
  const { page, go } = await openAsAdmin(t)
  let requests = 0
  await page.route(auditsCode, (route) => {
    requests++
    return requests === 1 ? route.fulfill({ status: 404 }) : route.continue()
  })
  await go('Audits')
  await page.getByRole('table', { name: 'Audits' }).waitFor()
  t.equal(requests, 2)
})

t.test(
  'a page that is always missing says so, and does not load the app again and again',
  sameEverywhere,
  async (t) => {
    const { page, go } = await openAsAdmin(t)
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
  }
)

t.test('an edit keeps the changes of others, and asks where both have changed a field', sameEverywhere, async (t) => {
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
