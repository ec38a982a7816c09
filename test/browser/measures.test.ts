import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, choose, line } from './graph-page.ts'
import { inspect, journeysOf, pick, picture } from './journeys.ts'

// Node measures in the drawing: communities as default colours, and measures that the user computes.

const { browser, journey } = journeysOf(t)

interface Case {
  name: string
  ids: string[]
  edges: [number, number][]
  measures: { pageRank: number[] }
}

const known: Case[] = readFileSync(join(import.meta.dirname, '..', 'known-answers', 'measures.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const club = known.find(({ name }) => name === 'karate club') as Case

/** The karate club without positions or attributes. */
const karate = {
  name: 'Karate club',
  content: {
    directed: false,
    nodes: club.ids.map((id) => ({ id })),
    edges: club.edges.map(([source, target]) => ({ source: club.ids[source], target: club.ids[target] }))
  }
}

/** A graph for which betweenness takes many seconds. */
const many = {
  name: 'Many',
  content: {
    directed: true,
    nodes: Array.from({ length: 10_000 }, (_, index) => ({
      id: `n${index}`,
      x: index % 100,
      y: Math.floor(index / 100)
    })),
    edges: Array.from({ length: 60_000 }, (_, index) => ({
      source: `n${index % 10_000}`,
      target: `n${(index * 7919 + Math.floor(index / 10_000) * 31) % 10_000}`
    }))
  }
}

const legendOf = (page: Page) => page.getByRole('region', { name: 'Legend' })
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Measures' })
const open = (page: Page) => page.getByRole('button', { name: 'Measures' }).click()

journey('nodes without a suitable attribute are coloured by community', async (t) => {
  const { page } = await adaWith(t, browser(), karate, line)
  await page.goto('/graphs/1')
  const legend = legendOf(page)
  await legend
    .getByRole('button', { name: /^Community/ })
    .nth(3)
    .waitFor()
  const sizes = (await legend.getByRole('button', { name: /^Community/ }).allInnerTexts()).map((text) =>
    text.replace(/\s+/g, ' ')
  )
  t.same(sizes, ['Community 1 (12)', 'Community 2 (11)', 'Community 3 (6)', 'Community 4 (5)'])
  t.equal(new URL(page.url()).search.includes('colour'), false)
  t.equal(await page.getByRole('combobox', { name: 'Colour nodes by' }).inputValue(), 'Community')
  await picture(page, 'communities')
  await legend.getByRole('button', { name: 'Show only Community 3' }).click()
  await choose(page, 'Nodes')
  await page.getByText('6 of 34').waitFor()

  await page.goto('/graphs/2')
  await legend.getByText('team', { exact: true }).waitFor()
})

journey('a computed measure sizes the nodes and works like any other attribute', async (t) => {
  const { page, context } = await adaWith(t, browser(), karate)
  await page.goto('/graphs/1')
  await legendOf(page).getByText('Community 4').waitFor()
  await open(page)
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Calculate PageRank' }).click()
  await panel.getByRole('button', { name: 'Size nodes by PageRank' }).click()
  await panel.getByRole('button', { name: 'Size nodes by PageRank', pressed: true }).waitFor()
  t.match(new URL(page.url()).search, 'size=measure.pageRank')
  const [least, greatest] = [Math.min(...club.measures.pageRank), Math.max(...club.measures.pageRank)]
  const shown = (value: number) => String(Number(value.toPrecision(3)))
  await legendOf(page).getByText('Size: PageRank').waitFor()
  const samples = await legendOf(page).locator('.legend-samples').allInnerTexts()
  t.same(
    samples.map((text) => text.split('\n').filter((line) => /\d/.test(line))),
    [[shown(greatest), shown(Number(((least + greatest) / 2).toFixed(2))), shown(least)]]
  )
  await inspect(t, page, 'measures')
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })

  await pick(page.getByRole('combobox', { name: 'Colour nodes by' }), 'PageRank')
  await page.getByRole('combobox', { name: 'Find a node' }).fill('34')
  await page.getByRole('option', { name: '34' }).click()
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('heading', { name: 'Measures (calculated)' }).waitFor()
  await details.getByRole('row', { name: `PageRank ${shown(club.measures.pageRank[33] as number)}` }).waitFor()

  await choose(page, 'Nodes')
  const table = page.getByRole('table', { name: 'Nodes of Karate club' })
  await table.getByRole('button', { name: 'PageRank calculated' }).click()
  await table.getByRole('button', { name: 'PageRank calculated' }).click()
  await table.getByRole('row').nth(1).getByRole('button').filter({ hasText: /^34$/ }).waitFor()

  const other = await context.newPage()
  await other.goto(page.url())
  // The other window recomputes the same measures.
  await other.getByRole('row').nth(1).getByText(shown(greatest)).waitFor()
  await other.goto('/graphs/1?tab=nodes')
  await other.getByRole('columnheader', { name: 'Degree' }).waitFor()
  t.equal(await other.getByRole('columnheader', { name: 'PageRank' }).count(), 0, 'computed measures are not saved')
})

journey('one button calculates all measures, or stops them', async (t) => {
  const { page } = await adaWith(t, browser(), karate, many)
  await page.goto('/graphs/1')
  await open(page)
  const all = panelOf(page).getByRole('button', { name: 'Calculate all' })
  await all.focus()
  await page.keyboard.press('Enter')
  await page.locator('button[aria-disabled=true]', { hasText: 'Calculate all' }).waitFor()
  t.equal(
    await panelOf(page)
      .getByRole('button', { name: /^Colour nodes by/ })
      .count(),
    11
  )
  t.equal(await page.evaluate<string>('document.activeElement.textContent'), 'Calculate all')

  await page.goto('/graphs/2')
  await open(page)
  await all.click()
  await panelOf(page).getByRole('button', { name: 'Stop all' }).click()
  await all.waitFor()
  t.equal(
    await panelOf(page)
      .getByRole('button', { name: /^Stop calculating/ })
      .count(),
    0
  )
})

journey('weighted measures use the chosen attribute of the edges', async (t) => {
  const content = {
    directed: false,
    nodes: ['a', 'b', 'c'].map((id) => ({ id })),
    edges: [
      { source: 'a', target: 'b', metadata: { value: 1000 } },
      { source: 'b', target: 'c' }
    ]
  }
  const { page } = await adaWith(t, browser(), { name: 'Weighted', content })
  await page.goto('/graphs/1?size=measure.weightedDegree')
  const samples = legendOf(page).locator('.legend-samples')
  await samples.getByText('2', { exact: true }).waitFor()
  await open(page)
  const panel = panelOf(page)
  const field = panel.getByRole('combobox', { name: 'Edge weight' })
  t.equal(await field.inputValue(), 'No weights')
  await pick(field, 'value')
  await samples.getByText('1,001', { exact: true }).waitFor()
  t.match(new URL(page.url()).search, 'weight=metadata.value')
  await inspect(t, page, 'edge weight')
  await panel.getByRole('tab', { name: 'Statistics' }).click()
  t.equal(await field.inputValue(), 'value')
  await pick(field, 'No weights')
  await samples.getByText('1,001', { exact: true }).waitFor({ state: 'detached' })
  t.notMatch(new URL(page.url()).search, 'weight=')
})

journey('a measure is stored as a node attribute when the edit is saved', async (t) => {
  const { page, as } = await adaWith(t, browser(), karate)
  await page.goto('/graphs/1')
  await open(page)
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Calculate PageRank' }).click()
  await panel.getByRole('button', { name: 'Store PageRank as an attribute' }).click()
  await page.getByText('PageRank is now a node attribute. Save your changes to keep it.').waitFor()
  await panel.getByRole('button', { name: 'Store Community as an attribute' }).click()
  await page.keyboard.press('Escape')
  const bar = page.getByRole('toolbar', { name: 'Edit' })
  await bar.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { body } = await as('ada', 'GET', '/api/graphs/1')
  t.equal(body.version, 2)
  for (const [index, { metadata }] of body.content.nodes.entries()) {
    t.ok(Math.abs(metadata.PageRank - (club.measures.pageRank[index] as number)) < 1e-6)
    t.match(metadata.Community, /^Community [1-4]$/)
  }
  await page.getByRole('combobox', { name: 'Colour nodes by' }).click()
  await page.getByRole('option', { name: 'PageRank' }).first().waitFor()
})

journey('a long computation shows its progress and can be stopped', async (t) => {
  const { page } = await adaWith(t, browser(), many)
  await page.goto('/graphs/1?colour=none')
  await open(page)
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Calculate Betweenness' }).click()
  const progress = panel.getByRole('progressbar', { name: 'Calculating Betweenness…' })
  await progress.waitFor()
  t.equal(
    await page.evaluate('document.activeElement.ariaLabel'),
    'Stop calculating Betweenness',
    'the focus moves to the stop button'
  )
  const share = async () => Number(await progress.getAttribute('aria-valuenow'))
  while ((await share()) === 0) await page.waitForTimeout(50)
  const before = await share()
  t.ok(before < 100)
  await inspect(t, page, 'measures-progress')
  while ((await share()) === before) await page.waitForTimeout(50)
  await page.keyboard.press('Enter')
  await progress.waitFor({ state: 'detached' })
  await panel.getByRole('button', { name: 'Calculate Betweenness' }).waitFor()
  for (const end = Date.now() + 20_000; Date.now() < end && page.workers().length > 0; ) await page.waitForTimeout(50)
  t.equal(page.workers().length, 0, 'the worker has ended')
  await panel.getByRole('button', { name: 'Calculate Core number' }).click()
  await panel.getByRole('button', { name: 'Colour nodes by Core number' }).waitFor()
})
