import type { Page } from 'playwright-core'
import t from 'tap'
import type { Point } from '../../picture/edges/shapes.ts'
import { adaWith, countPixels, download, drag, drawing, line, placeOfNode, turn } from './graph-page.ts'
import { button, inspect, journeysOf, openAs, pick, picture, serveTeam } from './journeys.ts'

// Context menus in a drawing, connecting nodes by dragging, and labels of edges.

const { browser, journey } = journeysOf(t)

const ADDRESS = '/graphs/1?colour=none&size=none'

const items = (page: Page) => page.getByRole('menu').getByRole('menuitem').allInnerTexts()

journey('context menus list what the user may do', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', { ...line, shared: true })
  const { page: reader } = await openAs(t, browser(), url, 'bob', ADDRESS)
  const two = await placeOfNode(reader, 2)
  await reader.mouse.click(two.x, two.y, { button: 'right' })
  await reader.getByRole('menu').waitFor()
  t.same((await items(reader)).slice(-2), ['Pin', 'Hide'], 'a reader cannot edit a node')
  await reader.keyboard.press('Escape')
  await reader.mouse.click(two.x, two.y + 120, { button: 'right' })
  await reader.getByRole('menuitem', { name: 'Show all' }).waitFor()
  t.same(await items(reader), ['Show all', 'Run layout'])

  const { page } = await openAs(t, browser(), url, 'ada', ADDRESS)
  const one = await placeOfNode(page, 1)
  await page.mouse.click((one.x + two.x) / 2, (one.y + two.y) / 2, { button: 'right' })
  await page.getByRole('menu').waitFor()
  t.same(await items(page), ['Show details', 'Edit edge', 'Remove edge'])
  await page.getByRole('menuitem', { name: 'Remove edge' }).click()
  await page.getByText('1 unsaved change').waitFor()
  const place = await placeOfNode(page, 2)
  await page.mouse.click(place.x, (place.y + one.y) / 2, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Add node here…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add node' })
  await dialog.getByLabel('Label').fill('Here')
  await dialog.getByRole('button', { name: 'Add node' }).click()
  await page.getByText('2 unsaved changes').waitFor()
  await button(page, 'Save changes').click()
  await page.getByRole('dialog', { name: 'Save changes' }).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Changes to “Line” saved.').waitFor()
  const { nodes, edges } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.equal(edges.length, 4)
  const { label, x, y } = nodes[6]
  t.equal(label, 'Here')
  t.ok(Math.abs(x - 2) < 0.1 && Math.abs(y - 0.5) < 0.1, `the node is where the menu was opened, at ${x}, ${y}`)
})

journey('on a telephone, a long press opens the menu, and a second tap edits a cell', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  await as('ada', 'POST', '/api/graphs', line)
  const viewport = { width: 360, height: 740 }
  const { page, context } = await openAs(t, browser(), url, 'ada', ADDRESS, {
    viewport,
    hasTouch: true,
    isMobile: true
  })
  const touch = await context.newCDPSession(page)
  await drawing(page).locator('canvas').first().waitFor()
  const box = (await drawing(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  // The renderer has a margin of 80 pixels at the sides of a narrow drawing.
  const unit = (box.width - 160) / 5
  const [x, y] = [box.x + box.width / 2 - unit / 2, box.y + box.height / 2 + unit / 2]
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
  await page.getByRole('menuitem', { name: 'Connect to…' }).waitFor()
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await page.getByRole('menuitem', { name: 'Add to selection' }).tap()
  const bar = page.getByRole('toolbar', { name: 'Selected nodes' })
  await bar.getByText('1 selected').waitFor()
  t.equal(await page.getByRole('region', { name: 'Details' }).count(), 0, 'a long press is not a tap')
  t.ok(((await bar.boundingBox())?.height ?? 99) < 50, 'the bar is a single line')
  t.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 360)
  await inspect(t, page, 'phone-selection')

  await page.getByRole('button', { name: 'Actions for Line' }).tap()
  await page.getByRole('menuitem', { name: 'Edit nodes and edges' }).waitFor()
  await inspect(t, page, 'phone-menu')
  await page.getByRole('menuitem', { name: 'Edit nodes and edges' }).tap()
  await page.getByRole('radiogroup').getByText('Nodes', { exact: true }).tap()
  const cell = page.getByRole('gridcell', { name: 'red', exact: true }).first()
  await cell.tap()
  await inspect(t, page, 'phone-table')
  t.equal(await page.getByLabel('Value of team').count(), 0)
  await page.waitForTimeout(400)
  await cell.tap()
  await page.getByLabel('Value of team').waitFor()
  await button(page, 'Share…').tap()
  await page.getByRole('dialog', { name: 'Share “Line”' }).waitFor()
})

journey(
  'nodes of a new graph stay where they were added, also when they are connected, undone and saved',
  async (t) => {
    const { page, as } = await adaWith(t, browser(), { name: 'New' })
    await page.goto('/graphs/1')
    const dialog = page.getByRole('dialog', { name: 'Add node' })
    const add = async (label: string) => {
      await dialog.getByLabel('Label').fill(label)
      await dialog.getByRole('button', { name: 'Add node' }).click()
      await dialog.waitFor({ state: 'detached' })
    }
    await button(page, 'Add node').click()
    await add('First')
    await drawing(page).locator('canvas').first().waitFor()
    const box = (await drawing(page).boundingBox()) ?? { x: 0, y: 0 }
    const [left, right] = [
      { x: box.x + 200, y: box.y + 150 },
      { x: box.x + 700, y: box.y + 450 }
    ]
    const menuAt = async ({ x, y }: { x: number; y: number }) => {
      await page.mouse.click(x, y, { button: 'right' })
      await page.getByRole('menu').waitFor()
      return items(page)
    }
    const isNodeAt = async (place: { x: number; y: number }) => {
      const isNode = (await menuAt(place)).includes('Remove node')
      await page.keyboard.press('Escape')
      return isNode
    }
    for (const [label, place] of Object.entries({ Left: left, Right: right })) {
      await menuAt(place)
      await page.getByRole('menuitem', { name: 'Add node here…' }).click()
      await add(label)
    }
    t.same([await isNodeAt(left), await isNodeAt(right)], [true, true], 'the nodes are at the pointer')
    await page.keyboard.down('Alt')
    await drag(page, left, right)
    await page.keyboard.up('Alt')
    await page.getByText('3 nodes, 1 edge · by ada').waitFor()
    t.same([await isNodeAt(left), await isNodeAt(right)], [true, true], 'connecting moves nothing')
    for (const _ of ['the edge', 'the right node']) await button(page, 'Undo').click()
    await page.getByText('2 nodes, 0 edges · by ada').waitFor()
    t.same([await isNodeAt(left), await isNodeAt(right)], [true, false])
    for (const _ of ['the right node', 'the edge']) await button(page, 'Redo').click()
    await page.getByText('3 nodes, 1 edge · by ada').waitFor()
    t.same([await isNodeAt(left), await isNodeAt(right)], [true, true])
    t.equal(new URL(page.url()).searchParams.get('camera'), null)

    await button(page, 'Save changes').click()
    await page.getByRole('dialog', { name: 'Save changes' }).getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Changes to “New” saved.').waitFor()
    const { algorithm, positions } = (await as('ada', 'GET', '/api/graphs/1/layout')).body
    t.equal(algorithm, 'own', 'the positions are stored')
    const [, [, x1, y1], [, x2, y2]] = positions
    t.ok(Math.abs((y1 - y2) / (x2 - x1) - 300 / 500) < 0.01, 'the positions are those on the screen')
  }
)

journey('while editing, dragging with Alt connects two nodes like the edge before', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await button(page, 'Edit').click()
  await page.getByRole('toolbar', { name: 'Edit' }).waitFor()
  await drawing(page).locator('canvas').first().waitFor()
  await page.waitForTimeout(1000)
  const [from, to] = [await placeOfNode(page, 1), await placeOfNode(page, 3)]
  const form = page.getByRole('form', { name: 'Edit edge' })
  const dialog = page.getByRole('dialog', { name: 'Add edge' })
  const connect = async (from: Point, to: Point) => {
    await page.keyboard.down('Alt')
    await drag(page, from, to)
    await page.keyboard.up('Alt')
    await form.waitFor()
    // The drawing is rebuilt after each step.
    await page.waitForTimeout(500)
  }
  await connect(from, to)
  t.equal(await form.getByLabel('Relation').inputValue(), '')
  await page.keyboard.press('Control+Z')
  await page.getByText('No changes').waitFor()
  await form.waitFor({ state: 'detached' })
  await page.waitForTimeout(500)
  await connect(from, to)
  await picture(page, 'connect')
  await form.getByLabel('Relation').fill('new')
  await turn(form, 'Directed edge', false)
  await connect(to, await placeOfNode(page, 5))
  await page.waitForURL(({ searchParams }) => searchParams.get('edge') === '6')
  t.equal(await form.getByLabel('Relation').inputValue(), 'new')
  await page.getByText('2 unsaved changes').waitFor()
  await page.mouse.click(from.x, from.y, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Connect to…' }).click()
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('Node 4')
  await page.keyboard.press('Enter')
  t.equal(await dialog.getByRole('combobox', { name: 'Connect to' }).inputValue(), 'Node 4 (n4)')
  await page.keyboard.press('Enter')
  await page.getByText('3 unsaved changes').waitFor()
  t.equal(await button(page, 'Save layout').count(), 0, 'no node has moved')
  await button(page, 'Save changes').click()
  await page.getByRole('dialog', { name: 'Save changes' }).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Changes to “Line” saved.').waitFor()
  t.same((await as('ada', 'GET', '/api/graphs/1')).body.content.edges.slice(5), [
    { source: 'n1', target: 'n3', relation: 'new', directed: false },
    { source: 'n3', target: 'n5', relation: 'new', directed: false },
    { source: 'n1', target: 'n4' }
  ])
})

journey('while editing, a drag to an empty place adds a connected node there, which one undo removes', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await button(page, 'Edit').click()
  const ink: [number, number, number] = [0x0b, 0x72, 0x85]
  const [from, to] = [await placeOfNode(page, 1), await placeOfNode(page, 3)]
  const place = { x: to.x, y: to.y - 100 }
  await page.waitForTimeout(1000)
  const all = await countPixels(page, ink)
  await page.keyboard.down('Alt')
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.waitForTimeout(500)
  await picture(page, 'connecting')
  t.ok((await countPixels(page, ink)) > all * 0.8, 'no node fades')
  await page.mouse.move(place.x, place.y, { steps: 4 })
  await page.mouse.up()
  await page.keyboard.up('Alt')
  await page.waitForURL(({ searchParams }) => searchParams.get('node') === 'node 7')
  await page.getByText('7 nodes, 6 edges · by ada').waitFor()
  await page.waitForTimeout(500)
  await page.mouse.click(place.x, place.y, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove node' }).waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
})

journey('while editing, a double-click on an empty place adds a node there', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await button(page, 'Edit').click()
  const { x, y } = await placeOfNode(page, 1)
  await page.waitForTimeout(1000)
  await page.mouse.dblclick(x, y - 100)
  const dialog = page.getByRole('dialog', { name: 'Add node' })
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('Here')
  await page.keyboard.press('Enter')
  await page.getByText('1 unsaved change').waitFor()
  await page.waitForTimeout(500)
  await page.mouse.click(x, y - 100, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Remove node' }).waitFor()
})

journey('while editing, a selected node or edge does not fade the others', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto(`${ADDRESS}&node=n0`)
  await page.getByRole('region', { name: 'Details' }).waitFor()
  await page.waitForTimeout(1000)
  const ink: [number, number, number] = [0x0b, 0x72, 0x85]
  const faded = await countPixels(page, ink)
  await button(page, 'Edit').click()
  await page.getByRole('form', { name: 'Edit node' }).waitFor()
  await page.waitForTimeout(1000)
  const all = await countPixels(page, ink)
  t.ok(faded > 0 && all > faded * 1.5, `${faded} pixels before the edit, ${all} afterwards`)
  const [one, two] = [await placeOfNode(page, 1), await placeOfNode(page, 2)]
  await page.mouse.click((one.x + two.x) / 2, (one.y + two.y) / 2)
  await page.getByRole('form', { name: 'Edit edge' }).waitFor()
  await page.waitForTimeout(1000)
  await picture(page, 'edit-edge')
  const withEdge = await countPixels(page, ink)
  t.ok(withEdge > faded * 1.5, `${withEdge} pixels with a selected edge`)
})

journey('edges are labelled by an attribute, in the drawing, in pictures and in the address', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await pick(page.getByRole('combobox', { name: 'Label edges by' }), 'Relation')
  await page.waitForURL(({ searchParams }) => searchParams.get('edgeLabel') === 'relation')
  await page.waitForTimeout(500)
  await picture(page, 'edge-labels')
  const svg = (await download(page, 'SVG')).bytes.toString()
  t.same(
    [...svg.matchAll(/<text[^>]* transform="rotate\((-?\d+)[^>]*>(\w+)</g)].map(([, angle, text]) => [angle, text]),
    [
      ['-45', 'odd'],
      ['45', 'even'],
      ['-45', 'odd'],
      ['45', 'even'],
      ['-45', 'odd']
    ]
  )
})
