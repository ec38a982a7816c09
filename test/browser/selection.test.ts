import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, drag, drawing, idsOf, line, openTab, placeOfNode } from './graph-page.ts'
import { button, inspect, journeysOf, pick } from './journeys.ts'

// Selecting several nodes in a drawing.

const { browser, journey } = journeysOf(t)

const ADDRESS = '/graphs/1?colour=none&size=none'

const bar = (page: Page) => page.getByRole('toolbar', { name: 'Selected nodes' })
const selected = (page: Page, count: number) => bar(page).getByText(`${count} selected`).waitFor()
const shown = (page: Page, nodes: number, edges: number) =>
  page.getByText(`${nodes} of 6 nodes, ${edges} of 5 edges`).waitFor({ state: 'attached' })
const items = (page: Page) => page.getByRole('menu').getByRole('menuitem').allInnerTexts()

/** Waits until the next click cannot become a double click. */
const pause = (page: Page) => page.waitForTimeout(400)

async function clickWithShift(page: Page, index: number) {
  await pause(page)
  const { x, y } = await placeOfNode(page, index)
  await page.keyboard.down('Shift')
  await page.mouse.click(x, y)
  await page.keyboard.up('Shift')
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
  await clickWithShift(page, 3)
  await selected(page, 3)
  await clickWithShift(page, 1)
  await selected(page, 2)
  t.equal(await page.getByRole('region', { name: 'Details' }).count(), 0, 'no node is opened')
  await openTab(page, 'Details')
  const list = page.getByRole('region', { name: 'Selected nodes' })
  t.same(await list.getByRole('listitem').allInnerTexts(), ['Node 0', 'Node 3'])
  await inspect(t, page, 'selection-list')

  await pause(page)
  const three = await placeOfNode(page, 3)
  await drag(page, three, { x: three.x, y: three.y + 60 })
  await bar(page).getByRole('button', { name: 'Pin' }).click()
  await button(page, 'Unpin all (2)').waitFor()
  await button(page, 'Save layout').click()
  await button(page, 'Save layout').waitFor({ state: 'detached' })
  const { body } = await as('ada', 'GET', '/api/graphs/1')
  const moved = body.content.nodes.map(({ y }: { y: number }, index: number) => (index % 2) - y)
  t.ok(moved[3] > 0.2, 'node 3 has moved down')
  t.ok(Math.abs(moved[3] - moved[0]) < 1e-4, 'node 0 has moved along with it')
  t.same([moved[1], moved[2], moved[4], moved[5]], [0, 0, 0, 0], 'the others have not moved')

  await bar(page).getByRole('button', { name: 'Show only these' }).click()
  await shown(page, 2, 0)
  t.same(new URL(page.url()).searchParams.getAll('is'), ['n0', 'n3'])
  await page.getByText('4 nodes are hidden by a filter.').waitFor()
  await page.keyboard.press('Control+z')
  await shown(page, 6, 5)
  await selected(page, 2)
  await bar(page).getByRole('button', { name: 'Show only these' }).click()
  await shown(page, 2, 0)
  await openTab(page, 'Filters (1)')
  await button(page, 'Remove all filters').click()
  await openTab(page, 'Details')
  await list.getByRole('button', { name: 'Node 3' }).click()
  await page.getByRole('heading', { name: 'Node 3' }).waitFor()
  await button(page, 'Close details').click()
  await list.waitFor()
  await bar(page).getByRole('button', { name: 'New graph…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create graph from selection' })
  await dialog.getByText('2 nodes, 0 edges').waitFor()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL('**/graphs/2')
  t.same(idsOf((await as('ada', 'GET', '/api/graphs/2')).body.content.nodes), ['n0', 'n3'])
})

journey('Ctrl+A in the drawing and a button of the filters select all shown nodes', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto(`${ADDRESS}&filter=metadata.team&is=blue`)
  await drawing(page).locator('canvas').first().waitFor()
  await drawing(page).focus()
  await page.keyboard.press('Control+A')
  await selected(page, 4)
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  await openTab(page, 'Filters (1)')
  await button(page, 'Select all shown nodes (4)').press('Enter')
  await selected(page, 4)
  await inspect(t, page, 'selection-shown')
  await button(page, 'Remove all filters').click()
  await button(page, 'Select all shown nodes (6)').click()
  await selected(page, 6)
  await openTab(page, 'Details')
  t.equal(await page.getByRole('region', { name: 'Selected nodes' }).getByRole('listitem').count(), 6)
})

journey('several selected nodes are pinned and removed together, by menu and by key', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await clickWithShift(page, 1)
  await clickWithShift(page, 4)
  await selected(page, 2)
  // An edit moves no node in the window.
  const [{ x, y }, five] = [await placeOfNode(page, 1), await placeOfNode(page, 5)]
  await pause(page)
  await page.mouse.click(x, y, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Pin 2 nodes' }).click()
  await button(page, 'Unpin all (2)').waitFor()
  await page.keyboard.press('Delete')
  await page.mouse.click(x, y, { button: 'right' })
  await page.getByRole('menuitem', { name: 'Unpin 2 nodes' }).waitFor()
  await page.getByRole('menuitem', { name: 'Remove 2 nodes' }).click()
  await page.getByText('6 unsaved changes').waitFor()
  t.equal(await bar(page).count(), 0)
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  await selected(page, 2)
  await bar(page).getByRole('button', { name: 'Remove nodes' }).click()
  await page.getByText('6 unsaved changes').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  await selected(page, 2)

  await drawing(page).focus()
  await page.keyboard.press('Delete')
  await page.getByText('6 unsaved changes').waitFor()
  await page.mouse.click(five.x, five.y)
  await page.getByRole('form', { name: 'Edit node' }).waitFor()
  await page.keyboard.press('Backspace')
  await page.getByText('7 unsaved changes').waitFor()
})

journey('the menu of selected nodes hides them, which can be undone, sets a value, and connects them', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  const menuOf = async (index: number) => {
    await pause(page)
    const { x, y } = await placeOfNode(page, index)
    await page.mouse.click(x, y, { button: 'right' })
  }
  await clickWithShift(page, 1)
  await clickWithShift(page, 4)
  await menuOf(1)
  await page.getByRole('menuitem', { name: 'Hide 2 nodes' }).click()
  await shown(page, 4, 1)
  t.equal(await bar(page).count(), 0)
  await page.getByText('2 nodes are hidden by a filter.').waitFor()
  await menuOf(5)
  await page.getByRole('menuitem', { name: 'Hide', exact: true }).click()
  await page.getByText('3 nodes are hidden by a filter.').waitFor()
  t.same(new URL(page.url()).searchParams.getAll('not'), ['n1', 'n4', 'n5'], 'one filter hides all of them')
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await shown(page, 4, 1)
  await openTab(page, 'Filters (1)')
  const ids = page.getByRole('group', { name: 'Values of ID' })
  const names = (indexes: number[]) => indexes.map((index) => `Node ${index} (n${index})`)
  t.same(await ids.locator('label').allInnerTexts(), names([1, 4, 0, 2, 3, 5]), 'the hidden nodes come first')
  await ids.getByLabel('Node 4 (n4)').click()
  await shown(page, 5, 3)
  t.same(await ids.locator('label').allInnerTexts(), names([1, 4, 0, 2, 3, 5]), 'a box stays in place')
  await button(page, 'Remove all filters').click()

  await clickWithShift(page, 1)
  await clickWithShift(page, 4)
  await menuOf(1)
  await page.getByRole('menuitem', { name: 'Set value of 2 nodes…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a value for 2 nodes' })
  await dialog.getByLabel('Attribute name').fill('seen')
  await dialog.getByLabel('Value of seen').fill('yes')
  await dialog.getByRole('button', { name: 'Set value' }).click()
  await page.getByText('2 unsaved changes').waitFor()
  await selected(page, 2)
  await button(page, 'Undo').click()

  await clickWithShift(page, 5)
  await menuOf(1)
  await page.getByRole('menuitem', { name: 'Connect 3 nodes to…' }).click()
  const form = page.getByRole('dialog', { name: 'Connect 3 nodes' })
  await form.locator('input:focus').waitFor()
  await page.keyboard.type('Node 5')
  await page.keyboard.press('Enter')
  await form.getByRole('button', { name: 'Add 2 edges' }).waitFor()
  await form.getByRole('combobox', { name: 'Connect to' }).fill('Node 0')
  await page.keyboard.press('Enter')
  await form.getByLabel('Relation').fill('likes')
  await inspect(t, page, 'selection-connect')
  await form.getByRole('button', { name: 'Add 3 edges' }).click()
  await page.getByText('3 unsaved changes').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  await button(page, 'Redo').click()
  await button(page, 'Save changes').click()
  await page.getByRole('dialog', { name: 'Save changes' }).getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Changes to “Line” saved.').waitFor()
  t.same(
    (await as('ada', 'GET', '/api/graphs/1')).body.content.edges.slice(5),
    ['n1', 'n4', 'n5'].map((source) => ({ source, target: 'n0', relation: 'likes' })),
    'each node has an edge to the target'
  )
})

journey('the keyboard selects several nodes, opens their menu and edits them together', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto(ADDRESS)
  await drawing(page).locator('canvas').first().waitFor()
  await button(page, 'Edit').press('Enter')
  await drawing(page).focus()
  const selectTwo = async () => {
    for (const key of ['ArrowRight', 'Shift+Enter', 'ArrowRight', 'Shift+Enter']) await page.keyboard.press(key)
    await selected(page, 2)
  }
  await selectTwo()
  await page.keyboard.press('Enter')
  await page.getByRole('form', { name: 'Edit node' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Selected nodes' }).waitFor()
  await selected(page, 2)
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  await selectTwo()
  await page.getByText(/^Node \d, degree 2, selected$/).waitFor()
  await bar(page).getByRole('button', { name: 'Set value…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Set a value for 2 nodes' })
  await pick(dialog.getByRole('combobox', { name: 'Column' }), 'team')
  await dialog.getByLabel('Value of team').fill('green')
  await dialog.getByRole('button', { name: 'Set value' }).press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('2 unsaved changes').waitFor()
  const hide = () => bar(page).getByRole('button', { name: 'Hide' }).press('Enter')
  await hide()
  await bar(page).waitFor({ state: 'detached' })
  await page.getByText('4 of 6 nodes').waitFor({ state: 'attached' })
  await page.keyboard.press('Control+z')
  await page.getByText('6 of 6 nodes').waitFor({ state: 'attached' })
  await selected(page, 2)
  await page.getByText('2 unsaved changes').waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('No changes').waitFor()
  await page.keyboard.press('Control+y')
  await page.getByText('2 unsaved changes').waitFor()
  await page.keyboard.press('Escape')
  for (let step = 0; step < 2; step++) {
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Shift+Enter')
  }
  await hide()
  await page.getByText('4 of 6 nodes').waitFor({ state: 'attached' })

  t.equal(await drawing(page).evaluate('document.activeElement.role'), 'application', 'the drawing has the focus')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Edit node' }).press('Enter')
  const label = page.getByRole('form', { name: 'Edit node' }).getByLabel('Label')
  await label.and(page.locator(':focus')).waitFor()
  await drawing(page).focus()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menu').waitFor()
  t.same(await items(page), [
    'Show details',
    'Path from here',
    'Path to here',
    'Show neighbourhood only',
    'Add to selection',
    'Pin',
    'Hide',
    'Edit node',
    'Connect to…',
    'Set value…',
    'Remove node'
  ])
  await inspect(t, page, 'menu')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(({ searchParams }) => searchParams.has('pathFrom'))
  await page.getByRole('menu').waitFor({ state: 'detached' })
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.version, 1, 'nothing is saved yet')
})
