import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '../support/program.ts'
import { browserOf, picture, sameEverywhere, seriousFindings } from './browser.ts'
import { adaWith, line } from './graph-page.ts'

// A first visit offers sample graphs; the list tells how long ago a graph was changed.

const browser = browserOf(t)

const sample = (name: string) =>
  JSON.parse(readFileSync(join(root, 'ui', 'src', 'graphs', 'samples', `${name}.json`), 'utf8'))

t.test(
  'an empty list offers samples, with their sources; one click creates and opens each',
  sameEverywhere,
  async (t) => {
    const { page, as, mishaps } = await adaWith(t, browser())
    await page.getByRole('heading', { name: 'Or begin with a sample' }).waitFor()
    t.same(await page.getByRole('main').getByRole('heading', { level: 3 }).allInnerTexts(), [
      'Les Misérables',
      'Karate club',
      'Florentine families'
    ])
    await page.getByText('Donald E. Knuth, The Stanford GraphBase, 1993').waitFor()
    t.same(await seriousFindings(page), [], 'by axe')
    await picture(page, 'samples')
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
    t.same(content, sample('karate-club'))
    await page.goto('/graphs')
    await page.getByRole('table', { name: 'Graphs' }).waitFor()
    t.equal(await page.getByRole('heading', { name: 'Or begin with a sample' }).count(), 0)
    t.same(mishaps, { errors: [], elsewhere: [] })
  }
)

t.test(
  'a filter that no graph matches offers no samples; the other samples are what they say',
  sameEverywhere,
  async (t) => {
    const { page, as } = await adaWith(t, browser())
    await page.goto('/graphs?q=nothing')
    await page.getByText('No graphs match.').waitFor()
    t.equal(await page.getByRole('button', { name: /^Create and open/ }).count(), 0)
    for (const [id, name, file] of [
      [1, 'Les Misérables', 'les-miserables'],
      [2, 'Florentine families', 'florentine-families']
    ] as const) {
      await page.goto('/graphs')
      await page.getByRole('button', { name: `Create and open ${name}` }).click()
      await page.getByRole('application', { name: new RegExp(`^Drawing of ${name}: `) }).waitFor()
      t.same((await as('ada', 'GET', `/api/graphs/${id}`)).body.content, sample(file))
      // The next one is for a user without graphs as well.
      t.equal((await as('ada', 'DELETE', `/api/graphs/${id}`)).status, 200)
    }
  }
)

t.test('a sample that cannot be created says so, and the next try creates it', sameEverywhere, async (t) => {
  const { page, as } = await adaWith(t, browser())
  await page.route('**/api/graphs', (route) => (route.request().method() === 'POST' ? route.abort() : route.continue()))
  const create = page.getByRole('button', { name: 'Create and open Florentine families' })
  await create.click()
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  await page.unroute('**/api/graphs')
  await create.click()
  await page.getByRole('application', { name: /^Drawing of Florentine families: 15 nodes, 20 edges\./ }).waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs')).body.length, 1)
})

t.test('the list tells how long ago a graph was changed, and goes on with the clock', sameEverywhere, async (t) => {
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
  t.match(await time.getAttribute('title'), /\d{4} at \d{1,2}:\d{2}:\d{2}/, 'the exact time')
  t.equal(await table.getByRole('list', { name: 'Tags' }).innerText(), 'roads')
  await page.clock.runFor(180_000)
  t.equal(await time.innerText(), '3 minutes ago')
  await page.clock.runFor(2 * 3_600_000)
  t.equal(await time.innerText(), '2 hours ago')
})
