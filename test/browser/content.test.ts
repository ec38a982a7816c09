import t, { type Test } from 'tap'
import { journeysOf, openAs, pick, picture, serveTeam } from './journeys.ts'

// Content from files and pasted tables.

const { browser, journey } = journeysOf(t)

/** Opens the list of graphs as admin. */
async function openAsAdmin(t: Test) {
  const team = await serveTeam(t)
  const window = await openAs(t, browser(), team.url, 'admin')
  await window.page.getByText('No graphs yet').waitFor()
  return { ...team, ...window }
}

journey('a new graph uses the chosen columns of a pasted table or the content of a file', async (t) => {
  const { page, as } = await openAsAdmin(t)
  const dialog = page.getByRole('dialog', { name: 'New graph' })
  const create = dialog.getByRole('button', { name: 'Create' })
  await page.getByRole('button', { name: 'New graph' }).click()
  await dialog.getByText('to create an empty graph').waitFor()
  await dialog.getByLabel(/^Name/).fill('Ways')
  await dialog.getByLabel(/^Type/).fill('map')
  await dialog.getByLabel(/^Description/).fill('By foot.')
  const table = dialog.getByLabel('Or an edge table')
  await table.fill('from,to,km\na,b,3\n')
  await dialog.getByText('These columns were chosen by name.').waitFor()
  await table.fill('one,other\na,b\na,c\n')
  await dialog.getByText('chosen because they come first. Check that they are correct.').waitFor()
  await table.fill('name,age,city\nann,34,rome\nbob,27,rome\n')
  await dialog.getByText('Choose the source and target columns.').waitFor()
  t.equal(await create.isDisabled(), true)
  await pick(dialog.getByRole('combobox', { name: 'Source column' }), 'name')
  await pick(dialog.getByRole('combobox', { name: 'Target column' }), 'city')
  await dialog.getByText('3 nodes, 2 edges').waitFor()
  await dialog.getByText('You chose these columns.').waitFor()
  await picture(page, 'new-graph')
  t.equal((await as('admin', 'GET', '/api/graphs')).body.length, 0, 'nothing is stored yet')
  await create.click()
  await page.getByRole('heading', { name: 'Ways' }).waitFor()
  const { name, type, description, version, content } = (await as('admin', 'GET', '/api/graphs/1')).body
  t.same({ name, type, description, version }, { name: 'Ways', type: 'map', description: 'By foot.', version: 1 })
  t.same(
    content.edges.map(({ source, target }: { source: string; target: string }) => [source, target]),
    [
      ['ann', 'rome'],
      ['bob', 'rome']
    ]
  )

  await page.goto('/graphs')
  await page.getByRole('button', { name: 'New graph' }).click()
  await dialog.getByLabel(/^Name/).fill('Broken')
  const file = dialog.locator('input[type=file]')
  const gml = (text: string) => ({ name: 'a.gml', mimeType: '', buffer: Buffer.from(text) })
  await file.setInputFiles(gml('graph [ node [ id 1 ] edge [ source 1 target 2 ] ]'))
  await dialog.getByText(/^This file cannot be imported/).waitFor()
  t.equal(await create.isDisabled(), true, 'an invalid file creates nothing')
  await file.setInputFiles(gml('graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]'))
  await dialog.getByText('2 nodes, 1 edge').waitFor()
  await create.click()
  await page.getByRole('heading', { name: 'Broken' }).waitFor()
  t.equal((await as('admin', 'GET', '/api/graphs/2')).body.edgeCount, 1)
})

journey('the import button is disabled without an importable file', async (t) => {
  const { page } = await openAsAdmin(t)
  await page.getByRole('button', { name: 'Import' }).first().click()
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Import 0 graphs' })
  await submit.waitFor()
  t.equal(await submit.isDisabled(), true)
})

/** Drops a file on the page header as a user would. Evaluates to whether the app handled each event. */
const dropOnHeader = `['dragover', 'drop'].map((kind) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['source,target\\na,b'], 'a.csv'))
  const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })
  return !document.querySelector('header').dispatchEvent(event)
})`

journey('the browser does not open files dropped anywhere in the app', async (t) => {
  const { page, as } = await openAsAdmin(t)
  await as('admin', 'POST', '/api/graphs', { name: 'Paths' })
  for (const [path, heading] of [
    ['/graphs/1', 'Paths'],
    ['/trash', 'Trash']
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    const isCaught = await page.evaluate<boolean[]>(dropOnHeader)
    t.same(isCaught, [true, true], path)
  }
})

/** Drags a file over the page, which then shows a drop area, and drops the file there. */
const dragOverPage = `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['a'], 'a.csv'))
  document.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true, cancelable: true }))
})()`
const dropOnText = `((text) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['source,target\\na,b'], 'ways.csv'))
  text.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
})([...document.querySelectorAll('h2')].find((text) => text.textContent === 'Drop files to import'))`

journey('the list and the page of a graph import files dropped on them', async (t) => {
  const { page, as } = await openAsAdmin(t)
  await as('admin', 'POST', '/api/graphs', { name: 'Paths' })
  for (const [path, heading] of [
    ['/graphs', 'Graphs'],
    ['/graphs/1', 'Paths']
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await page.evaluate(dragOverPage)
    await page.getByText('Drop files to import').waitFor()
    await page.evaluate(dropOnText)
    const dialog = page.getByRole('dialog', { name: 'Import graphs' })
    await dialog.getByText('2 nodes, 1 edge').waitFor()
    await dialog.getByText('ways.csv').waitFor()
    t.equal(await dialog.getByRole('button', { name: 'Import 1 graph' }).isEnabled(), true, path)
  }
})
