import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith } from './graph-page.ts'
import { inspect, journeysOf, pick } from './journeys.ts'

// Statistics of the visible part of a graph, and the resolution of communities.

const { browser, journey } = journeysOf(t)

interface Case {
  name: string
  ids: string[]
  edges: [number, number][]
}

const known: Case[] = readFileSync(join(import.meta.dirname, '..', 'known-answers', 'measures.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const club = known.find(({ name }) => name === 'karate club') as Case

const karate = {
  name: 'Karate club',
  content: {
    directed: false,
    nodes: club.ids.map((id, index) => ({ id, metadata: { half: index < 17 ? 'first' : 'second' } })),
    edges: club.edges.map(([source, target]) => ({ source: club.ids[source], target: club.ids[target] }))
  }
}

/** A ring with short cuts, for which distances take many seconds. */
const wide = {
  name: 'Wide',
  content: {
    directed: true,
    nodes: Array.from({ length: 9_000 }, (_, index) => ({
      id: `n${index}`,
      x: index % 100,
      y: Math.floor(index / 100)
    })),
    edges: Array.from({ length: 90_000 }, (_, index) => ({
      source: `n${index % 9_000}`,
      target: `n${(index * 7919 + Math.floor(index / 9_000) * 31 + 1) % 9_000}`
    }))
  }
}

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Measures' })

async function open(page: Page) {
  await page.getByRole('button', { name: 'Measures' }).click()
  await panelOf(page).getByRole('tab', { name: 'Statistics' }).click()
}

journey('statistics describe what is shown, and say when they are outdated', async (t) => {
  const { page, context } = await adaWith(t, browser(), karate)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/graphs/1?colour=metadata.half')
  await open(page)
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Calculate' }).click()
  const table = panel.getByRole('table', { name: 'Statistics of 34 nodes and 78 edges' })
  const row = (name: string) => table.getByRole('row', { name })
  await row('Density 0.139').waitFor()
  for (const name of [
    'Components 1',
    'Diameter 5',
    'Average shortest path length 2.408',
    'Transitivity 0.256',
    'Average clustering coefficient 0.571',
    'Reciprocity Defined only for directed graphs —',
    'Degree assortativity -0.476',
    'Modularity Communities of the nodes shown (Louvain): 4 groups 0.419'
  ]) {
    await row(name).waitFor()
  }
  await panel.getByRole('button', { name: 'Copy statistics' }).click()
  await page.getByText('Copied').first().waitFor()
  const copied: string = await page.evaluate('navigator.clipboard.readText()')
  t.same(copied.split('\n').slice(0, 5), [
    'Statistic\tValue\tNote',
    'Nodes\t34\t',
    'Edges\t78\t',
    `Average degree\t${156 / 34}\t`,
    `Density\t${78 / (34 * 16.5)}\t`
  ])
  await inspect(t, page, 'statistics')

  await pick(panel.getByRole('combobox', { name: 'Groups for modularity' }), 'half')
  await panel.getByText('Calculate again.').waitFor()
  await panel.getByRole('button', { name: 'Calculate' }).click()
  await row('half: 2 groups').waitFor()
  await panel.getByText('Calculate again.').waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Show only first' }).click()
  await open(page)
  await panel.getByText('Calculate again.').waitFor()
  await inspect(t, page, 'statistics-outdated')
  await panel.getByRole('button', { name: 'Calculate' }).click()
  await panel.getByRole('table', { name: /^Statistics of 17 nodes/ }).waitFor()
  await panel.getByText('Calculate again.').waitFor({ state: 'detached' })
})

journey('a long computation of statistics shows its progress and can be stopped', async (t) => {
  const { page } = await adaWith(t, browser(), wide)
  await page.goto('/graphs/1?colour=none')
  await open(page)
  const panel = panelOf(page)
  await panel.getByRole('button', { name: 'Calculate' }).click()
  const progress = panel.getByRole('progressbar', { name: 'Calculating statistics…' })
  await progress.waitFor()
  while (Number(await progress.getAttribute('aria-valuenow')) === 0) await page.waitForTimeout(50)
  await page.keyboard.press('Enter')
  await progress.waitFor({ state: 'detached' })
  for (const end = Date.now() + 20_000; Date.now() < end && page.workers().length > 0; ) await page.waitForTimeout(50)
  t.equal(page.workers().length, 0, 'the worker has ended')
  t.equal(await panel.getByRole('table').count(), 0)
})

journey('the resolution of communities is part of the view', async (t) => {
  const { page, context } = await adaWith(t, browser(), {
    ...karate,
    content: { ...karate.content, nodes: club.ids.map((id) => ({ id })) }
  })
  await page.goto('/graphs/1')
  const legend = page.getByRole('region', { name: 'Legend' })
  await legend.getByText('Community 4').waitFor()
  await page.getByRole('button', { name: 'Measures' }).click()
  await panelOf(page).getByRole('textbox', { name: 'Resolution' }).fill('3')
  await legend.getByText('Community 6').waitFor()
  t.match(new URL(page.url()).search, 'resolution=3')
  await page.getByRole('button', { name: 'Save layout' }).hover()
  await inspect(t, page, 'resolution')
  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByRole('region', { name: 'Legend' }).getByText('Community 6').waitFor()
  await panelOf(page).getByRole('textbox', { name: 'Resolution' }).fill('1')
  await legend.getByText('Community 6').waitFor({ state: 'detached' })
  t.notMatch(new URL(page.url()).search, 'resolution')
})

journey('a measure that is undefined for the graph says why', async (t) => {
  const { page } = await adaWith(t, browser(), {
    name: 'Path',
    content: {
      directed: true,
      nodes: ['a', 'b', 'c'].map((id) => ({ id })),
      edges: [
        { source: 'a', target: 'b' },
        { source: 'b', target: 'c' }
      ]
    }
  })
  await page.goto('/graphs/1?colour=none')
  await page.getByRole('button', { name: 'Measures' }).click()
  await panelOf(page).getByRole('button', { name: 'Calculate Eigenvector centrality' }).click()
  await page.getByText('the iteration does not converge for this graph').waitFor()
  await panelOf(page).getByRole('button', { name: 'Calculate Authority (HITS)' }).click()
  await panelOf(page).getByRole('button', { name: 'Size nodes by Authority (HITS)' }).waitFor()
})
