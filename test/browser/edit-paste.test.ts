import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, line } from './graph-page.ts'
import { button, inspect, journeysOf, picture } from './journeys.ts'

// Pasting tables from spreadsheets during an edit.

const { browser, journey } = journeysOf(t)

async function edit(page: Page) {
  await page.goto('/graphs/1?tab=nodes')
  await button(page, 'Edit').click()
  await page.getByRole('toolbar', { name: 'Edit' }).waitFor()
}

/** Pastes text into the focused element, as the browser does. */
function paste(page: Page, text: string) {
  return page.evaluate(`(() => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', ${JSON.stringify(text)})
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  })()`)
}

async function save(page: Page) {
  await button(page, 'Save changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await button(page, 'Edit').waitFor()
}

journey('pasted node rows are previewed, then applied as one step', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await edit(page)
  await page.getByRole('gridcell').first().focus()
  const rows = 'n0\tNull\tred\t\t0\nn1\t\tred\t\t1.5\n__proto__\tP\tblue\t7\t\n\tlost\t\t\t\nn2\t\t\t\tmany\n'
  await paste(page, `id\tlabel\tteam\tage\tWeight\n${rows}`)
  const dialog = page.getByRole('dialog', { name: 'Paste a table' })
  await dialog.getByText('Nodes: 1 new, 1 changed, 1 unchanged').waitFor()
  await dialog.getByText('2 rows cannot be applied').waitFor()
  await dialog.getByText('Row 5 has no ID.').waitFor()
  await dialog.getByText(/^Row 6 has a value of the wrong type in the column “Weight”/).waitFor()
  const apply = dialog.getByRole('button', { name: 'Apply' })
  t.equal(await apply.isDisabled(), true)
  await inspect(t, page, 'paste-table')
  await page.setViewportSize({ width: 390, height: 780 })
  await picture(page, 'paste-table-narrow')
  await page.setViewportSize({ width: 1280, height: 800 })

  // Fixes the faults in the dialog, and uses the keyboard to ignore a column.
  const table = dialog.getByLabel('Table', { exact: true })
  await table.fill((await table.inputValue()).replace('\n\tlost', '\nn9\tlost').replace('many', '3'))
  await dialog.getByText('Nodes: 2 new, 1 changed, 2 unchanged').waitFor()
  await dialog.getByLabel('Use team as').focus()
  await page.keyboard.type('Ignore')
  await dialog.getByRole('row', { name: /^team/ }).getByText('red').waitFor()
  t.equal(await dialog.getByLabel('Use team as').inputValue(), 'none')
  await apply.click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('3 unsaved changes').waitFor()
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  await button(page, 'Redo').click()
  await save(page)
  const { version, content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.equal(version, 2)
  const places = content.nodes.slice(6).map(({ x, y }: { x: number; y: number }) => ({ x, y }))
  t.ok(
    places.every(({ x, y }: { x: number; y: number }) => x > 0 && x < 5 && y > 0 && y < 1),
    JSON.stringify(places)
  )
  t.same(content, {
    ...line.content,
    nodes: [
      { ...line.content.nodes[0], label: 'Null' },
      ...line.content.nodes.slice(1),
      { id: '__proto__', label: 'P', metadata: { age: 7 }, ...places[0] },
      { id: 'n9', label: 'lost', ...places[1] }
    ]
  })
})

journey('a button pastes edge rows, even into an empty graph', async (t) => {
  const { page, as } = await adaWith(t, browser(), {
    name: 'Empty',
    content: { directed: false, nodes: [], edges: [] }
  })
  await edit(page)
  await button(page, 'Paste table…').click()
  const dialog = page.getByRole('dialog', { name: 'Paste a table' })
  const table = dialog.getByLabel('Table', { exact: true })
  const titles = dialog.getByRole('checkbox', { name: 'First row contains the titles' })
  await table.fill('Carol\nDan\nErin')
  await dialog.getByText('Nodes: 3 new, 0 changed, 0 unchanged').waitFor()
  t.equal(await titles.isChecked(), false)
  await titles.check()
  await dialog.getByLabel('Use Carol as').selectOption('ID')
  await dialog.getByText('Nodes: 2 new, 0 changed, 0 unchanged').waitFor()
  await table.fill('one,other,km\na,b,1.5\nb,c,NA\n')
  await dialog.getByText('or one source column and one target column for edges.').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Apply' }).isDisabled(), true)
  await dialog.getByLabel('Use one as').selectOption('Edge source')
  await dialog.getByLabel('Use other as').selectOption('Edge target')
  await dialog.getByText('Nodes: 3 new, 0 changed, 0 unchanged').waitFor()
  await dialog.getByText('Edges: 2 new, 0 changed, 0 unchanged').waitFor()
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('5 unsaved changes').waitFor()
  await page.getByRole('grid', { name: 'Nodes of Empty' }).waitFor()

  await button(page, 'Paste table…').click()
  await table.fill('source,target,km\na,b,2\n')
  await dialog.getByText('Edges: 0 new, 1 changed, 0 unchanged').waitFor()
  await dialog.getByRole('checkbox', { name: 'Add edges between nodes that already have one (1 row)' }).check()
  await dialog.getByText('Edges: 1 new, 0 changed, 0 unchanged').waitFor()
  await inspect(t, page, 'paste-parallel')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('6 unsaved changes').waitFor()
  await save(page)
  t.same((await as('ada', 'GET', '/api/graphs/1')).body.content, {
    directed: false,
    nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    edges: [
      { source: 'a', target: 'b', metadata: { km: 1.5 } },
      { source: 'b', target: 'c' },
      { source: 'a', target: 'b', metadata: { km: 2 } }
    ]
  })
})

journey('text pasted into a field stays there, and pasting outside an edit does nothing', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?tab=nodes')
  await page.getByRole('table', { name: 'Nodes of Line' }).waitFor()
  await paste(page, 'id\nz\n')
  await button(page, 'Edit').click()
  await page.getByRole('textbox', { name: 'Search this table' }).focus()
  await paste(page, 'id\nz\n')
  await page.waitForTimeout(300)
  t.equal(await page.getByRole('dialog').count(), 0)
  await page.getByRole('gridcell').first().focus()
  await paste(page, 'id\nz\n')
  const dialog = page.getByRole('dialog', { name: 'Paste a table' })
  await dialog.getByLabel('Table', { exact: true }).fill('source,target\nNode 0,z\n')
  await dialog.getByText('1 node found by label').waitFor()
})
