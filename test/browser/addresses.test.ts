import t from 'tap'
import { adaWith, line } from './graph-page.ts'
import { journeysOf } from './journeys.ts'

// Addresses that lead nowhere, and addresses with a slash at their end.

const { browser, journey } = journeysOf(t)

journey('an unknown address says so, and leads to the graphs', async (t) => {
  const { page, mishaps } = await adaWith(t, browser(), line)
  for (const address of ['/nothing/here', '/graphs/1/nothing', '//evil.example/graphs']) {
    const answer = await page.goto(new URL(page.url()).origin + address)
    t.equal(answer?.status(), 404, address)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Back to graphs' }).click()
    await page.getByRole('link', { name: 'Line' }).waitFor()
    t.equal(new URL(page.url()).pathname, '/graphs')
  }
  t.match(mishaps.errors, [/status of 404/, /status of 404/, /status of 404/], 'nothing else went wrong')
})

journey('a slash at the end of a page’s address does not matter', async (t) => {
  const { page, url } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1/?tab=nodes')
  await page.getByRole('table', { name: 'Nodes of Line' }).waitFor()
  t.equal(page.url(), `${url}/graphs/1?tab=nodes`)
  await page.goto('/graphs/')
  await page.getByRole('link', { name: 'Line' }).waitFor()
  t.equal(page.url(), `${url}/graphs`)
})
