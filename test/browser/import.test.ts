import t from 'tap'
import { browserOf, pick, sameEverywhere } from './browser.ts'
import { adaWith } from './graph-page.ts'

// The choices of an import: columns of tables.

const browser = browserOf(t)

const csv = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })

t.test('a table whose rows are nodes is imported with the column of ids that was chosen', sameEverywhere, async (t) => {
  const { page, as } = await adaWith(t, browser())
  await page.getByRole('button', { name: 'Import' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Import graphs' })
  await dialog.locator('input[type=file]').setInputFiles([csv('people.csv', 'code,age,city\nx1,34,rome\nx2,27,rome\n')])
  await dialog.getByText('Please choose them').waitFor()
  await dialog.getByText('Rows are nodes').click()
  await pick(dialog.getByRole('combobox', { name: 'Ids of nodes in column' }), 'code')
  await dialog.getByText('2 nodes, 0 edges').waitFor()
  await dialog.getByText('You chose this column.').waitFor()
  await dialog.getByRole('button', { name: 'Import 1 graph' }).click()
  await page.getByRole('heading', { name: 'people' }).waitFor()
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same(
    content.nodes.map(({ id }: { id: string }) => id),
    ['x1', 'x2']
  )
})

t.test('a column chosen for both ends of edges makes them change places', sameEverywhere, async (t) => {
  const { page, as } = await adaWith(t, browser())
  await page.getByRole('button', { name: 'Import' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Import graphs' })
  await dialog.locator('input[type=file]').setInputFiles([csv('ways.csv', 'from,to,to\na,b,c\n')])
  await dialog.getByText('chosen by their names').waitFor()
  await dialog.getByLabel(/^Name/).fill('Reversed')
  await pick(dialog.getByRole('combobox', { name: 'Edges end in column' }), 'from')
  await dialog.getByText('You chose these columns.').waitFor()
  t.equal(await dialog.getByRole('combobox', { name: 'Edges begin in column' }).inputValue(), 'to')
  await dialog.getByRole('button', { name: 'Import 1 graph' }).click()
  await page.getByRole('heading', { name: 'Reversed' }).waitFor()
  const { content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.match(content.edges, [{ source: 'b', target: 'a' }])
})

t.test('a file whose upload failed says so until the next try, which imports it', sameEverywhere, async (t) => {
  const { page, as } = await adaWith(t, browser())
  await page.getByRole('button', { name: 'Import' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Import graphs' })
  const files = ['first', 'second'].map((name) => csv(`${name}.csv`, 'source,target\na,b\n'))
  await dialog.locator('input[type=file]').setInputFiles(files)
  const first = dialog.locator('[data-file="first.csv"]')
  await dialog.getByRole('button', { name: 'Import 2 graphs' }).waitFor()
  const upload = /\/api\/graphs\/import\?.*name=first/
  await page.route(upload, (route) => route.abort())
  await dialog.getByRole('button', { name: 'Import 2 graphs' }).click()
  await dialog.getByRole('link', { name: 'Open second' }).waitFor()
  // The list has been fetched again.
  await page.locator('table').getByText('second').waitFor()
  await first.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  await page.unroute(upload)
  await dialog.getByRole('button', { name: 'Import 1 graph' }).click()
  await dialog.getByRole('link', { name: 'Open first' }).waitFor()
  t.equal(await first.getByRole('alert').count(), 0)
  t.same(
    (await as('ada', 'GET', '/api/graphs')).body.map(({ name }: { name: string }) => name),
    ['second', 'first']
  )
})
