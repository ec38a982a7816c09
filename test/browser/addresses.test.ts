import t from 'tap'
import { adaWith, line } from './graph-page.ts'
import { journeysOf } from './journeys.ts'

// Unknown URLs, and URLs with a trailing slash.

const { browser, journey } = journeysOf(t)

journey('an unknown URL shows an error with a link to the graphs', async (t) => {
  const { page, mishaps } = await adaWith(t, browser(), line)
  for (const address of ['/nothing/here', '/graphs/1/nothing', '//evil.example/graphs']) {
    const answer = await page.goto(new URL(page.url()).origin + address)
    t.equal(answer?.status(), 404, address)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Back to graphs' }).click()
    await page.getByRole('link', { name: 'Line' }).waitFor()
    t.equal(new URL(page.url()).pathname, '/graphs')
  }
  t.match(mishaps.errors, [/status of 404/, /status of 404/, /status of 404/], 'nothing else went wrong')
})

journey('a trailing slash in the URL of a page is ignored', async (t) => {
  const { page, url } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1/?tab=nodes')
  await page.getByRole('table', { name: 'Nodes of Line' }).waitFor()
  t.equal(page.url(), `${url}/graphs/1?tab=nodes`)
  await page.goto('/graphs/')
  await page.getByRole('link', { name: 'Line' }).waitFor()
  t.equal(page.url(), `${url}/graphs`)
})
