import type { Page } from 'playwright-core'
import t from 'tap'
import { until } from '../support/until.ts'
import { adaWith, choose, idsOf, line, placeOfNode, turn } from './graph-page.ts'
import { button, inspect, journeysOf, pick, refusalsOf } from './journeys.ts'

// Editing nodes and edges on a graph page.

const { browser, journey } = journeysOf(t)

/** Opens the graph and starts an edit. */
async function edit(page: Page) {
  await page.goto('/graphs/1')
  await button(page, 'Edit').click()
  await page.getByRole('toolbar', { name: 'Edit' }).waitFor()
}

/** Selects a node using the search box. */
async function find(page: Page, name: string) {
  await page.getByRole('combobox', { name: 'Find a node' }).fill(name)
  await page.getByRole('listbox').getByRole('option').first().click()
}

/** Saves the edit with a message. */
async function save(page: Page, message: string) {
  await button(page, 'Save changes').click()
  const dialog = page.getByRole('dialog', { name: 'Save changes' })
  await dialog.getByLabel('Message (optional)').fill(message)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  return dialog
}

journey('edits of nodes and edges can be undone, survive a reload, and are saved as one version', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await edit(page)

  await button(page, 'Add node').click()
  const dialog = page.getByRole('dialog', { name: 'Add node' })
  const id = dialog.getByLabel('ID')
  t.equal(await id.inputValue(), 'node 7')
  await page.keyboard.type('n0')
  t.equal(await id.inputValue(), 'n0 2')
  await id.fill('n0')
  await dialog.getByText('Another node has this ID.').waitFor()
  await id.fill('__proto__')
  await dialog.getByLabel('Label').fill('Dora')
  await dialog.getByRole('button', { name: 'Add node' }).click()
  await dialog.waitFor({ state: 'detached' })

  const connect = page.getByRole('form', { name: 'Connect to' })
  await connect.getByLabel('Connect to').fill('Node 0')
  await page.getByRole('option', { name: 'Node 0 (n0)' }).click()
  await connect.getByLabel('Relation').fill('knows')
  await connect.getByRole('button', { name: 'Add edge' }).click()

  const form = page.getByRole('form', { name: 'Edit node' })
  await button(page, 'Add attribute').click()
  await form.getByLabel('Attribute name').fill('age')
  await pick(form.getByLabel('Type of age'), 'Number')
  await form.getByLabel('Value of age').fill('old')
  await form.getByText('Enter a number.').waitFor()
  t.equal(await form.getByRole('button', { name: 'Apply' }).isDisabled(), true)
  await form.getByLabel('Value of age').fill('46.5')
  await form.getByLabel('Value of age').press('Enter')
  await page.getByText('2 unsaved changes').waitFor()
  await inspect(t, page, 'edit-node')

  await find(page, 'Node 5')
  await button(page, 'Remove node').click()
  await page.getByText('4 unsaved changes').waitFor()
  await form.waitFor({ state: 'detached' })
  await button(page, 'Undo').click()
  await page.getByText('2 unsaved changes').waitFor()
  await form.waitFor()
  await page.keyboard.press('Control+Shift+Z')
  await page.getByText('4 unsaved changes').waitFor()

  await page.reload()
  await page.getByText('4 unsaved changes').waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.version, 1)
  await (await save(page, 'Dora is new.')).waitFor({ state: 'detached' })
  await button(page, 'Edit').waitFor()

  const { body } = await as('ada', 'GET', '/api/graphs/1')
  t.equal(body.version, 2)
  const { x, y } = body.content.nodes[5]
  t.ok(Math.hypot(x, y) < 2, `the new node is near its neighbour, at ${x}, ${y}`)
  t.same(body.content, {
    ...line.content,
    nodes: [...line.content.nodes.slice(0, 5), { id: '__proto__', label: 'Dora', metadata: { age: 46.5 }, x, y }],
    edges: [...line.content.edges.slice(0, 4), { source: '__proto__', target: 'n0', relation: 'knows' }]
  })
  t.equal((await as('ada', 'GET', '/api/graphs/1/versions')).body[0].message, 'Dora is new.')
  await page.reload()
  await button(page, 'Edit').waitFor()
})

journey('an edge is edited in the table and removed', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await edit(page)
  await choose(page, 'Edges')
  const table = page.getByRole('grid', { name: 'Edges of Line' })
  // Clicking the source of an edge opens the edge.
  await table.getByRole('button', { name: 'Node 1' }).click()
  const form = page.getByRole('form', { name: 'Edit edge' })
  await form.getByLabel('Relation').fill('strange')
  await turn(form, 'Directed edge', false)
  await form.getByRole('button', { name: 'Apply' }).click()
  await table.getByRole('button', { name: 'Node 4' }).click()
  await button(page, 'Remove edge').click()
  await (await save(page, '')).waitFor({ state: 'detached' })
  const { edges } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.same(edges.length, 4)
  t.same(
    edges.filter(({ relation }: { relation: string }) => relation === 'strange'),
    [{ source: 'n1', target: 'n2', relation: 'strange', directed: false }]
  )
})

journey('concurrent edits by someone else are merged, and conflicts are decided value by value', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), line)
  const theirs = async (label: string, version: number) => {
    const put = [{ ...line.content.nodes[1], label, metadata: { team: label } }, { id: `by ${version}` }]
    const message = `It is ${label}.`
    const { status } = await as('ada', 'PATCH', '/api/graphs/1/content', { version, message, nodes: { put } })
    t.equal(status, 200)
  }
  const namesOf = ({ nodes }: { nodes: { label?: string; id: string }[] }) => nodes.map(({ label, id }) => label ?? id)
  await edit(page)
  await find(page, 'Node 0')
  const form = page.getByRole('form', { name: 'Edit node' })
  await form.getByLabel('Label').fill('Null')
  await form.getByLabel('Label').press('Enter')
  await theirs('One', 1)
  await (await save(page, 'Null it is.')).waitFor({ state: 'detached' })
  const merged = (await as('ada', 'GET', '/api/graphs/1')).body
  t.equal(merged.version, 3)
  t.same(namesOf(merged.content), ['Null', 'One', 'Node 2', 'Node 3', 'Node 4', 'Node 5', 'by 1'])

  await button(page, 'Edit').click()
  await find(page, 'One')
  await form.getByLabel('Label').fill('Uno')
  await form.getByLabel('Value of team').fill('uno')
  await form.getByLabel('Value of team').press('Enter')
  await theirs('Eins', 3)
  const dialog = await save(page, 'Uno it is.')
  const clash = page.getByRole('dialog', {
    name: 'Someone else has changed this graph. Your changes are not saved yet.'
  })
  const merge = clash.getByRole('button', { name: 'Merge changes' })
  await merge.waitFor()
  const radios = await clash.getByRole('radio').all()
  t.same(await Promise.all(radios.map((radio) => radio.getAttribute('aria-label'))), [
    'Label, Yours: Uno',
    'Label, By ada: Eins',
    'team, Yours: uno',
    'team, By ada: Eins'
  ])
  t.same(await clash.getByRole('listitem').allInnerTexts(), ['ada saved version 4 now: “It is Eins.”'])
  const titles = await clash.getByRole('rowheader').allInnerTexts()
  t.same(
    titles.map((title) => title.replace(/\n+/g, ' ')),
    ['Label Before: One', 'team Before: One']
  )
  await clash.getByRole('radio', { name: 'Label, Yours: Uno' }).check()
  t.equal(await merge.isDisabled(), true, 'one value is undecided')
  await clash.getByRole('button', { name: 'Keep mine' }).click()
  await clash.getByRole('radio', { name: 'team, Yours: uno' }).press('ArrowRight')
  t.equal(await clash.getByRole('radio', { name: 'team, By ada: Eins' }).isChecked(), true)
  await page.setViewportSize({ width: 360, height: 740 })
  await inspect(t, page, 'edit-conflict')
  await merge.click()
  await clash.waitFor({ state: 'detached' })
  t.equal(await dialog.getByLabel('Message (optional)').inputValue(), 'Uno it is.')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const { body } = await as('ada', 'GET', '/api/graphs/1')
  t.equal(body.version, 5)
  t.same(namesOf(body.content), ['Null', 'Uno', 'Node 2', 'Node 3', 'Node 4', 'Node 5', 'by 1', 'by 3'])
  t.same(body.content.nodes[1].metadata, { team: 'Eins' })
  t.same(refusalsOf(mishaps), ['409', '409'])
})

journey('keeping a node that someone else has removed brings its edges back', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), line)
  await edit(page)
  await find(page, 'Node 1')
  const form = page.getByRole('form', { name: 'Edit node' })
  await form.getByLabel('Label').fill('Uno')
  await form.getByLabel('Label').press('Enter')
  const remove = { version: 1, nodes: { remove: ['n1'] }, edges: { remove: line.content.edges.slice(0, 2) } }
  t.equal((await as('ada', 'PATCH', '/api/graphs/1/content', remove)).status, 200)
  const dialog = await save(page, '')
  await page.getByRole('radio', { name: 'Node, Yours: (kept, with 2 edges)' }).check()
  await button(page, 'Merge changes').click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same([idsOf(content.nodes).toSorted(), content.edges.length], [idsOf(line.content.nodes), 5])
  t.same(refusalsOf(mishaps), ['409'])
})

journey('an empty graph offers to add a node, to paste a table and to import a file, but not to readers', async (t) => {
  const { page, as } = await adaWith(t, browser(), { name: 'Empty' })
  await as('admin', 'POST', '/api/graphs', { name: 'Not mine', shared: true })
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/graphs/1')
  await page.getByRole('heading', { name: 'This graph has no nodes yet.' }).waitFor()
  await inspect(t, page, 'empty-graph')
  await button(page, 'Paste table…').click()
  const paste = page.getByRole('dialog', { name: 'Paste a table' })
  await paste.getByLabel('Table', { exact: true }).fill('source,target\na,b\n')
  await paste.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('3 unsaved changes').waitFor()
  await button(page, 'Discard changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()

  await button(page, 'Add node').press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add node' })
  await dialog.getByLabel('Label').press('Enter')
  await page.getByText('1 unsaved change').waitFor()
  await page.waitForURL('**/graphs/1?node=node+1')
  t.equal(await button(page, 'Add node').count(), 1, 'only the toolbar offers it now')
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  t.equal(await button(page, 'Add node').count(), 1)
  await button(page, 'Stop editing').click()

  const heading = page.getByRole('heading', { name: 'This graph has no nodes yet.' })
  await heading.click({ button: 'right' })
  t.same(await page.getByRole('menuitem').allInnerTexts(), ['Add node here…', 'Paste table…', 'Import file…'])
  await inspect(t, page, 'empty-graph-menu')
  await page.getByRole('menuitem', { name: 'Paste table…' }).click()
  await paste.getByRole('button', { name: 'Cancel' }).click()
  await heading.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Add node here…' }).click()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  t.equal(await page.getByRole('menu').count(), 0)

  await heading.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Import file…' }).click()
  const fill = page.getByRole('dialog', { name: 'Import a file into Empty' })
  await fill.getByLabel('Or an edge table').fill('source,target\na,b\n')
  await fill.getByRole('button', { name: 'Import', exact: true }).click()
  await page.getByText('The file was imported into Empty.').waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.nodeCount, 2)

  await page.goto('/graphs/2')
  await page.getByText('Only people who can edit this graph can add nodes.').waitFor()
  t.equal(await button(page, 'Add node').count(), 0)
})

journey('changes can be discarded, and readers cannot edit', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await edit(page)
  await find(page, 'Node 0')
  await button(page, 'Remove node').click()
  await button(page, 'Discard changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await button(page, 'Edit').waitFor()
  await page.reload()
  await button(page, 'Edit').waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.version, 1)
  await as('admin', 'POST', '/api/graphs', { ...line, shared: true })
  await page.goto('/graphs/2')
  await page.getByRole('application').waitFor()
  t.equal(await button(page, 'Edit').count(), 0)
})

journey('discarding an edit clears the selection of edges, since their indexes change', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  const table = page.getByRole('grid', { name: 'Edges of Line' })
  const details = page.getByRole('region', { name: 'Details' })
  const selected = (edge: string | null) =>
    page.waitForURL(({ searchParams }) => searchParams.get('edge') === edge, { timeout: 10_000 })
  const discard = async () => {
    await button(page, 'Discard changes').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
    await button(page, 'Edit').waitFor()
  }
  await edit(page)
  await find(page, 'Node 5')
  const connect = page.getByRole('form', { name: 'Connect to' })
  await connect.getByLabel('Connect to').fill('Node 0')
  await page.getByRole('option', { name: 'Node 0 (n0)' }).click()
  await connect.getByRole('button', { name: 'Add edge' }).click()
  await choose(page, 'Edges')
  await table.getByRole('button', { name: 'Node 5' }).click()
  await selected('5')
  await page.getByRole('form', { name: 'Edit edge' }).waitFor()
  await discard()
  await selected(null)
  t.equal(await details.count(), 0)

  await button(page, 'Edit').click()
  await table.getByRole('checkbox', { name: 'Select row 1', exact: true }).click()
  await page.getByRole('toolbar', { name: 'Selected rows' }).getByRole('button', { name: 'Remove' }).click()
  await table.getByRole('button', { name: 'Node 3' }).click()
  await selected('2')
  await discard()
  await selected(null)
  t.equal(await details.count(), 0)
})

journey('typed values join the edit without "Apply", and merely visited fields do not', async (t) => {
  const content = { ...line.content, nodes: line.content.nodes.map((node) => ({ ...node, metadata: {} })) }
  const { page, as } = await adaWith(t, browser(), { name: 'Line', content })
  await edit(page)
  await find(page, 'Node 0')
  const form = page.getByRole('form', { name: 'Edit node' })
  await form.getByLabel('Label').focus()
  await page.getByRole('combobox', { name: 'Find a node' }).focus()
  await page.getByText('No changes').waitFor()
  await form.getByLabel('Label').fill('Null')
  await find(page, 'Node 1')
  await page.getByText('1 unsaved change').waitFor()
  await page.getByRole('button', { name: 'Show all', exact: true }).click()
  await form.getByLabel('Label').fill('One')
  const { x, y } = await placeOfNode(page, 2)
  await page.mouse.click(x, y, { delay: 400 })
  await page.getByText('2 unsaved changes').waitFor()
  await until(async () => (await form.getByLabel('Label').inputValue()) === 'Node 2')
  await (await save(page, '')).waitFor({ state: 'detached' })
  const [zero, one, ...others] = content.nodes
  t.same((await as('ada', 'GET', '/api/graphs/1')).body.content, {
    ...content,
    nodes: [{ ...zero, label: 'Null' }, { ...one, label: 'One' }, ...others]
  })
})

journey('Ctrl+Z in a field undoes the applied change, unless something newer is typed there', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  await find(page, 'Node 0')
  const label = page.getByRole('form', { name: 'Edit node' }).getByLabel('Label')
  await label.fill('Null')
  await page.keyboard.press('Enter')
  await page.getByText('1 unsaved change').waitFor()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await page.keyboard.press('Control+z')
  t.equal(await label.inputValue(), 'Null', 'only the typed text is undone')
  await page.keyboard.press('Control+z')
  await page.getByText('No changes').waitFor()
  t.equal(await label.inputValue(), 'Node 0')
  await page.keyboard.press('Control+Shift+z')
  await page.getByText('1 unsaved change').waitFor()
  t.equal(await label.inputValue(), 'Null')
})

journey('the form of a node with very many attributes shows a hundred fields at a time', async (t) => {
  const metadata = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [`a${index}`, index]))
  const content = { directed: true, nodes: [{ id: 'n0', label: 'Node 0', metadata }], edges: [] }
  const { page, as } = await adaWith(t, browser(), { name: 'Wide', content })
  await edit(page)
  await find(page, 'Node 0')
  const form = page.getByRole('form', { name: 'Edit node' })
  const names = form.getByLabel('Attribute name')
  await names.first().waitFor()
  t.equal(await names.count(), 100)
  await button(page, 'Add attribute').click()
  await names.last().fill('new')
  await form.getByLabel('Value of new').fill('x')
  await button(page, 'Show more (150 left)').click()
  await button(page, 'Show more (50 left)').waitFor()
  t.equal(await names.count(), 201)
  await form.getByLabel('Value of a199', { exact: true }).fill('-1')
  await button(page, 'Show more (50 left)').click()
  await form.getByLabel('Value of a249', { exact: true }).waitFor()
  t.equal(await names.count(), 251)
  await form.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('1 unsaved change').waitFor()
  await (await save(page, '')).waitFor({ state: 'detached' })
  const { nodes } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.same(nodes[0].metadata, { ...metadata, a199: -1, new: 'x' })
})

journey('each tab keeps its own draft of the same graph', async (t) => {
  const { page, context, as } = await adaWith(t, browser(), line)
  const other = await context.newPage()
  /** Adds a node with this id. */
  async function add(page: Page, id: string) {
    await button(page, 'Add node').click()
    const dialog = page.getByRole('dialog', { name: 'Add node' })
    await dialog.getByLabel('ID').fill(id)
    await dialog.getByRole('button', { name: 'Add node' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await edit(page)
  await edit(other)
  await add(page, 'one')
  await page.getByText('1 unsaved change').waitFor()
  await button(other, 'Stop editing').click()
  await button(other, 'Edit').waitFor()
  await page.reload()
  await page.getByText('1 unsaved change').waitFor()

  await button(other, 'Edit').click()
  await add(other, 'two')
  await add(other, 'three')
  await other.getByText('2 unsaved changes').waitFor()
  await page.reload()
  await page.getByText('1 unsaved change').waitFor()
  await other.reload()
  await other.getByText('2 unsaved changes').waitFor()
  await (await save(other, '')).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('1 unsaved change').waitFor()
  await page.close()

  await other.reload()
  await other.getByText('1 unsaved change').waitFor()
  await (await save(other, '')).waitFor({ state: 'detached' })
  await other.reload()
  await button(other, 'Edit').waitFor()
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same(idsOf(content.nodes.slice(6)), ['two', 'three', 'one'])
})

journey('a draft of an older version is restored and merged on save', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), line)
  await edit(page)
  await find(page, 'Node 0')
  await button(page, 'Remove node').click()
  await page.getByText('2 unsaved changes').waitFor()
  await page.goto('/graphs')
  const changes = { version: 1, nodes: { put: [{ id: 'theirs' }] } }
  t.equal((await as('ada', 'PATCH', '/api/graphs/1/content', changes)).status, 200)

  // While its version cannot be loaded, the draft is kept and not replaced.
  await page.route('**/api/graphs/1/versions/1', (route) => route.abort())
  await page.goto('/graphs/1')
  await page.getByText('Your unsaved changes could not be loaded.').waitFor()
  t.equal(await button(page, 'Edit').count(), 0)
  await page.unroute('**/api/graphs/1/versions/1')
  await page.reload()
  await page.getByText('2 unsaved changes').waitFor()
  await (await save(page, '')).waitFor({ state: 'detached' })
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same(idsOf(content.nodes), ['n1', 'n2', 'n3', 'n4', 'n5', 'theirs'])
  t.same([...new Set(refusalsOf(mishaps))], ['net::ERR_FAILED', '409'])
})

journey('a draft whose version was deleted is applied to the current version with a warning', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), line)
  await edit(page)
  await find(page, 'Node 0')
  await page.getByRole('form', { name: 'Edit node' }).getByLabel('Label').fill('Null')
  await page.getByRole('combobox', { name: 'Find a node' }).focus()
  await page.getByText('1 unsaved change').waitFor()
  await page.goto('/graphs')
  t.equal((await as('ada', 'PATCH', '/api/graphs/1', { name: 'Renamed' })).status, 200)
  await page.route('**/api/graphs/1/versions/1', (route) =>
    route.fulfill({ status: 404, json: { code: 'version-not-found', status: 404 } })
  )
  await page.goto('/graphs/1')
  await page.getByText('The version you edited no longer exists.').waitFor()
  await (await save(page, '')).waitFor({ state: 'detached' })
  const { content, version } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same([version, content.nodes[0].label], [3, 'Null'])
  t.same([...new Set(refusalsOf(mishaps))], ['404'])
})

journey('an edit of parallel edges keeps fields that someone else has changed in the meantime', async (t) => {
  const edges = [...line.content.edges, { source: 'n0', target: 'n1', relation: 'odd', label: 'again' }]
  const { page, as, mishaps } = await adaWith(t, browser(), { name: 'Line', content: { ...line.content, edges } })
  await edit(page)
  await choose(page, 'Edges')
  await page.getByRole('grid', { name: 'Edges of Line' }).getByRole('button', { name: 'Node 0' }).last().click()
  await button(page, 'Remove edge').click()
  t.equal((await as('ada', 'PATCH', '/api/graphs/1', { name: 'Renamed', tags: ['theirs'] })).status, 200)
  await (await save(page, '')).waitFor({ state: 'detached' })
  const { name, tags, content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same([name, tags, content.edges], ['Renamed', ['theirs'], line.content.edges])
  t.same([...new Set(refusalsOf(mishaps))], ['409'])
})

journey('the save dialog stays open until the server responds', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await edit(page)
  await find(page, 'Node 0')
  await button(page, 'Remove node').click()
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/graphs/1/content', async (route) => {
    await answer.promise
    await route.continue()
  })
  const sent = page.waitForRequest('**/api/graphs/1/content')
  const dialog = await save(page, '')
  await sent
  await dialog.locator('button[data-loading]').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForTimeout(300)
  t.equal(await dialog.count(), 1)
  answer.resolve()
  await dialog.waitFor({ state: 'detached' })
  await button(page, 'Edit').waitFor()
})
