import t from 'tap'
import { adaWith } from './graph-page.ts'
import { journeysOf } from './journeys.ts'

const { browser, journey } = journeysOf(t)

journey('the list shows a picture of each graph that has nodes', async (t) => {
  const content = { nodes: [{ id: 'a' }, { id: 'b' }], edges: [{ source: 'a', target: 'b' }] }
  const { page } = await adaWith(t, browser(), { name: 'Pair', content }, { name: 'Empty' })
  const table = page.getByRole('table', { name: 'Graphs' })
  await table.getByRole('link', { name: 'Pair', exact: true }).waitFor()
  const images = table.locator('img')
  t.equal(await images.count(), 1)
  await page.waitForFunction(() => (globalThis as any).document.querySelector('table img')?.naturalWidth === 128)
  t.equal(await images.getAttribute('loading'), 'lazy')
})
