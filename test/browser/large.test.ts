import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, choose, colours, countPixels } from './graph-page.ts'
import { inspect, journeysOf, picture, seriousFindings } from './journeys.ts'

// Graphs too large to draw: their summary, and drawings of their parts.

const { browser, journey } = journeysOf(t)

/** The number of leaves of the star, which is more than are shown initially. */
const LEAVES = 2500

/** The number of nodes in the star and in the path from its first leaf. */
const COUNT = 60_000

/** A star with a path, and two separate nodes joined by 150,000 edges. One edge of the path has a label. */
const large = {
  name: 'Large',
  content: {
    directed: false,
    nodes: [
      { id: 'n0', label: 'hub' },
      ...Array.from({ length: COUNT - 1 }, (_, before) => ({
        id: `n${before + 1}`,
        metadata: { kind: before < LEAVES ? 'leaf' : 'step' }
      })),
      { id: 'left' },
      { id: 'right' }
    ],
    edges: [
      ...Array.from({ length: COUNT - 1 }, (_, before) => ({
        source: before < LEAVES ? 'n0' : `n${before === LEAVES ? 1 : before}`,
        target: `n${before + 1}`,
        ...(before === 40_000 && { label: 'bridge' })
      })),
      ...Array.from({ length: 150_000 }, () => ({ source: 'left', target: 'right' }))
    ]
  }
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Find a node' })

/** Waits until the drawing shows this many nodes and edges. */
const drawn = (page: Page, counts: string) =>
  page.getByRole('application', { name: `Drawing of Large: ${counts}.` }).waitFor()

/** Searches for a node or edge, and opens its neighbourhood. */
async function find(page: Page, words: string, option: string) {
  await field(page).fill(words)
  await page.getByRole('option', { name: option }).click()
}

journey('a large graph opens as a summary, then as the neighbourhood of a node that expands on click', async (t) => {
  const { page } = await adaWith(t, browser(), large)
  const fetched: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/api\/graphs\/1(?:\/|$)/.test(pathname)) fetched.push(`${request.method()} ${pathname}${search}`)
  })
  await page.goto('/graphs/1')
  const summary = page.getByRole('region', { name: 'Summary' })
  await summary.getByText('step (57,499)').waitFor()
  t.match(
    await summary.innerText(),
    /60,002[\s\S]*209,999[\s\S]*2; the largest has 60,000 nodes[\s\S]*step \(57,499\) · leaf \(2,500\)/
  )
  t.equal(await page.getByRole('radio', { name: 'Drawing' }).isDisabled(), true)
  await page.getByRole('radio', { name: 'Summary' }).focus()
  await page.getByRole('tooltip').getByText('Find a node to see its neighbours').waitFor()
  await inspect(t, page, 'large-summary')

  await find(page, 'n50000', 'n50000')
  await drawn(page, '3 nodes, 2 edges')
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('heading', { name: 'n50000' }).waitFor()
  await page.getByRole('button', { name: 'Show neighbours' }).click()
  await drawn(page, '3 nodes, 2 edges')
  await details.getByRole('button', { name: '– n50001' }).click()
  await details.getByRole('heading', { name: 'n50001' }).waitFor()
  await page.getByRole('button', { name: 'Show neighbours' }).click()
  await drawn(page, '4 nodes, 3 edges')
  t.same(new URL(page.url()).searchParams.getAll('near'), ['n50000', 'n50001'])
  await page.getByRole('button', { name: 'Stop layout' }).waitFor({ state: 'detached' })
  await picture(page, 'large-part')
  t.ok((await countPixels(page, colours.first)) > 0, 'the part is in view')
  t.same(await seriousFindings(page), [], 'axe finds no violation in the part')

  await choose(page, 'Nodes')
  t.equal(await page.getByRole('table', { name: 'Nodes of Large' }).getByRole('row').count(), 5)
  await choose(page, 'Summary')
  await summary.waitFor()
  await page.reload()
  await summary.waitFor()
  await choose(page, 'Drawing')
  await drawn(page, '4 nodes, 3 edges')

  await find(page, 'bridge', 'bridge')
  await drawn(page, '4 nodes, 3 edges')
  t.same(new URL(page.url()).searchParams.getAll('near'), ['n40000', 'n40001'], 'selecting an edge shows its endpoints')

  await find(page, 'hub', 'hub')
  await drawn(page, '2,000 nodes, 1,999 edges')
  await page.getByText('Nearby but not shown: 501 nodes, 501 edges.').waitFor()
  await page.getByRole('button', { name: 'Show more' }).click()
  await drawn(page, '2,501 nodes, 2,500 edges')
  t.same(await page.getByText('Nearby but not shown').count(), 0)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await find(page, 'n50000', 'n50000')
  await drawn(page, '3 nodes, 2 edges')
  await page.getByRole('button', { name: 'Stop layout' }).waitFor({ state: 'detached' })
  await inspect(t, page, 'large-part-narrow')
  await choose(page, 'Summary')
  await summary.getByText('step (57,499)').waitFor()
  await inspect(t, page, 'large-summary-narrow')
  t.same(
    fetched.filter((address) => address === 'GET /api/graphs/1'),
    [],
    'the full content was never fetched'
  )
})

journey('a large graph has tables, and the global search opens it', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), large)
  await page.goto('/graphs')
  await page.getByRole('combobox', { name: 'Search graphs and nodes' }).fill('n30000')
  await page.getByRole('option', { name: 'n30000' }).click()
  await drawn(page, '3 nodes, 2 edges')
  await page.getByRole('combobox', { name: 'Search in' }).selectOption('All graphs')
  await page.getByRole('combobox', { name: 'Search graphs and nodes' }).fill('bridge')
  await page.getByRole('option', { name: 'bridge' }).click()
  await drawn(page, '4 nodes, 3 edges')

  await choose(page, 'Summary')
  await page.getByRole('button', { name: 'Show as tables' }).click()
  await page.getByText('60,002 of 60,002').waitFor({ timeout: 60_000 })
  await page.getByRole('textbox', { name: 'Search this table' }).fill('n59999')
  await page.getByText('1 of 60,002').waitFor()
  await page.getByRole('table').getByRole('button', { name: 'n59999' }).click()
  await page.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'n59999' }).waitFor()
  await choose(page, 'Drawing')
  await page.getByText('more than 200,000 nodes and edges').waitFor()
  await page.getByText('Drawing it takes about 8 seconds and 300 MB of memory').waitFor()
  await page.getByRole('button', { name: 'Draw a part' }).click()
  await drawn(page, '4 nodes, 3 edges')

  // Removes the node while it is shown.
  const { name, content } = large
  const renamed = {
    ...content,
    nodes: content.nodes.map(({ id }) => ({ id: `m${id}` })),
    edges: content.edges.map(({ source, target }) => ({ source: `m${source}`, target: `m${target}` }))
  }
  t.equal((await as('ada', 'PUT', '/api/graphs', { id: 1, name, content: renamed })).status, 200)
  await page.reload()
  await page.getByRole('alert').getByText('node').first().waitFor()
  await find(page, 'mn30000', 'mn30000')
  await drawn(page, '3 nodes, 2 edges')
  t.match(mishaps.errors, [/404 \(Not Found\).*\/subgraph$/], 'the browser logs the missing node')
})

journey('a graph with more than 200,000 elements is drawn if the user accepts the cost', async (t) => {
  const { page } = await adaWith(t, browser(), large)
  await page.goto('/graphs/1')
  await page.getByRole('button', { name: 'Draw everything…' }).press('Enter')
  await page.getByRole('button', { name: 'Draw anyway' }).press('Enter', { timeout: 60_000 })
  await drawn(page, '60,002 nodes, 209,999 edges')
})

journey('a default view can show the whole of a large graph, and the user can return to a part', async (t) => {
  const { page, as } = await adaWith(t, browser(), large)
  await as('ada', 'PUT', '/api/graphs/1/views/Table', { query: 'tab=nodes&whole=true' })
  await as('ada', 'PATCH', '/api/graphs/1', { defaultView: 'Table' })
  await page.goto('/graphs/1')
  await page.getByText('60,002 of 60,002').waitFor({ timeout: 60_000 })
  t.equal(new URL(page.url()).search, '')
  await page.getByRole('table').getByRole('button', { name: 'n1', exact: true }).click()
  await page.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'n1' }).waitFor()
  await page.getByText('60,002 of 60,002', { exact: true }).waitFor()
  await choose(page, 'Drawing')
  await page.getByRole('button', { name: 'Draw a part' }).click()
  await drawn(page, '3 nodes, 2 edges')
})
