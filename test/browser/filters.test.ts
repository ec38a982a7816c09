import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, choose, colours, countPixels, download, line, openTab } from './graph-page.ts'
import { inspect, journeysOf, openAs, pick, seriousFindings } from './journeys.ts'

// The filters of a graph page: the panel, the legend, and new graphs from visible nodes.

const { browser, journey } = journeysOf(t)

/** 250 teams of one node each, one team of five, and two nodes without a team. */
const teams = [...Array.from({ length: 250 }, (_, number) => `Team ${number}`), ...Array(5).fill('Large'), '', '']
const crowd = {
  name: 'Crowd',
  content: {
    nodes: teams.map((team, index) => ({
      id: `n${index}`,
      x: index % 16,
      y: Math.floor(index / 16),
      ...(team && { metadata: { team } })
    })),
    edges: []
  }
}

/** Waits until the query string of the URL has these filters. */
const address = (page: Page, filters: string) =>
  page.waitForURL(({ searchParams }) => {
    const names = ['filter', 'edgeFilter', 'around', 'with', 'is', 'not', 'from', 'to', 'depth']
    const own = [...searchParams].filter(([name]) => names.includes(name))
    return String(new URLSearchParams(own)) === filters
  })

const panelOf = (page: Page) => page.getByRole('region', { name: 'Filters' })

/** Adds the filter that this option offers. */
async function add(page: Page, option: string) {
  await pick(panelOf(page).getByRole('combobox', { name: 'Add filter' }), option)
}

/** Returns the name of the focused element. */
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.labels?.[0]?.textContent')

journey('a filter by an attribute with many values shows the number of hidden values', async (t) => {
  const { page } = await adaWith(t, browser(), crowd)
  await page.goto('/graphs/1')
  await openTab(page, 'Filters')
  await add(page, 'team')
  await address(page, 'filter=metadata.team')
  const panel = panelOf(page)
  await panel.getByText('252 of 252 values shown').waitFor()
  const values = panel.getByRole('group', { name: 'Values of team' })
  t.equal(await values.getByRole('checkbox').count(), 100)
  t.equal(await values.getByRole('checkbox').first().getAttribute('id'), await idOf(page, 'Large (5)'))
  await panel.getByText('152 more. Search to find them.').waitFor()
  t.equal(await page.locator('[class*=Pill-root]').count(), 0)
  t.same(await seriousFindings(page), [])

  const search = panel.getByLabel('Search values')
  await search.fill('team 249')
  const last = values.getByLabel('Team 249 (1)')
  await last.uncheck()
  await address(page, 'filter=metadata.team&not=Team+249')
  await panel.getByText('251 of 252 values shown').waitFor()
  await search.fill('without')
  await values.getByLabel('(without a value) (2)').uncheck()
  await panel.getByText('250 of 252 values shown').waitFor()
  await choose(page, 'Nodes')
  await page.getByText('254 of 257').waitFor()

  await choose(page, 'Drawing')
  await panel.getByRole('button', { name: 'Hide all values' }).click()
  await panel.getByText('0 of 252 values shown').waitFor()
  await search.fill('TEAM 249')
  await last.check()
  await address(page, 'filter=metadata.team&is=Team+249')
  await choose(page, 'Nodes')
  await page.getByText('1 of 257').waitFor()
  await page.reload()
  await page.getByText('1 of 257').waitFor()

  await choose(page, 'Drawing')
  await openTab(page, 'Filters (1)')
  await panel.getByRole('button', { name: 'Show all values' }).click()
  await address(page, 'filter=metadata.team')
  await panel.getByRole('button', { name: 'Remove filter team' }).click()
  await address(page, '')
})

journey('filters combine, can be removed individually, and are part of a link', async (t) => {
  const { page, context } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?size=none')
  await openTab(page, 'Filters')
  const panel = panelOf(page)
  await panel.getByText('6 of 6 nodes, 5 of 5 edges').waitFor()
  const all = await countPixels(page, colours.blue)

  await add(page, 'team')
  await panel.getByRole('group', { name: 'Values of team' }).getByLabel('red (2)').uncheck()
  await panel.getByText('4 of 6 nodes, 3 of 5 edges').waitFor()

  await add(page, 'weight')
  const weight = panel.getByRole('group', { name: 'weight' })
  await weight.getByRole('img', { name: 'Histogram of weight' }).waitFor()
  const least = weight.getByRole('slider', { name: 'Minimum weight' })
  await least.focus()
  // The slider has 200 steps from 0 to 7.5.
  for (let step = 0; step < 81; step++) await page.keyboard.press('ArrowRight')
  await panel.getByText('3 of 6 nodes, 2 of 5 edges').waitFor()
  t.equal(await least.getAttribute('aria-valuetext'), '3.038')
  t.equal(await focused(page), 'Minimum weight', 'the focus stays on the thumb')

  const typed = weight.getByRole('textbox', { name: 'Maximum weight' })
  await typed.fill('6.1')
  await typed.press('Enter')
  await address(page, 'filter=metadata.team&not=red&filter=metadata.weight&from=3.0375&to=6.1')
  await weight.getByRole('slider', { name: 'Minimum weight' }).press('ArrowLeft')
  await address(page, 'filter=metadata.team&not=red&filter=metadata.weight&from=3&to=6.1')
  await typed.fill('5e')
  await typed.press('Enter')
  await weight.getByText('Enter a number.').waitFor()
  await typed.fill('61e-1')
  await typed.press('Enter')
  await weight.getByText('From 3 to 6.1', { exact: true }).waitFor()
  await typed.fill('9')
  await typed.press('Enter')
  await weight.getByText('From 3 to 7.5', { exact: true }).waitFor()
  await least.press('ArrowRight')

  await add(page, 'Relation')
  const relation = panel.getByRole('group', { name: 'Edges: Relation' })
  await relation.getByText('Hides edges only. Their nodes stay visible.').waitFor()
  await relation.getByLabel('even (2)').uncheck()
  await panel.getByText('3 of 6 nodes, 1 of 5 edges').waitFor()
  const filters = 'filter=metadata.team&not=red&filter=metadata.weight&from=3.0375&to=7.5&edgeFilter=relation&not=even'
  await address(page, filters)
  await inspect(t, page, 'filters')

  const svg = (await download(page, 'SVG')).bytes.toString()
  t.same([svg.match(/<circle/g)?.length, svg.match(/<path [^>]*stroke/g)?.length], [3, 1])
  await choose(page, 'Nodes')
  await page.getByText('3 of 6', { exact: true }).waitFor()
  await choose(page, 'Edges')
  await page.getByText('1 of 5', { exact: true }).waitFor()

  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByText('1 of 5', { exact: true }).waitFor()
  await other.getByRole('button', { name: 'Filters (3)' }).click()
  const others = panelOf(other)
  await others.getByRole('button', { name: 'Remove filter weight' }).click()
  await others.getByText('4 of 6 nodes, 2 of 5 edges').waitFor()
  t.equal(await focused(other), 'Add filter', 'the focus moves to the "Add filter" field')
  await address(other, 'filter=metadata.team&not=red&edgeFilter=relation&not=even')
  await others.getByRole('button', { name: 'Remove all filters' }).click()
  await others.getByText('6 of 6 nodes, 5 of 5 edges').waitFor()
  t.equal(await focused(other), 'Add filter')
  await address(other, '')
  await choose(other, 'Drawing')
  await other.waitForTimeout(500)
  const back = await countPixels(other, colours.blue)
  t.ok(back > all * 0.8, `${back} of ${all} pixels are blue again`)
})

journey('an attribute with few numbers can be filtered by value or by range', async (t) => {
  const nodes = Array.from({ length: 6 }, (_, index) => ({ id: `n${index}`, metadata: { level: index + 1 } }))
  const { page } = await adaWith(t, browser(), { name: 'Levels', content: { nodes, edges: [] } })
  await page.goto('/graphs/1')
  await openTab(page, 'Filters')
  await add(page, 'level')
  const panel = panelOf(page)
  await panel.getByText('6 of 6 values shown').waitFor()
  await panel.getByText('Range', { exact: true }).click()
  await panel.getByRole('slider', { name: 'Minimum level' }).press('ArrowRight')
  await address(page, 'filter=metadata.level&from=2&to=6')
  await panel.getByText('5 of 6 nodes').waitFor()
  t.same(await seriousFindings(page), [])
  await panel.getByText('Values', { exact: true }).click()
  await panel.getByText('6 of 6 values shown').waitFor()
  await address(page, 'filter=metadata.level')
})

journey('the sliders of a filter follow edits of the numbers', async (t) => {
  const nodes = [0, 2, 4, 6, 8].map((weight) => ({ id: `n${weight}`, metadata: { weight } }))
  const { page } = await adaWith(t, browser(), { name: 'Line', content: { nodes, edges: [] } })
  await page.goto('/graphs/1?tab=nodes&filter=metadata.weight&from=4&to=8')
  await page.getByRole('button', { name: 'Filters (1)' }).click()
  const panel = panelOf(page)
  /** Returns the step, the last step and the value of each thumb. */
  const thumbs = async () => {
    const all = await panel.getByRole('slider').all()
    const names = ['aria-valuenow', 'aria-valuemax', 'aria-valuetext']
    return Promise.all(all.map((one) => Promise.all(names.map((name) => one.getAttribute(name)))))
  }
  await panel.getByText('3 of 5 nodes').waitFor()
  // The slider has a step for each integer.
  t.same(await thumbs(), [
    ['4', '8', '4'],
    ['8', '8', '8']
  ])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('grid').getByRole('gridcell', { name: '6', exact: true }).dblclick()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('15.5')
  await page.keyboard.press('Enter')
  await panel.getByText('2 of 5 nodes').waitFor()
  // The slider has 200 steps from 0 to 15.5.
  t.same(await thumbs(), [
    ['52', '200', '4.03'],
    ['103', '200', '7.983']
  ])
})

journey('a filter by a measure computes it, even after a reload', async (t) => {
  const content = {
    nodes: ['a', 'b', 'c', 'd', 'e', 'f'].map((id, x) => ({ id, x, y: x % 2 })),
    edges: [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'd'],
      ['e', 'f']
    ].map(([source, target]) => ({ source, target }))
  }
  const { page } = await adaWith(t, browser(), { name: 'Two parts', content })
  await page.goto('/graphs/1?colour=none')
  await openTab(page, 'Filters')
  const panel = panelOf(page)
  await add(page, 'Core number')
  const least = panel.getByRole('slider', { name: 'Minimum Core number' })
  await least.focus()
  await page.keyboard.press('ArrowRight')
  await panel.getByText('3 of 6 nodes, 3 of 5 edges').waitFor()
  await page.reload()
  await openTab(page, 'Filters (1)')
  await panel.getByText('3 of 6 nodes, 3 of 5 edges').waitFor()
  await panel.getByRole('button', { name: 'Remove all filters' }).click()
  await add(page, 'Component')
  await panel.getByLabel('Component 1 (4)').uncheck()
  await panel.getByText('2 of 6 nodes, 1 of 5 edges').waitFor()
})

journey('filters show only the neighbourhood of a node, or nodes that contain a text', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?tab=nodes')
  await page.getByRole('button', { name: 'Filters' }).click()
  const panel = panelOf(page)
  await add(page, 'Neighbourhood')
  const around = panel.getByRole('group', { name: 'Neighbourhood' })
  await around.getByText('Choose a node to show only its neighbourhood.').waitFor()
  await panel.getByText('6 of 6 nodes, 5 of 5 edges').waitFor()
  await around.getByRole('combobox', { name: 'Choose a node' }).fill('node 1')
  await page.keyboard.press('Enter')
  await around.getByText('Around Node 1').waitFor()
  await panel.getByText('3 of 6 nodes, 2 of 5 edges').waitFor()
  await around.getByLabel('Depth').fill('2')
  await panel.getByText('4 of 6 nodes, 3 of 5 edges').waitFor()
  await around.getByRole('combobox', { name: 'Another node' }).fill('node 5')
  await page.keyboard.press('Enter')
  await panel.getByText('3 of 6 nodes, 2 of 5 edges').waitFor()
  await address(page, 'around=n5&depth=2')
  await page.getByRole('button', { name: 'Node 4' }).click()
  await page.getByRole('button', { name: 'Show neighbourhood only' }).click()
  await openTab(page, 'Filters (1)')
  await panel.getByText('4 of 6 nodes, 3 of 5 edges').waitFor()
  await address(page, 'around=n4&depth=2')
  await openTab(page, 'Details')
  await page.getByRole('button', { name: 'Close details' }).click()
  await around.getByRole('combobox', { name: 'Another node' }).fill('node 5')
  await page.keyboard.press('Enter')
  await address(page, 'around=n5&depth=2')

  await add(page, 'Text')
  await panel.getByRole('textbox', { name: 'Text' }).fill('BLUE')
  await address(page, 'around=n5&depth=2&with=BLUE')
  await panel.getByRole('textbox', { name: 'Text' }).fill('red')
  await panel.getByText('0 of 6 nodes, 0 of 5 edges').waitFor()
  await panel.getByText('No nodes match all filters. Change or remove a filter.').waitFor()
  t.equal(await panel.getByRole('button', { name: 'Create filtered graph…' }).isDisabled(), true)
  t.same(await seriousFindings(page), [])
})

journey('legend values toggle nodes and edges', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?edgeColour=relation')
  const legend = page.getByRole('region', { name: 'Legend' })
  const value = (name: string, pressed: boolean) => legend.getByRole('button', { name, pressed, exact: true })
  await value('blue (4)', true).focus()
  await page.keyboard.press('Enter')
  await value('blue (0 of 4)', false).waitFor()
  await value('even (0 of 2)', true).waitFor()
  await value('odd (1 of 3)', true).waitFor()
  await address(page, 'filter=metadata.team&not=blue')
  t.equal(
    await page.evaluate('document.activeElement.textContent'),
    'blue(0 of 4)',
    'the focus stays on the toggled value'
  )
  await inspect(t, page, 'legend-filter')
  const svg = (await download(page, 'SVG')).bytes.toString()
  t.match(svg, '>red (2)<')
  t.match(svg, '>odd (1 of 3)<')
  t.notMatch(svg, '>blue', 'legends in pictures list only visible values')
  t.notMatch(svg, '>even')

  await value('blue (0 of 4)', false).focus()
  await page.keyboard.press('Space')
  await value('blue (4)', true).waitFor()
  await address(page, '')
  await page.keyboard.press('ArrowRight')
  t.equal(await focused(page), 'Show only blue', 'the second button of the value comes next')
  await page.keyboard.press('Enter')
  await value('red (0 of 2)', false).waitFor()
  await address(page, 'filter=metadata.team&is=blue')
  t.equal(await focused(page), 'Show all values of team')
  await page.keyboard.press('Enter')
  await value('red (2)', true).waitFor()
  await address(page, '')

  await value('odd (3)', true).click()
  await value('odd (0 of 3)', false).waitFor()
  await address(page, 'edgeFilter=relation&not=odd')
  await openTab(page, 'Filters (1)')
  await panelOf(page).getByText('6 of 6 nodes, 2 of 5 edges').waitFor()
  await panelOf(page).getByRole('group', { name: 'Edges: Relation' }).getByLabel('odd (3)').check()
  await value('odd (3)', true).waitFor()
})

journey('a new graph from visible nodes keeps all their data and opens', async (t) => {
  const { page, as } = await adaWith(t, browser(), {
    ...line,
    type: 'team',
    content: {
      ...line.content,
      metadata: { from: 'a test' },
      edges: line.content.edges.map((edge, index) => ({ ...edge, directed: index > 2 }))
    }
  })
  await page.goto('/graphs/1?filter=metadata.team&is=blue&edgeFilter=relation&not=even')
  await openTab(page, 'Filters (2)')
  const panel = panelOf(page)
  await panel.getByText('4 of 6 nodes, 2 of 5 edges').waitFor()
  await panel.getByRole('button', { name: 'Create filtered graph…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create filtered graph' })
  await dialog.getByText('4 nodes, 2 edges').waitFor()
  t.equal(await dialog.getByLabel(/^Name/).inputValue(), 'Line (part)')
  await inspect(t, page, 'new-graph-from-shown')
  await dialog.getByLabel(/^Name/).press('Enter')
  await page.waitForURL(/\/graphs\/2$/)
  await page.getByRole('heading', { name: 'Line (part)' }).waitFor()
  await openTab(page, 'Filters')
  await panelOf(page).getByText('4 of 4 nodes, 2 of 2 edges').waitFor()
  const { name, type, shared, content } = (await as('ada', 'GET', '/api/graphs/2')).body
  t.same(
    { name, type, shared, content },
    {
      name: 'Line (part)',
      type: 'team',
      shared: false,
      content: {
        directed: true,
        metadata: { from: 'a test' },
        nodes: line.content.nodes.slice(2),
        edges: [
          { ...line.content.edges[2], directed: false },
          { ...line.content.edges[4], directed: true }
        ]
      }
    }
  )

  await choose(page, 'Nodes')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'Create filtered graph…' }).click()
  await dialog.getByLabel(/^Name/).fill('Copy')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/graphs\/3$/)
  await page.getByRole('heading', { name: 'Copy' }).waitFor()
  t.same(
    (await as('ada', 'GET', '/api/graphs/3')).body.content,
    content,
    'the menu of the tables creates the same graph'
  )
})

journey('on a phone the filters are beside the appearance settings, and work by touch', async (t) => {
  const { url, page: first } = await adaWith(t, browser(), line)
  await first.close()
  const viewport = { width: 360, height: 740 }
  const { page } = await openAs(t, browser(), url, 'ada', '/', { viewport, hasTouch: true, isMobile: true })
  await page.goto('/graphs/1')
  await page.getByRole('region', { name: 'Legend' }).getByRole('button', { name: 'Show only red' }).tap()
  await page.getByRole('button', { name: 'Appearance and filters (1)' }).tap()
  await page.getByRole('tab', { name: 'Filters (1)' }).tap()
  const panel = panelOf(page)
  await panel.getByText('2 of 6 nodes, 1 of 5 edges').waitFor()
  await panel.getByLabel('blue (4)').tap()
  await panel.getByText('6 of 6 nodes, 5 of 5 edges').waitFor()
  await inspect(t, page, 'filters-narrow')
  t.equal(await page.evaluate('document.documentElement.scrollWidth'), viewport.width, 'nothing overflows')
})

/** Returns the id of the checkbox with this label. */
function idOf(page: Page, label: string) {
  return page.getByLabel(label, { exact: true }).getAttribute('id')
}
