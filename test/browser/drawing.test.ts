import type { Page } from 'playwright-core'
import t from 'tap'
import {
  adaWith,
  choose,
  countPixels,
  download,
  drawing,
  line,
  placeOfNode,
  shareWithAll,
  unitOf
} from './graph-page.ts'
import { journeysOf, picture } from './journeys.ts'

// The drawing of a graph: positions, dragging and the visible part.

const { browser, journey } = journeysOf(t)

/** A ring without positions. */
const ring = {
  name: 'Ring',
  content: {
    directed: false,
    nodes: Array.from({ length: 12 }, (_, index) => ({ id: `n${index}` })),
    edges: Array.from({ length: 12 }, (_, index) => ({ source: `n${index}`, target: `n${(index + 1) % 12}` }))
  }
}

/** Waits until the URL has this parameter. */
const inAddress = (page: Page, name: string) => page.waitForURL(({ searchParams }) => searchParams.has(name))

/** Takes a screenshot of the drawing without the buttons at the top. */
async function look(page: Page) {
  const box = await drawing(page).boundingBox()
  if (!box) throw new Error('nothing is drawn')
  return page.screenshot({ clip: { ...box, y: box.y + 60, height: box.height - 60 }, animations: 'disabled' })
}

/** Takes a screenshot of the drawing once it is stable. */
async function settled(page: Page) {
  let before = await look(page)
  for (const end = Date.now() + 60_000; Date.now() < end; ) {
    const now = await look(page)
    if (before.equals(now)) return now
    before = now
  }
  throw new Error('the drawing does not become stable')
}

/** Waits until the drawing matches this screenshot. */
async function waitForLook(page: Page, wanted: Buffer) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) if (wanted.equals(await look(page))) return true
  return false
}

const save = (page: Page) => page.getByRole('button', { name: 'Save layout' })

journey('a layout survives a switch to the tables, and is saved as shown', async (t) => {
  const { page, as } = await adaWith(t, browser(), ring)
  await page.goto('/graphs/1')
  await save(page).waitFor({ timeout: 60_000 })
  const seen = await settled(page)
  await choose(page, 'Nodes')
  await page.getByRole('table').waitFor()
  await choose(page, 'Drawing')
  await save(page).waitFor()
  t.ok(await waitForLook(page, seen), 'the drawing is the same')
  await save(page).click()
  await save(page).waitFor({ state: 'detached' })
  t.ok(await waitForLook(page, seen), 'the drawing is still the same after the save')
  const { body } = await as('ada', 'GET', '/api/graphs/1')
  t.equal(body.version, 2)
  const places: { x: number; y: number }[] = body.content.nodes
  const lengths = places.map(({ x, y }, index) => {
    const next = places[(index + 1) % 12]
    return Math.hypot(x - (next?.x ?? 0), y - (next?.y ?? 0))
  })
  t.ok(Math.max(...lengths) < 3 * Math.min(...lengths), 'the layout is a ring, not the spiral from which it starts')
  const others = body.content.nodes.map(({ x: _x, y: _y, ...node }: { x: number; y: number }) => node)
  t.same(others, ring.content.nodes, 'nothing else has changed')
  await page.reload()
  await page.getByRole('button', { name: 'Run layout' }).waitFor()
})

journey('moved nodes, zoom and pan survive a save and a rename', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?colour=none')
  const from = await placeOfNode(page, 2)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x + 40, from.y + 60, { steps: 4 })
  await page.mouse.up()
  await save(page).waitFor()
  await page.getByRole('button', { name: 'Zoom in' }).click()
  await inAddress(page, 'camera')
  // The renderer treats a node as hovered until the mouse moves elsewhere in the drawing.
  await page.mouse.move(from.x, from.y + 200)
  const seen = await settled(page)
  const address = page.url()

  await shareWithAll(page, 'Line')
  await save(page).waitFor()
  await save(page).click()
  await save(page).waitFor({ state: 'detached' })
  t.ok(await waitForLook(page, seen))
  t.equal(page.url(), address)
  const { body } = await as('ada', 'GET', '/api/graphs/1')
  t.match(body, { version: 3, shared: true })
  t.ok(body.content.nodes[2].y < -0.2, 'node 2 has moved down')
  t.same(body.content.nodes.toSpliced(2, 1), line.content.nodes.toSpliced(2, 1), 'the other nodes have not moved')
})

journey('dragging a node neither selects anything nor moves the drawing', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  for (const width of [1440, 1024]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/graphs/1?colour=none')
    const before = await drawing(page).boundingBox()
    const from = await placeOfNode(page, 2)
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    // Moves across the edge between nodes 3 and 4 in several mouse events.
    await page.mouse.move(from.x + 150, from.y - 60, { steps: 2 })
    await page.mouse.up()
    await save(page).waitFor()
    t.same(await drawing(page).boundingBox(), before, `at ${width} pixels the drawing stays in place`)
    t.same(new URL(page.url()).search, '?colour=none', 'nothing is selected')
    t.equal(await page.getByRole('region', { name: 'Details' }).count(), 0)
    await picture(page, `drawing-dragged-${width}`)
    const other = await placeOfNode(page, 4)
    // The page would treat two quick clicks as a double click.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 400))')
    await page.mouse.click(other.x, other.y)
    await page.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'Node 4' }).waitFor()
  }
})

journey('after a node is dragged outwards, a link opens the same part of the drawing', async (t) => {
  const { page, context } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  const from = await placeOfNode(page, 2)
  const to = { x: from.x + 40, y: from.y + 60 }
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
  await inAddress(page, 'camera')
  await save(page).click()
  await save(page).waitFor({ state: 'detached' })
  const other = await context.newPage()
  await other.goto(page.url())
  await drawing(other).locator('canvas').first().waitFor()
  await settled(other)
  await other.mouse.click(to.x, to.y)
  await other.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'Node 2' }).waitFor()
})

journey('a link includes the zoom, the pan, and the sort order of tables', async (t) => {
  const { page, context } = await adaWith(t, browser(), line)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  await drawing(page).focus()
  for (const key of ['+', '+', '+']) await page.keyboard.press(key)
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Copy view link' }).click()
  await page.getByText('Link copied.').waitFor()
  const address = await page.evaluate<string>('navigator.clipboard.readText()')
  t.equal(
    new URL(address).searchParams.get('camera'),
    `0.5,0.5,${1 / 1.5 / 1.5 / 1.5}`,
    'zooming takes three steps of 1.5 without animation'
  )
  await page.getByText('Link copied.').waitFor({ state: 'detached' })
  await page.mouse.move(0, 0)
  const seen = await settled(page)
  const other = await context.newPage()
  await other.goto(address)
  await drawing(other).locator('canvas').first().waitFor()
  t.ok(await waitForLook(other, seen), 'the same part is in view')

  await choose(other, 'Nodes')
  const sortBy = (name: string) => other.getByRole('columnheader').getByRole('button', { name, exact: true }).click()
  await sortBy('weight')
  await sortBy('weight')
  await choose(other, 'Edges')
  await sortBy('Relation')
  await choose(other, 'Drawing')
  t.equal(new URL(other.url()).searchParams.get('camera'), `0.5,0.5,${1 / 1.5 / 1.5 / 1.5}`, 'tables keep the camera')
  await choose(other, 'Nodes')
  t.match(other.url(), 'nodeSort=-metadata.weight&edgeSort=relation')
  await page.goto(other.url())
  await page.getByRole('columnheader', { name: 'weight' }).and(page.locator('[aria-sort=descending]')).waitFor()
  t.equal(await page.getByRole('row').nth(1).getByRole('button').innerText(), 'Node 5')
  await choose(page, 'Edges')
  await page.getByRole('columnheader', { name: 'Relation' }).and(page.locator('[aria-sort=ascending]')).waitFor()
  t.equal(await page.getByRole('row').nth(1).getByRole('cell').nth(2).innerText(), 'even')
})

journey('faded nodes do not cover a highlighted edge, in the drawing and in pictures', async (t) => {
  const { nodes } = line.content
  const { page } = await adaWith(t, browser(), {
    name: 'Crossed',
    content: {
      ...line.content,
      // Node 2 lies on the edge.
      nodes: nodes.map((node, index) => ({ ...node, y: index === 5 ? 1 : 0, x: index })),
      edges: [{ source: 'n0', target: 'n4' }]
    }
  })
  await page.goto('/graphs/1?colour=none&size=none&edge=0')
  await page.getByRole('region', { name: 'Details' }).waitFor()
  await settled(page)
  const box = await drawing(page).boundingBox()
  if (!box) throw new Error('nothing is drawn')
  const unit = unitOf(box)
  const clip = {
    x: box.x + box.width / 2 - unit / 2 - 1,
    y: box.y + box.height / 2 + unit / 2 - 3,
    width: 2,
    height: 6
  }
  t.ok((await countPixels(page, [0x49, 0x50, 0x57], clip)) > 0, 'the edge is visible where it crosses the faded node')
  const { bytes } = await download(page, 'SVG')
  const svg = bytes.toString()
  t.ok(svg.indexOf('<title>Node 2</title>') < svg.indexOf('<path d='), 'the faded node is drawn before the edge')
  t.ok(svg.indexOf('<title>Node 0</title>') > svg.indexOf('<path d='), 'the end of the edge is drawn after it')
})

journey('the labels around a selected node do not collide', async (t) => {
  const others = Array.from({ length: 20 }, (_, index) => ({
    id: `n${index}`,
    label: `Neighbour ${index}`,
    x: 10,
    y: 5
  }))
  const content = {
    directed: false,
    nodes: [{ id: 'hub', label: 'Hub', x: 0, y: 0 }, ...others, { id: 'far', x: 20, y: 10 }],
    edges: others.map(({ id }) => ({ source: 'hub', target: id }))
  }
  const { page } = await adaWith(t, browser(), { name: 'Hub', content })
  await page.goto('/graphs/1?colour=none&size=none&node=hub')
  await drawing(page).locator('canvas').first().waitFor()
  const svg = (await download(page, 'SVG')).bytes.toString()
  const labels = [...svg.matchAll(/<text [^>]*>([^<]*)</g)].map(([, label]) => label)
  t.equal(labels.filter((label) => label === 'Hub').length, 1)
  const count = labels.filter((label) => label?.startsWith('Neighbour')).length
  t.ok(count > 0 && count <= 8, `${count} labels fit around a place`)
})
