import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, download, drawing, idsOf, line, placeOfNode } from './graph-page.ts'
import { button, inspect, journeysOf, openAs, pick, picture, serveTeam } from './journeys.ts'

// Selecting several nodes, context menus, connecting nodes by dragging, and labels of edges.

const { browser, journey } = journeysOf(t)

const ADDRESS = '/graphs/1?colour=none&size=none'

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected nodes' })
const selected = (page: Page, count: number) => bar(page).getByText(`${count} selected`).waitFor()
const shown = (page: Page, nodes: number, edges: number) =>
  page.getByText(`${nodes} of 6 nodes, ${edges} of 5 edges`).waitFor()
const items = (page: Page) => page.getByRole('menu').getByRole('menuitem').allInnerTexts()

/** Waits until the next click cannot become a double click. */
const pause = (page: Page) => page.waitForTimeout(400)

async function drag(page: Page, ...[from, ...path]: [{ x: number; y: number }, ...{ x: number; y: number }[]]) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (const { x, y } of path) await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}

async function clickNode(page: Page, index: number, options: { button?: 'right'; modifiers?: 'Shift'[] }) {
  await pause(page)
  const { modifiers: [modifier] = [], ...others } = options
  const { x, y } = await placeOfNode(page, index)
  if (modifier) await page.keyboard.down(modifier)
  await page.mouse.click(x, y, others)
  if (modifier) await page.keyboard.up(modifier)
}

journey('nodes are selected by lasso and Shift, and shown, moved and copied together', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  const [zero, one] = [await placeOfNode(page, 0), await placeOfNode(page, 1)]
  const [left, right, top, bottom] = [zero.x - 20, one.x + 40, one.y - 40, zero.y + 40]
  const lasso = button(page, 'Select nodes with a lasso (Shift + drag)')
  await lasso.click()
  await drag(page, { x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom })
  await selected(page, 2)
  await inspect(t, page, 'selection')
  await lasso.click()
  await clickNode(page, 3, { modifiers: ['Shift'] })
  await selected(page, 3)
  await clickNode(page, 0, { modifiers: ['Shift'] })
  await selected(page, 2)
  t.equal(await page.getByRole('region', { name: 'Details' }).count(), 0, 'no node is opened')

  await pause(page)
  await drag(page, one, { x: one.x, y: one.y + 60 })
  await bar(page).getByRole('button', { name: 'Pin' }).click()
  await button(page, 'Unpin all (2)').waitFor()
  await button(page, 'Save layout').click()
  await button(page, 'Save layout').waitFor({ state: 'detached' })
  const { body } = await as('ada', 'GET', '/api/graphs/1')
  const moved = body.content.nodes.map(({ y }: { y: number }, index: number) => (index % 2) - y)
  t.ok(moved[1] > 0.2, 'node 1 has moved down')
  t.ok(Math.abs(moved[1] - moved[3]) < 1e-4, 'node 3 has moved along with it')
  t.same([moved[0], moved[2], moved[4], moved[5]], [0, 0, 0, 0], 'the others have not moved')

  await bar(page).getByRole('button', { name: 'Show only these' }).click()
  await shown(page, 2, 0)
  t.same(new URL(page.url()).searchParams.getAll('is'), ['n1', 'n3'])
  await button(page, 'Remove all filters').click()
  await bar(page).getByRole('button', { name: 'New graph…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create graph from selection' })
  await dialog.getByText('2 nodes, 0 edges').waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL('**/graphs/2')
  t.same(idsOf((await as('ada', 'GET', '/api/graphs/2')).body.content.nodes), ['n1', 'n3'])
})

journey('the keyboard selects several nodes, opens their menu and edits them together', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await drawing(page).locator('canvas').first().waitFor()
  await button(page, 'Edit').press('Enter')
  await drawing(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+Enter')
  await selected(page, 2)
  await page.getByText(/^Node \d, degree 2, selected$/).waitFor()
  await bar(page).getByRole('button', { name: 'Set value…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set a value for 2 nodes' })
  await pick(dialog.getByRole('combobox', { name: 'Column' }), 'team')
  await dialog.getByLabel('Value of team').fill('green')
  await dialog.getByRole('button', { name: 'Set value' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('2 unsaved changes').waitFor()
  await bar(page).getByRole('button', { name: 'Hide' }).press('Enter')
  await bar(page).waitFor({ state: 'detached' })
  await page.getByText('4 of 6 nodes').waitFor()

  t.equal(await drawing(page).evaluate('document.activeElement.role'), 'application', 'the drawing has the focus')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
  t.same(await items(page), [
    'Show details',
    'Path from here',
    'Path to here',
    'Show neighbourhood only',
    'Add to selection',
    'Pin',
    'Edit node',
    'Connect to…',
    'Remove node'
  ])
  await inspect(t, page, 'menu')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(({ searchParams }) => searchParams.has('pathFrom'))
  await page.getByRole('menu').waitFor({ state: 'detached' })
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.version, 1, 'nothing is saved yet')
})

journey('context menus list what the user may do', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', { ...line, shared: true })
  const { page: reader } = await openAs(t, browser(), url, 'bob', ADDRESS)
  await clickNode(reader, 2, { button: 'right' })
  await reader.getByRole('menu').waitFor()
  t.equal((await items(reader)).at(-1), 'Pin', 'a reader cannot edit a node')
  await reader.keyboard.press('Escape')
  const box = await placeOfNode(reader, 2)
  await reader.mouse.click(box.x, box.y + 120, { button: 'right' })
  await reader.getByRole('menuitem', { name: 'Show all' }).waitFor()
  t.same(await items(reader), ['Show all', 'Run layout'])

  const { page } = await openAs(t, browser(), url, 'ada', ADDRESS)
  const [one, two] = [await placeOfNode(page, 1), await placeOfNode(page, 2)]
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

journey('while editing, dragging with Alt connects two nodes', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await button(page, 'Edit').click()
  await page.getByRole('toolbar', { name: 'Edit' }).waitFor()
  await drawing(page).locator('canvas').first().waitFor()
  await page.waitForTimeout(1000)
  const [from, to] = [await placeOfNode(page, 0), await placeOfNode(page, 3)]
  const dialog = page.getByRole('dialog', { name: 'Add edge' })
  const connect = async () => {
    await page.keyboard.down('Alt')
    await drag(page, from, to)
    await page.keyboard.up('Alt')
    await dialog.getByText('From Node 0').waitFor()
    t.equal(await dialog.getByLabel('Connect to').inputValue(), 'Node 3')
  }
  await connect()
  await picture(page, 'connect')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('No changes').waitFor()
  await connect()
  await dialog.getByLabel('Relation').fill('new')
  await dialog.getByRole('button', { name: 'Add edge' }).click()
  await page.getByText('1 unsaved change').waitFor()
  t.equal(await button(page, 'Save layout').count(), 0, 'no node has moved')
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
