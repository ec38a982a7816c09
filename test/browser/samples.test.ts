import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../support/program.ts'
import { adaWith, line } from './graph-page.ts'
import { button, inspect, journeysOf, picture, refusalsOf } from './journeys.ts'

// Sample graphs on the first visit, and relative times in the list.

const { browser, journey } = journeysOf(t)

const contentIn = (path: string) => JSON.parse(readFileSync(join(root, path), 'utf8'))

journey('an empty list offers samples with their sources, and one click creates and opens a sample', async (t) => {
  const { page, as } = await adaWith(t, browser())
  await page.getByRole('heading', { name: 'Or start with a sample' }).waitFor()
  t.same(await page.getByRole('main').getByRole('heading', { level: 3 }).allInnerTexts(), [
    'Les Misérables',
    'Karate club',
    'Florentine families'
  ])
  await page.getByText('Donald E. Knuth, The Stanford GraphBase, 1993').waitFor()
  await inspect(t, page, 'samples')
  await page.setViewportSize({ width: 390, height: 780 })
  await picture(page, 'samples-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })

  const create = page.getByRole('button', { name: 'Create and open Karate club' })
  await create.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('application', { name: /^Drawing of Karate club: 34 nodes, 78 edges\./ }).waitFor()
  t.equal(new URL(page.url()).pathname, '/graphs/1')
  const { name, type, shared, description, content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same([name, type, shared], ['Karate club', 'social', false])
  t.match(description, /Wayne W\. Zachary.*1977/)
  t.same(content, contentIn('graph/samples/karate-club.json'))
  await page.goto('/graphs')
  await page.getByRole('table', { name: 'Graphs' }).waitFor()
  t.equal(await page.getByRole('heading', { name: 'Or start with a sample' }).count(), 0)
})

journey('a filter without matches offers no samples; the Les Misérables sample equals the example graph', async (t) => {
  const { page, as } = await adaWith(t, browser())
  await page.goto('/graphs?q=nothing')
  await page.getByText('No graphs match these filters.').waitFor()
  t.equal(await page.getByRole('button', { name: /^Create and open/ }).count(), 0)
  await page.goto('/graphs')
  await button(page, 'Create and open Les Misérables').click()
  await page.getByRole('application', { name: /^Drawing of Les Misérables: / }).waitFor()
  const { nodes, edges } = contentIn('docs/examples/les-miserables.jgf.json').graph
  t.same((await as('ada', 'GET', '/api/graphs/1')).body.content, {
    directed: false,
    nodes: Object.entries<any>(nodes).map(([id, { metadata }]) => ({ id, metadata })),
    edges
  })
})

journey('a failure to create a sample is shown, and a retry creates it', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser())
  await page.route('**/api/graphs', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  const create = page.getByRole('button', { name: 'Create and open Florentine families' })
  await create.click()
  await page.getByRole('alert').getByText('Cannot reach the server.').waitFor()
  await page.unroute('**/api/graphs')
  await create.click()
  await page.getByRole('application', { name: /^Drawing of Florentine families: 15 nodes, 20 edges\./ }).waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs')).body.length, 1)
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same(content, contentIn('graph/samples/florentine-families.json'))
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_FAILED'])
})

journey('the list shows how long ago a graph was changed, and updates the time', async (t) => {
  const { page, as } = await adaWith(t, browser(), { ...line, tags: ['roads'] })
  const { updatedAt } = (await as('ada', 'GET', '/api/graphs/1')).body
  const start = new Date(updatedAt).getTime()
  await page.clock.install({ time: start + 30_000 })
  await page.goto('/graphs')
  const table = page.getByRole('table', { name: 'Graphs' })
  const time = table.locator('time')
  await time.waitFor()
  t.equal(await time.innerText(), 'now')
  t.equal(await time.getAttribute('datetime'), updatedAt)
  t.match(await time.getAttribute('title'), /\d{4} at \d{1,2}:\d{2}:\d{2}/, 'the tooltip has the exact time')
  t.equal(await table.getByRole('list', { name: 'Tags' }).innerText(), 'roads')
  await page.clock.runFor(180_000)
  t.equal(await time.innerText(), '3 minutes ago')
  await page.clock.runFor(2 * 3_600_000)
  t.equal(await time.innerText(), '2 hours ago')
})
