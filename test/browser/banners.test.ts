import t from 'tap'
import { adaWith, fits, line } from './graph-page.ts'
import { act, journeysOf, refusalsOf } from './journeys.ts'

// The banners above a page, for a lost connection and for errors. Error banners describe the affected fields in words.

const { browser, journey } = journeysOf(t)

journey('a lost connection leaves the drawing and its controls within the window', async (t) => {
  const { page, context, mishaps } = await adaWith(t, browser(), line)
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
  t.ok(refusalsOf(mishaps).every((refusal) => refusal === 'net::ERR_INTERNET_DISCONNECTED'))
})

journey('validation errors name the fields in words', async (t) => {
  const { page, mishaps } = await adaWith(t, browser(), line)
  const dialog = page.getByRole('dialog')
  await act(page, 'Line', 'Edit name and description')
  await dialog.getByLabel(/^Name/).fill('  ')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const alert = dialog.getByRole('alert')
  await alert.getByText('The server found these problems:').waitFor()
  t.match(await alert.innerText(), /^The server found these problems:\s+Name [a-z]/)
  t.notMatch(await alert.innerText(), /#|\//)

  // The app never sends invalid content, so the response is simulated.
  const errors = [{ pointer: '#/content/nodes/2/label', code: 'wrong-type', detail: 'must be a string' }]
  const problem = { title: 'The request is not valid.', detail: '#/content/nodes/2/label must be a string', errors }
  await page.route('**/api/graphs/1', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 400, json: { ...problem, status: 400, code: 'validation-failed' } })
      : route.continue()
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  await alert.getByText('node 3, label must be a string').waitFor()
  t.notMatch(await alert.innerText(), /#|\//)
  t.same([...new Set(refusalsOf(mishaps))], ['400'])
})

journey('a page that fails to render says so, and other pages still work', async (t) => {
  const { page, mishaps } = await adaWith(t, browser(), line)
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
  t.ok(mishaps.errors.every((error) => error.includes('e.map is not a function')))
})
