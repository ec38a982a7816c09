import t from 'tap'
import { browserOf, sameEverywhere } from './browser.ts'
import { adaWith, line } from './graph-page.ts'

// Addresses that lead nowhere, and addresses with a slash at their end.

const browser = browserOf(t)

t.test('an unknown address says so, and leads to the graphs', sameEverywhere, async (t) => {
  const { page, mishaps } = await adaWith(t, browser(), line)
  for (const address of ['/nothing/here', '/graphs/1/nothing', '//evil.example/graphs']) {
    const answer = await page.goto(new URL(page.url()).origin + address)
    t.equal(answer?.status(), 404, address)
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Back to graphs' }).click()
    await page.getByRole('link', { name: 'Line' }).waitFor()
    t.equal(new URL(page.url()).pathname, '/graphs')
  }
  t.same(mishaps.elsewhere, [])
  t.match(mishaps.errors, [/status of 404/, /status of 404/, /status of 404/], 'nothing else went wrong')
})

t.test('a slash at the end of a page’s address does not matter', sameEverywhere, async (t) => {
  const { page, url, mishaps } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1/?tab=nodes')
  await page.getByRole('table', { name: 'Nodes of Line' }).waitFor()
  t.equal(page.url(), `${url}/graphs/1?tab=nodes`)
  await page.goto('/graphs/')
  await page.getByRole('link', { name: 'Line' }).waitFor()
  t.equal(page.url(), `${url}/graphs`)
  t.same(mishaps, { errors: [], elsewhere: [] })
})
