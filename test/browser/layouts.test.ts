import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, countPixels, download, drawing, drawnPlaces, idsOf, line } from './graph-page.ts'
import { button, inspect, journeysOf, pick, picture, seriousFindings } from './journeys.ts'

// Layouts: the positions they assign to nodes, and their use with the mouse and keyboard.

const { browser, journey } = journeysOf(t)

/** A tree of three layers with geographic coordinates, and with `__proto__` as an id. */
const places = [
  { id: '__proto__', label: 'Top', lat: 60, lon: 10 },
  { id: 'a', label: 'A', lat: 50, lon: 0 },
  { id: 'b', label: 'B', lat: 40, lon: 20 },
  { id: 'c', label: 'C', lat: 45, lon: 10 }
]
const tree = {
  name: 'Tree',
  content: {
    directed: true,
    nodes: places.map(({ id, label, lat, lon }, index) => ({ id, label, x: index, y: 0, metadata: { lat, lon } })),
    edges: [
      { source: '__proto__', target: 'a' },
      { source: '__proto__', target: 'b' },
      { source: 'a', target: 'c' }
    ]
  }
}

/** Returns the positions of the nodes in the picture of the drawing, by label. */
const treePlaces = (page: Page) =>
  drawnPlaces(page) as Promise<Record<'Top' | 'A' | 'B' | 'C', { x: number; y: number }>>

async function choose(page: Page, layout: string) {
  await button(page, 'Layout options').click()
  await page.getByRole('radio', { name: layout, exact: true }).check()
}

/** Runs a layout from the options dialog, which then closes. */
async function start(page: Page) {
  await page.getByRole('dialog').getByRole('button', { name: 'Run layout' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await button(page, 'Undo layout').waitFor()
}

/** Saves the layout and returns the ids of moved nodes. */
async function save(page: Page) {
  const sent = page.waitForRequest((request) => request.method() === 'PATCH')
  await button(page, 'Save layout').click()
  await button(page, 'Save layout').waitFor({ state: 'detached' })
  return idsOf((await sent).postDataJSON().nodes.put)
}

journey('each layout places the nodes as described, and can be undone and saved', async (t) => {
  const { page, as } = await adaWith(t, browser(), tree)
  await page.goto('/graphs/1?size=none&colour=none')
  await drawing(page).locator('canvas').first().waitFor()
  const before = await treePlaces(page)
  const layOut = async (layout: string) => {
    await choose(page, layout)
    await start(page)
    return treePlaces(page)
  }

  const layers = await layOut('Layered')
  t.ok(layers.Top.y < layers.A.y && layers.A.y < layers.C.y, 'edges point downwards')
  t.equal(layers.A.y, layers.B.y)
  await picture(page, 'layout-layers')
  await button(page, 'Undo layout').click()
  t.same(await treePlaces(page), before, 'the drawing is unchanged')
  t.equal(await button(page, 'Save layout').count(), 0)

  await choose(page, 'Map')
  await inspect(t, page, 'layout-options')
  await start(page)
  const map = await treePlaces(page)
  t.ok(map.Top.y < map.A.y && map.A.y < map.C.y, 'north is at the top')
  t.ok(map.A.x < map.Top.x && map.C.x < map.B.x, 'west is at the left')
  t.equal(map.C.x, map.Top.x)

  // The first two numeric attributes are the latitude (x axis) and the longitude (y axis).
  const spread = await layOut('Coordinates')
  t.ok(spread.B.x < spread.C.x && spread.C.x < spread.A.x)
  t.ok(spread.B.y < spread.C.y && spread.C.y < spread.A.y)

  const { B, C, ...others } = await layOut('Circular')
  const middle = { x: (B.x + C.x) / 2, y: (B.y + C.y) / 2 }
  const radii = [B, C, ...Object.values(others)].map(({ x, y }) => Math.round(Math.hypot(x - middle.x, y - middle.y)))
  t.equal(new Set(radii).size, 2, String(radii))

  const rowsOf = (nodes: { y: number }[]) => new Set(nodes.map(({ y }) => y)).size
  t.equal(rowsOf(Object.values(await layOut('Grid'))), 2, 'the grid has two rows of two')
  await layOut('Layered')
  for (let step = 0; step < 2; step++) await button(page, 'Undo layout').click()
  t.same(await treePlaces(page), { B, C, ...others }, 'two layouts are undone')
  await choose(page, 'Grid')
  await page.getByRole('dialog').getByRole('checkbox', { name: 'Descending' }).check()
  await start(page)
  const grid = await treePlaces(page)
  t.ok(grid.Top.y === grid.A.y && grid.A.y < grid.B.y, 'nodes with the most edges come first')
  t.equal((await save(page)).length, 3, 'the first node was already there')
  t.equal(rowsOf((await as('ada', 'GET', '/api/graphs/1')).body.content.nodes), 2)
})

journey('a radial tree has the selected node in the middle', async (t) => {
  const { page } = await adaWith(t, browser(), tree)
  await page.goto('/graphs/1?size=none&colour=none&node=__proto__')
  await drawing(page).locator('canvas').first().waitFor()
  await choose(page, 'Radial tree')
  await start(page)
  const { Top, A, B, C } = await treePlaces(page)
  const [a, b, c] = [A, B, C].map(({ x, y }) => Math.hypot(x - Top.x, y - Top.y)) as [number, number, number]
  t.ok(Math.abs(a - b) < 0.1 && Math.abs(c - 2 * a) < 0.1, `${a}, ${b} and ${c} pixels from the middle`)
  await picture(page, 'layout-radial')
})

journey('a layout is chosen by keyboard, and reports when no node has a position', async (t) => {
  const ring = {
    name: 'Ring',
    content: {
      directed: true,
      nodes: ['a', 'b', 'c'].map((id, x) => ({ id, x, y: 0, metadata: { lon: 900, lat: x } })),
      edges: ['ab', 'bc', 'ca'].map(([source, target]) => ({ source, target }))
    }
  }
  const { page } = await adaWith(t, browser(), ring)
  await page.goto('/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  await button(page, 'Layout options').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: 'Force-directed' }).focus()
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowDown')
  t.equal(await page.getByRole('radio', { name: 'Map' }).isChecked(), true)
  await page.getByRole('dialog').getByRole('button', { name: 'Run layout' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('No node has values for these attributes. Choose others.').waitFor()
  t.equal(await button(page, 'Undo layout').count(), 0, 'there is nothing to undo')
  await page.getByRole('radio', { name: 'Map' }).focus()
  for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowUp')
  await page.getByRole('dialog').getByRole('button', { name: 'Run layout' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('The graph has cycles. Edges that point back: 1.').waitFor()
  await page.keyboard.press('Escape')
})

journey('a layout runs only if the nodes have the required attributes', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  /** Returns whether each button that runs a layout is disabled. */
  const starts = async () => Promise.all((await button(page, 'Run layout').all()).map((start) => start.isDisabled()))
  t.same(await starts(), [false])
  // No attribute name looks like a longitude or latitude.
  await choose(page, 'Map')
  t.same(await starts(), [true, true])
  for (const name of ['Longitude', 'Latitude']) {
    await pick(page.getByRole('dialog').getByRole('combobox', { name }), 'weight')
  }
  t.same(await starts(), [false, false])
})

journey('a stopped force-directed layout is adjusted so that no nodes overlap, and can continue', async (t) => {
  const count = 1500
  const nodes = Array.from({ length: count }, (_, index) => ({
    id: `n${index}`,
    x: index % 25,
    y: Math.floor(index / 25)
  }))
  const edges = Array.from({ length: count * 2 }, (_, index) => ({
    source: `n${index % count}`,
    target: `n${(index * 7 + 3) % 500}`
  }))
  const { page } = await adaWith(t, browser(), { name: 'Heap', content: { directed: false, nodes, edges } })
  await page.goto('/graphs/1?size=none&colour=none')
  await drawing(page).locator('canvas').first().waitFor()
  const resume = button(page, 'Continue layout')
  // On a busy machine, the layout may settle before it is stopped.
  for (let run = 0; run < 5 && (await resume.count()) === 0; run++) {
    await button(page, 'Run layout').click()
    await button(page, 'Stop layout')
      .click({ timeout: 10_000 })
      .catch(() => {})
    await button(page, 'Run layout').waitFor()
  }
  const svg = (await download(page, 'SVG')).bytes.toString()
  const circles = [...svg.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)" r="([\d.]+)"/g)].map(
    ([, x, y, r]) => [Number(x), Number(y), Number(r)] as const
  )
  t.equal(circles.length, count)
  const overlaps = circles.filter(([x, y, r], index) =>
    circles.slice(0, index).some(([u, v, s]) => Math.hypot(x - u, y - v) < r + s - 0.5)
  )
  t.same(overlaps, [])
  await picture(page, 'layout-stopped')
  await resume.click()
  await resume.waitFor({ state: 'hidden' })
  await button(page, 'Run layout').waitFor({ timeout: 60_000 })
  t.equal(await resume.count(), 0, 'the nodes have settled')
})

journey('a pinned node stays in place in every layout until it is unpinned', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?size=none&colour=none')
  await drawing(page).locator('canvas').first().waitFor()
  await drawing(page).focus()
  await page.keyboard.press('ArrowRight')
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('p')
  await page.getByText('Node 5, degree 1, pinned').waitFor()
  await page.goto('/graphs/1?size=none&colour=none&node=n0')
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('button', { name: 'Pin', exact: true }).click()
  await details.getByRole('button', { name: 'Unpin', exact: true }).waitFor()
  await drawing(page).focus()
  await page.keyboard.press('Escape')
  for (let step = 0; step < 6; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('p')
  await button(page, 'Unpin all (2)').waitFor()
  await picture(page, 'layout-pins')
  const ink: [number, number, number] = [0x1a, 0x1b, 0x1e]
  const dots = await countPixels(page, ink)
  await page.keyboard.press('p')
  await button(page, 'Unpin all (1)').waitFor()
  const fewer = await countPixels(page, ink)
  t.ok(dots - fewer > 10, `a pin has ${dots - fewer} pixels`)
  await page.keyboard.press('p')
  await button(page, 'Unpin all (2)').waitFor()
  t.same(await seriousFindings(page), [])

  for (const layout of ['Grid', 'Force-directed']) {
    await choose(page, layout)
    await start(page)
    t.same((await save(page)).toSorted(), ['n1', 'n2', 'n3', 'n4'], `by ${layout}`)
  }
  const { nodes } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.same([nodes[0], nodes[5]], [line.content.nodes[0], line.content.nodes[5]])

  await button(page, 'Unpin all (2)').click()
  await button(page, 'Unpin all (2)').waitFor({ state: 'detached' })
  await choose(page, 'Circular')
  await start(page)
  t.equal((await save(page)).length, 6)
})

journey('the forces can go on from the current places', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?size=none&colour=none')
  await drawing(page).locator('canvas').first().waitFor()
  await button(page, 'Layout options').click()
  await pick(page.getByRole('dialog').getByRole('combobox', { name: 'Start' }), 'From the current places')
  await start(page)
  t.equal((await save(page)).length, 6)
  const { nodes } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.same(
    idsOf(nodes.toSorted((one: { x: number }, other: { x: number }) => one.x - other.x)),
    idsOf(line.content.nodes),
    'a layout from scratch would turn the line around'
  )
})
