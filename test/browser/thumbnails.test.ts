import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { until } from '../support/until.ts'
import { adaWith } from './graph-page.ts'
import { inspect, journeysOf } from './journeys.ts'

const { browser, journey } = journeysOf(t)

journey('the list shows a picture of each graph, or an icon if it is empty or large', async (t) => {
  const content = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] }
  const nodes = Array.from({ length: 10_001 }, (_, index) => ({ id: `n${index}` }))
  const large = { name: 'Large', content: { nodes, edges: [] } }
  const { page } = await adaWith(t, browser(), { name: 'Pair', content }, { name: 'Empty' }, large)
  const table = page.getByRole('table', { name: 'Graphs' })
  await table.getByRole('link', { name: 'Pair', exact: true }).waitFor()
  const images = table.locator('img')
  t.equal(await images.count(), 1)
  t.ok(await until(async () => (await page.evaluate('document.querySelector("table img")?.naturalWidth')) === 128))
  t.equal(await images.getAttribute('loading'), 'lazy')
  for (const [name, shown] of Object.entries({ Pair: 'img', Empty: 'svg', Large: 'svg' }))
    t.ok(await table.getByRole('row', { name }).locator(`.thumbnail > ${shown}`).isVisible(), name)
  await page.setViewportSize({ width: 360, height: 640 })
  t.ok(await images.isVisible(), 'on a phone')
})

journey('the picture of a large graph is loaded again when the list is shown again after its layout', async (t) => {
  const nodes = Array.from({ length: 2001 }, (_, index) => ({ id: `n${index}` }))
  const edges = nodes.slice(1).map(({ id }) => ({ source: 'n0', target: id }))
  const { page, as } = await adaWith(t, browser(), { name: 'Star', content: { nodes, edges } })
  const isPicture = (response: { url(): string }) => response.url().includes('/picture.png')
  const first = page.waitForResponse(isPicture)
  await page.goto('/graphs')
  t.equal((await first).headers()['cache-control'], 'no-store')
  t.ok(await until(async () => (await page.evaluate('document.querySelector("table img")?.naturalWidth')) === 128))
  await page.getByRole('link', { name: 'Star', exact: true }).click()
  await page.getByRole('heading', { name: 'Star' }).waitFor()
  while ((await as('ada', 'GET', '/api/graphs/1/layout')).status === 202) await setTimeout(500)
  const second = page.waitForResponse(isPicture)
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  t.equal((await second).headers()['cache-control'], 'private, no-cache')
})

journey('the time of the last change stays on one line, and a phone shows the whole table', async (t) => {
  const owner = 'a-colleague-with-a-long-login'
  const named = { name: 'Dependencies of the nightly build', type: 'co-occurrence', shared: true }
  const { page } = await adaWith(t, browser(), { ...named, tags: ['nightly', 'build'] })
  await page.route('**/api/graphs?*', async (route) => {
    const response = await route.fetch()
    const [graph] = await response.json()
    await route.fulfill({
      response,
      json: [{ ...graph, owner, updatedAt: '2025-01-02T03:04:05.678Z', nodeCount: 1e6 }]
    })
  })
  for (const width of [1280, 1024, 800, 360]) {
    await page.setViewportSize({ width, height: 640 })
    await page.goto('/graphs')
    await page.getByRole('link', { name: named.name }).waitFor()
    t.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= width, `${width} px`)
    const lines = await page
      .locator('td time')
      .evaluateAll((times: any[]) => times.map((time) => time.getClientRects().length))
    t.same(lines, [width > 768 ? 1 : 0], 'a phone does not show the time')
    await inspect(t, page, `graphs-${width}`)
  }
})
