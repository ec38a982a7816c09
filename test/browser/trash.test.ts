import t from 'tap'
import { line } from './graph-page.ts'
import { inspect, journeysOf, openAs, refusalsOf, serveTeam } from './journeys.ts'

// The trash, and the addresses of graphs in the trash.

const { browser, journey } = journeysOf(t)

journey('the address of a graph in the trash says so and offers to restore it, but only to its owner', async (t) => {
  const { as, url } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', { ...line, shared: true })
  await as('admin', 'DELETE', '/api/graphs/1')
  const { page, mishaps } = await openAs(t, browser(), url, 'ada')
  const heading = page.getByRole('heading', { level: 1, name: '“Line” is in the trash' })
  for (const address of ['/graphs/1/history', '/graphs/1']) {
    await page.goto(address)
    await heading.waitFor()
    await page.getByText(/^admin moved it there .+\. It will be deleted permanently on .+\.$/).waitFor()
  }
  t.equal(await page.title(), 'Line – Graphstead')
  await page.setViewportSize({ width: 360, height: 640 })
  await inspect(t, page, 'graph-in-trash')
  t.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 360)
  t.match(await page.getByRole('link', { name: 'Open trash' }).getAttribute('href'), '/trash')

  const bob = await openAs(t, browser(), url, 'bob', '/graphs/1')
  await bob.page.getByText('This graph does not exist, or is not shared with you.').waitFor()
  t.equal(await bob.page.getByRole('button', { name: 'Restore' }).count(), 0)

  await page.getByRole('button', { name: 'Restore' }).press('Enter')
  await page.getByRole('heading', { name: 'Line', exact: true }).waitFor()
  await page.getByRole('application').waitFor()
  await page.goto('/graphs/2')
  await page.getByText('This graph does not exist, or is not shared with you.').waitFor()
  for (const window of [mishaps, bob.mishaps]) t.same([...new Set(refusalsOf(window))], ['404'])
})
