import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOf, sameEverywhere } from './browser.ts'
import { adaWith, line } from './graph-page.ts'

// Banners above a page: a lost connection, and errors with their places in words.

const browser = browserOf(t)

/** Nodes without positions, which are laid out. */
const loose = {
  name: 'Loose',
  content: {
    nodes: ['a', 'b', 'c'].map((id) => ({ id })),
    edges: [
      { source: 'a', target: 'b' },
      { source: 'b', target: 'c' }
    ]
  }
}

/** Waits until the drawing fills its place, with its controls within the window. */
async function fits(page: Page) {
  const measure = `(() => {
    const drawing = document.querySelector('[role=application]')
    const canvases = [...drawing.querySelectorAll('canvas')]
    const controls = [drawing, ...document.querySelectorAll('.drawing-controls button')]
    return canvases.length > 0
      && canvases.every((one) => one.offsetWidth === drawing.offsetWidth && one.offsetHeight === drawing.offsetHeight)
      && controls.every((one) => one.getBoundingClientRect().bottom <= innerHeight)
  })()`
  for (const end = Date.now() + 30_000; Date.now() < end; ) if (await page.evaluate<boolean>(measure)) return true
  return false
}

t.test('a lost connection leaves the drawing whole, and its controls in the window', sameEverywhere, async (t) => {
  const { page, context } = await adaWith(t, browser(), line)
  for (const size of [
    { width: 1280, height: 800 },
    { width: 390, height: 664 }
  ]) {
    await page.setViewportSize(size)
    await page.goto('/graphs/1')
    await page.getByRole('application').waitFor()
    t.ok(await fits(page), 'before')
    await context.setOffline(true)
    await page.getByText('No connection to the server').waitFor()
    t.ok(await fits(page), 'offline')
    await context.setOffline(false)
    await page.getByText('No connection to the server').waitFor({ state: 'detached' })
    t.ok(await fits(page), 'afterwards')
  }
})

t.test('a layout that meets a change by others is kept; a button loads the graph again', sameEverywhere, async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), loose)
  const save = page.getByRole('button', { name: 'Save layout' })
  await page.goto('/graphs/1')
  await save.waitFor({ timeout: 60_000 })
  t.equal((await as('ada', 'PATCH', '/api/graphs/1', { name: 'Renamed' })).status, 200)
  await save.click()
  const alert = page.getByRole('alert').filter({ hasText: 'Somebody else has changed this graph meanwhile.' })
  await alert.waitFor()
  t.ok(await fits(page))
  await alert.getByRole('button', { name: 'Load it again' }).click()
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await alert.waitFor({ state: 'detached' })
  t.ok(await fits(page))
  await save.click()
  await save.waitFor({ state: 'detached' })
  t.match((await as('ada', 'GET', '/api/graphs/1')).body, { version: 3, name: 'Renamed' })
  t.match(mishaps.errors, [/409/], 'nothing else went wrong')
})

t.test('faults name their fields in words', sameEverywhere, async (t) => {
  const { page } = await adaWith(t, browser(), line)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Actions for Line' }).click()
  await page.getByRole('menuitem', { name: 'Edit name and description' }).click()
  await dialog.getByLabel(/^Name/).fill('  ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('The server did not accept this:').waitFor()
  t.match(await alert.innerText(), /^The server did not accept this:\s+Name [a-z]/)
  t.notMatch(await alert.innerText(), /#|\//)

  // The server itself finds nothing wrong with content from here.
  const errors = [{ pointer: '#/content/nodes/2/label', code: 'wrong-type', detail: 'must be string' }]
  const problem = { title: 'The request is not valid.', detail: '#/content/nodes/2/label must be string', errors }
  await page.route('**/api/graphs/1', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 400, json: { ...problem, status: 400, code: 'validation-failed' } })
      : route.continue()
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await alert.getByText('node 3, label must be string').waitFor()
  t.notMatch(await alert.innerText(), /#|\//)
})

t.test('a page that fails to render says so, and leaves the others as they are', sameEverywhere, async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.route('**/api/graphs?*', async (route) => {
    const response = await route.fetch()
    const [graph] = await response.json()
    await route.fulfill({ response, json: [{ ...graph, tags: 5 }] })
  })
  await page.goto('/graphs')
  const alert = page.getByRole('alert').filter({ hasText: 'Something went wrong.' })
  await alert.waitFor()
  await alert.getByRole('button', { name: 'Try again' }).click()
  await alert.waitFor()
  await page.getByRole('link', { name: 'Trash' }).click()
  await page.getByText('The trash is empty').waitFor()
  t.equal(await alert.count(), 0)
})
