import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, choose, line } from './graph-page.ts'
import { button, inspect, journeysOf, pick, picture } from './journeys.ts'

// Editing nodes and edges in tables.

const { browser, journey } = journeysOf(t)

const nodes = (page: Page) => page.getByRole('grid', { name: 'Nodes of Line' })
/** Returns the cell at this row and column, counted from 0. Column 0 holds the checkboxes. */
const cell = (page: Page, row: number, column: number) =>
  page
    .getByRole('grid')
    .getByRole('row')
    .nth(row + 1)
    .getByRole('gridcell')
    .nth(column)

/** Opens a table and starts an edit. */
async function edit(page: Page, tab: 'nodes' | 'edges' = 'nodes') {
  await page.goto(`/graphs/1?tab=${tab}`)
  await button(page, 'Edit').click()
  await page.getByRole('grid').waitFor()
}

async function save(page: Page) {
  await button(page, 'Save changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await button(page, 'Edit').waitFor()
}

journey('cells are edited by keyboard, and values keep their types', async (t) => {
  const content = {
    ...line.content,
    nodes: line.content.nodes.map((node, index) => ({ ...node, metadata: { ...node.metadata, old: index > 2 } }))
  }
  const { page, as } = await adaWith(t, browser(), { name: 'Line', content })
  await edit(page)
  t.same(
    await nodes(page)
      .getByRole('columnheader')
      .allInnerTexts()
      .then((all) => all.map((one) => one.replaceAll(/\s+/g, ' ').trim())),
    ['', 'Label', 'ID', 'team', 'weight', 'old', 'Degree calculated', 'In-degree calculated', 'Out-degree calculated']
  )
  // The first arrow key moves to the first cell.
  await page.getByRole('region', { name: 'Nodes of Line' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  t.equal(await cell(page, 0, 1).and(page.locator(':focus')).count(), 1)
  await page.keyboard.type('Null')
  await page.keyboard.press('Tab')
  // The id is read-only.
  await page.keyboard.type('x')
  t.equal(await nodes(page).getByRole('textbox').count(), 0)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  t.equal(await nodes(page).getByRole('textbox', { name: 'Value of team' }).inputValue(), 'red')
  await page.keyboard.press('End')
  await page.keyboard.type('dish')
  await page.keyboard.press('Enter')
  await page.getByText('1 unsaved change').waitFor()
  // Enter has moved the focus to the cell below.
  await page.keyboard.press('ArrowRight')
  await page.keyboard.type('many')
  await page.getByText('Enter a number.').waitFor()
  await page.keyboard.press('Enter')
  t.equal(
    await nodes(page).getByRole('textbox', { name: 'Value of weight' }).inputValue(),
    'many',
    'the invalid text is not accepted'
  )
  await inspect(t, page, 'edit-table')
  await page.keyboard.press('Escape')
  await page.keyboard.type('-7.25')
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('F2')
  await nodes(page).getByRole('combobox', { name: 'Value of old' }).selectOption('true')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Delete')
  await page.getByText('4 unsaved changes').waitFor()
  await save(page)
  const { version, content: saved } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.equal(version, 2)
  const [first, second, third, fourth, ...rest] = content.nodes
  t.same(saved.nodes, [
    { ...first, label: 'Null', metadata: { team: 'reddish', weight: 0, old: false } },
    { ...second, metadata: { team: 'red', weight: -7.25, old: false } },
    { ...third, metadata: { team: 'blue', weight: 3, old: true } },
    { ...fourth, metadata: { team: 'blue', weight: 4.5 } },
    ...rest
  ])
})

journey('columns keep their widths while a cell is edited', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  const widths = async () =>
    Promise.all(
      (await nodes(page).getByRole('columnheader').all()).map(async (one) => (await one.boundingBox())?.width)
    )
  const before = await widths()
  for (const column of [1, 3, 4]) {
    await cell(page, 1, column).dblclick()
    await nodes(page).getByRole('textbox').fill('A much longer text than any other value of the column')
    t.same(await widths(), before)
    await picture(page, `edited-cell-${column}`)
    await page.keyboard.press('Escape')
  }
})

journey('setting a value on several rows is one step, and so is removing several rows', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await edit(page)
  const choice = (number: number) => nodes(page).getByRole('checkbox', { name: `Select row ${number}`, exact: true })
  const toolbar = page.getByRole('toolbar', { name: 'Selected nodes' })
  t.equal(await toolbar.getByRole('button', { name: 'Remove' }).isDisabled(), true)
  await choice(2).click()
  await choice(5).click({ modifiers: ['Shift'] })
  await toolbar.getByText('4 selected').waitFor()
  await toolbar.getByRole('button', { name: 'Show only these' }).click()
  await page.getByText('4 of 6', { exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText('6 of 6', { exact: true }).waitFor()
  await toolbar.getByRole('button', { name: 'New graph…' }).click()
  await page.getByRole('dialog', { name: 'Create graph from selection' }).getByText('4 nodes, 3 edges').waitFor()
  await page.keyboard.press('Escape')
  await toolbar.getByRole('button', { name: 'Hide' }).click()
  await page.getByText('2 of 6', { exact: true }).waitFor()
  await toolbar.getByText('0 selected').waitFor()
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await toolbar.getByText('4 selected').waitFor()
  await inspect(t, page, 'edit-table-selection')
  await choice(3).click()
  await toolbar.getByText('3 selected').waitFor()
  t.equal(await nodes(page).getByRole('row', { selected: true }).count(), 3)

  await toolbar.getByRole('button', { name: 'Set value…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a value for 3 nodes' })
  await dialog.getByLabel('Attribute name').fill('__proto__')
  await pick(dialog.getByLabel('Type of __proto__'), 'Number')
  await dialog.getByLabel('Value of __proto__').fill('many')
  t.equal(await dialog.getByRole('button', { name: 'Set value', exact: true }).isDisabled(), true)
  await dialog.getByLabel('Value of __proto__').fill('8')
  await picture(page, 'edit-table-set')
  await dialog.getByRole('button', { name: 'Set value', exact: true }).click()
  await page.getByText('3 unsaved changes').waitFor()
  t.equal(await nodes(page).getByRole('columnheader', { name: '__proto__' }).count(), 1)
  t.equal(await page.evaluate('({}).weight === undefined && Object.getPrototypeOf({}) === Object.prototype'), true)
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  await button(page, 'Redo').click()
  await page.getByText('3 unsaved changes').waitFor()

  // An empty value removes the attribute from all rows.
  await toolbar.getByRole('button', { name: 'Set value…' }).click()
  await pick(dialog.getByRole('combobox', { name: 'Column' }), 'team')
  await dialog.getByRole('button', { name: 'Set value', exact: true }).click()
  await toolbar.getByText('3 selected').waitFor()

  // Selects the row of the focused cell and extends the selection to another row, by keyboard.
  await cell(page, 0, 1).focus()
  await page.keyboard.press('Escape')
  await toolbar.getByText('0 selected').waitFor()
  await page.keyboard.press('Space')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+Space')
  await toolbar.getByText('3 selected').waitFor()
  await toolbar.getByRole('button', { name: 'Remove' }).click()
  // The edit removes three nodes and three edges, and changes two other nodes.
  await page.getByText('8 unsaved changes').waitFor()
  await toolbar.getByText('0 selected').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('3 unsaved changes').waitFor()
  await button(page, 'Redo').click()
  await save(page)
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  const [, , , fourth, fifth, sixth] = line.content.nodes
  t.same(JSON.parse(JSON.stringify(content.nodes)), [
    { ...fourth, metadata: JSON.parse('{"weight":4.5,"__proto__":8}') },
    { ...fifth, metadata: JSON.parse('{"weight":6,"__proto__":8}') },
    sixth
  ])
  t.same(content.edges, line.content.edges.slice(3))
})

journey('edges get relations and labels in their table, and Ctrl+A selects all rows', async (t) => {
  const edges = line.content.edges.map(({ source, target }) => ({ source, target }))
  const { page, as } = await adaWith(t, browser(), { name: 'Line', content: { ...line.content, edges } })
  await edit(page, 'edges')
  await cell(page, 1, 4).dblclick()
  await page.getByRole('textbox', { name: 'Value of Relation' }).fill('knows')
  // Moving the focus elsewhere accepts the typed text.
  await choose(page, 'Nodes')
  await page.getByText(/unsaved changes?/).waitFor()
  await choose(page, 'Edges')
  await cell(page, 0, 3).focus()
  await page.keyboard.press('Control+A')
  await page.getByRole('toolbar', { name: 'Selected rows' }).getByText('5 selected').waitFor()
  await page.getByRole('button', { name: 'Set value…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Set a value for 5 rows' })
  await pick(dialog.getByRole('combobox', { name: 'Column' }), 'Label')
  await dialog.getByRole('textbox', { name: /^Value of/ }).fill('tie')
  await dialog.getByRole('button', { name: 'Set value', exact: true }).click()
  await save(page)
  t.same(
    (await as('ada', 'GET', '/api/graphs/1')).body.content.edges.toSorted(
      (a: { source: string }, b: { source: string }) => a.source.localeCompare(b.source)
    ),
    edges.map((edge, index) => ({ ...edge, ...(index === 1 && { relation: 'knows' }), label: 'tie' }))
  )
})

journey('a click outside a cell accepts its text and moves the focus', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  await cell(page, 0, 1).dblclick()
  await page.getByRole('textbox', { name: 'Value of Label' }).fill('First')
  const search = page.getByRole('textbox', { name: 'Search this table' })
  await search.click()
  await page.getByText('1 unsaved change').waitFor()
  await page.keyboard.type('Node 3', { delay: 50 })
  t.equal(await search.inputValue(), 'Node 3')
  await page.getByText('1 of 6', { exact: true }).waitFor()
  // The row of the focused cell reappears with the focus.
  await search.fill('')
  await page.getByText('6 of 6', { exact: true }).waitFor()
  await page.keyboard.type('x')
  t.equal(await search.inputValue(), 'x')
  await search.fill('')
  await page.getByText('6 of 6', { exact: true }).waitFor()
  t.equal(await cell(page, 0, 1).innerText(), 'First')
  t.equal(await page.getByText('1 unsaved change').count(), 1)
})

journey('keys pressed on a table header do not act on cells', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  await cell(page, 0, 3).click()
  const sort = nodes(page).getByRole('columnheader', { name: 'team' }).getByRole('button')
  await sort.focus()
  await page.keyboard.press('Delete')
  await page.keyboard.press('x')
  t.equal(await nodes(page).getByRole('textbox').count(), 0)
  await sort.focus()
  await page.keyboard.press('Enter')
  await nodes(page).locator('th[aria-sort=ascending]').waitFor()
  t.equal(await nodes(page).getByRole('textbox').count(), 0)
  await nodes(page).getByRole('checkbox', { name: 'Select all rows' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('toolbar', { name: 'Selected nodes' }).getByText('6 selected').waitFor()
  t.equal(await page.getByText('No changes').count(), 1)
})

journey('only visible selected rows are changed and removed', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await edit(page)
  const toolbar = page.getByRole('toolbar', { name: 'Selected nodes' })
  await cell(page, 0, 1).click()
  await page.keyboard.press('Control+A')
  await toolbar.getByText('6 selected').waitFor()
  await page.getByRole('textbox', { name: 'Search this table' }).fill('Node 5')
  await page.getByText('1 of 6', { exact: true }).waitFor()
  await toolbar.getByText('1 selected').waitFor()
  await toolbar.getByRole('button', { name: 'Remove' }).click()
  // The two changes are the removals of the node and its edge.
  await page.getByText('2 unsaved changes').waitFor()
  await save(page)
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same(content.nodes, line.content.nodes.slice(0, 5))
})

journey('the text in a cell is kept when its row is scrolled out of view', async (t) => {
  const count = 1000
  const { page } = await adaWith(t, browser(), {
    name: 'Line',
    content: {
      nodes: Array.from({ length: count }, (_, index) => ({ id: `n${index}`, label: `Node ${index}` })),
      edges: []
    }
  })
  await edit(page)
  await cell(page, 2, 1).dblclick()
  const field = page.getByRole('textbox', { name: 'Value of Label' })
  await field.fill('Third')
  const region = page.getByRole('region', { name: 'Nodes of Line' })
  const scroll = (top: number) =>
    region.evaluate((element, top) => void Object.assign(element, { scrollTop: top }), top)
  await scroll(34 * 500)
  await nodes(page).getByText('Node 500', { exact: true }).waitFor()
  // The editor does not move any rows.
  const top = (await nodes(page).getByRole('row').filter({ hasText: 'Node 500' }).boundingBox())?.y ?? 0
  t.ok(Math.abs(top - ((await region.boundingBox())?.y ?? 0)) < 80, 'the edited row stays in place')
  t.equal(await field.inputValue(), 'Third')
  await page.keyboard.press('Enter')
  await page.getByText('1 unsaved change').waitFor()
  await scroll(0)
  await nodes(page).getByText('Third', { exact: true }).waitFor()
})

journey('rows are selected as long as their nodes are, also in the drawing', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  const toolbar = page.getByRole('toolbar', { name: 'Selected nodes' })
  const choice = (number: number) => nodes(page).getByRole('checkbox', { name: `Select row ${number}`, exact: true })
  await choice(1).click()
  await toolbar.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('2 unsaved changes').waitFor()
  await button(page, 'Add node').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Label').fill('New')
  await dialog.getByRole('button', { name: 'Add node' }).click()
  await page.getByText('3 unsaved changes').waitFor()
  await choice(1).click()
  await toolbar.getByText('1 selected').waitFor()
  // Changed values alone do not clear the selection.
  await cell(page, 0, 1).focus()
  await page.keyboard.type('Changed')
  await page.keyboard.press('Enter')
  await page.getByText('4 unsaved changes').waitFor()
  await toolbar.getByText('1 selected').waitFor()
  await button(page, 'Discard changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await button(page, 'Edit').click()
  await toolbar.getByText('1 selected').waitFor()
  t.same([await choice(1).isChecked(), await choice(2).isChecked()], [false, true])

  await choice(4).click()
  await choose(page, 'Drawing')
  const bar = page.getByRole('toolbar', { name: 'Selected nodes' })
  await bar.getByText('2 selected').waitFor()
  await button(page, 'Clear selection').press('Enter')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Shift+Enter')
  await bar.getByText('1 selected').waitFor()
  await choose(page, 'Nodes')
  await toolbar.getByText('1 selected').waitFor()
  t.equal(await nodes(page).getByRole('checkbox', { checked: true }).count(), 1)
  await choose(page, 'Edges')
  await page.getByRole('toolbar', { name: 'Selected rows' }).getByText('0 selected').waitFor()
})

journey('Enter on a read-only cell shows its node', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  await cell(page, 2, 1).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await page.waitForURL(/n2/)
  t.equal(await nodes(page).getByRole('textbox').count(), 0)
})

journey('labels and relations are limited to the maximum length of the server', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  await cell(page, 0, 1).dblclick()
  t.equal(await page.getByRole('textbox', { name: 'Value of Label' }).getAttribute('maxlength'), '1024')
  await page.keyboard.press('Tab')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  t.equal(await page.getByRole('textbox', { name: 'Value of team' }).getAttribute('maxlength'), null)
  await page.keyboard.press('Escape')
  await choose(page, 'Edges')
  await cell(page, 0, 1).focus()
  await page.keyboard.press('Control+A')
  await page.getByRole('button', { name: 'Set value…' }).click()
  const dialog = page.getByRole('dialog')
  await pick(dialog.getByRole('combobox', { name: 'Column' }), 'Relation')
  t.equal(await dialog.getByRole('textbox', { name: /^Value of/ }).getAttribute('maxlength'), '255')
})

journey('a boolean value can be removed from several rows', async (t) => {
  const content = {
    nodes: [
      { id: 'a', metadata: { old: true } },
      { id: 'b', metadata: { old: false } }
    ],
    edges: []
  }
  const { page, as } = await adaWith(t, browser(), { name: 'Line', content })
  await edit(page)
  await cell(page, 0, 1).focus()
  await page.keyboard.press('Control+A')
  await page.getByRole('button', { name: 'Set value…' }).click()
  const dialog = page.getByRole('dialog')
  await pick(dialog.getByRole('combobox', { name: 'Column' }), 'old')
  t.equal(await dialog.getByLabel('Type of old').inputValue(), 'Yes or no')
  // No value can be set until a column is chosen.
  const value = dialog.getByRole('combobox', { name: 'Value of old' })
  const isDisabled = () => dialog.getByRole('button', { name: 'Set value', exact: true }).isDisabled()
  t.same([await value.inputValue(), await isDisabled()], ['', true])
  await pick(dialog.getByLabel('Type of old'), 'Text')
  t.equal(await dialog.getByRole('textbox', { name: 'Value of old' }).inputValue(), '')
  await pick(dialog.getByLabel('Type of old'), 'Yes or no')
  t.same([await value.inputValue(), await isDisabled()], ['', true])
  await pick(value, 'No value')
  t.same([await value.inputValue(), await isDisabled()], ['No value', false])
  await dialog.getByRole('button', { name: 'Set value', exact: true }).click()
  await page.getByText('2 unsaved changes').waitFor()
  await save(page)
  t.same((await as('ada', 'GET', '/api/graphs/1')).body.content.nodes, [{ id: 'a' }, { id: 'b' }])
})

journey('tables are read-only for readers and outside an edit', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?tab=nodes')
  const table = page.getByRole('table', { name: 'Nodes of Line' })
  await table.waitFor()
  t.equal(await table.getByRole('checkbox').count(), 0)
  t.equal(await page.getByRole('toolbar', { name: /^Selected/ }).count(), 0)
  await table.getByRole('cell', { name: 'red' }).first().dblclick()
  t.equal(await table.getByRole('textbox').count(), 0)
})

journey('a table of 20,000 nodes renders few rows, even while a cell is edited', async (t) => {
  const count = 20_000
  const { page } = await adaWith(t, browser(), {
    name: 'Line',
    content: {
      nodes: Array.from({ length: count }, (_, index) => ({
        id: `n${index}`,
        label: `Node ${index}`,
        metadata: { team: index % 2 ? 'red' : 'blue', weight: index }
      })),
      edges: Array.from({ length: count - 1 }, (_, index) => ({ source: `n${index}`, target: `n${index + 1}` }))
    }
  })
  await edit(page)
  const rows = () => nodes(page).getByRole('row').count()
  t.ok((await rows()) < 80)
  await cell(page, 3, 1).focus()
  // Records the time from each key press to the next frame in milliseconds, for information only.
  await page.evaluate(`(() => {
    window.took = {}
    addEventListener('keydown', ({ key }) => {
      const start = performance.now()
      requestAnimationFrame(() => setTimeout(() => (window.took[key] ??= []).push(Math.round(performance.now() - start))))
    }, true)
  })()`)
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowLeft', 'Enter', 'a', 'b', 'Enter', ' ', 'F2', 'c', 'Tab']) {
    await page.keyboard.press(key)
    await page.waitForTimeout(300)
  }
  t.comment(JSON.stringify(await page.evaluate('took')))
  await page.getByText('2 unsaved changes').waitFor()
  t.ok((await rows()) < 80)
  await page.keyboard.press('Control+A')
  await page.getByText('20,000 selected').waitFor()
})
