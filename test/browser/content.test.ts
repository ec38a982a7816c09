import t, { type Test } from 'tap'
import { browserOf, openWindow, picture, sameEverywhere, serveTeam, signIn } from './browser.ts'

// Content from files and pasted tables.

const browser = browserOf(t)

/** Opens the list of graphs as admin. */
async function openAsAdmin(t: Test) {
  const team = await serveTeam(t)
  const window = await openWindow(t, await browser(), team.url)
  await window.page.goto('/')
  await signIn(window.page, 'admin')
  await window.page.getByText('No graphs yet').waitFor()
  return { ...team, ...window }
}

t.test('a new graph takes its content from a pasted table or a file, after the report', sameEverywhere, async (t) => {
  const { page, as, mishaps } = await openAsAdmin(t)
  const dialog = page.getByRole('dialog', { name: 'New graph' })
  const create = dialog.getByRole('button', { name: 'Create' })
  await page.getByRole('button', { name: 'New graph' }).click()
  await dialog.getByText('the graph begins empty').waitFor()
  await dialog.getByLabel(/^Name/).fill('Ways')
  await dialog.getByLabel(/^Type/).fill('map')
  await dialog.getByLabel(/^Description/).fill('By foot.')
  await dialog.getByLabel('Or a table of edges').fill('source\ttarget\tweight\na\tb\t1\nb\tc\t2\n')
  await dialog.getByText('3 nodes, 2 edges').waitFor()
  await picture(page, 'new-graph')
  t.equal((await as('admin', 'GET', '/api/graphs')).body.length, 0, 'nothing is stored as yet')
  await create.click()
  await page.getByRole('heading', { name: 'Ways' }).waitFor()
  const { name, type, description, version, nodeCount, edgeCount } = (await as('admin', 'GET', '/api/graphs/1')).body
  t.same(
    { name, type, description, version, nodeCount, edgeCount },
    { name: 'Ways', type: 'map', description: 'By foot.', version: 1, nodeCount: 3, edgeCount: 2 }
  )

  await page.goto('/graphs')
  await page.getByRole('button', { name: 'New graph' }).click()
  await dialog.getByLabel(/^Name/).fill('Broken')
  const file = dialog.locator('input[type=file]')
  const gml = (text: string) => ({ name: 'a.gml', mimeType: '', buffer: Buffer.from(text) })
  await file.setInputFiles(gml('graph [ node [ id 1 ] edge [ source 1 target 2 ] ]'))
  await dialog.getByText(/^This file cannot be imported/).waitFor()
  t.equal(await create.isDisabled(), true, 'a file with faults creates nothing')
  await file.setInputFiles(gml('graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]'))
  await dialog.getByText('2 nodes, 1 edge').waitFor()
  await create.click()
  await page.getByRole('heading', { name: 'Broken' }).waitFor()
  t.equal((await as('admin', 'GET', '/api/graphs/2')).body.edgeCount, 1)
  t.same(mishaps.errors, [])
})

t.test('an import without a file that can be imported has no button to press', sameEverywhere, async (t) => {
  const { page } = await openAsAdmin(t)
  await page.getByRole('button', { name: 'Import' }).first().click()
  const submit = page.getByRole('dialog').getByRole('button', { name: 'Import 0 graphs' })
  await submit.waitFor()
  t.equal(await submit.isDisabled(), true)
})

/** Drops a file on the header of the page, as a person does; returns whether the app caught each event. */
const dropOnHeader = `['dragover', 'drop'].map((kind) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['source,target\\na,b'], 'a.csv'))
  const event = new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true })
  return !document.querySelector('header').dispatchEvent(event)
})`

t.test('the browser opens no file that is dropped anywhere in the app', sameEverywhere, async (t) => {
  const { page, as } = await openAsAdmin(t)
  await as('admin', 'POST', '/api/graphs', { name: 'Paths' })
  for (const [path, heading] of [
    ['/graphs/1', 'Paths'],
    ['/trash', 'Trash']
  ] as const) {
    await page.goto(path)
    await page.getByRole('heading', { name: heading }).waitFor()
    const isCaught = await page.evaluate<boolean[]>(dropOnHeader)
    t.same(isCaught, [true, true], path)
  }
})

/** Drags a file over the page, which shows a place for it, and drops it there. */
const dragOverPage = `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['a'], 'a.csv'))
  document.dispatchEvent(new DragEvent('dragenter', { dataTransfer, bubbles: true, cancelable: true }))
})()`
const dropOnText = `((text) => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['source,target\\na,b'], 'ways.csv'))
  text.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
})([...document.querySelectorAll('h2')].find((text) => text.textContent === 'Drop the files to import them'))`

t.test('the page of a graph offers to import a file that is dropped on it', sameEverywhere, async (t) => {
  const { page, as } = await openAsAdmin(t)
  await as('admin', 'POST', '/api/graphs', { name: 'Paths' })
  await page.goto('/graphs/1')
  await page.getByRole('heading', { name: 'Paths' }).waitFor()
  await page.evaluate(dragOverPage)
  await page.getByText('Drop the files to import them').waitFor()
  await page.evaluate(dropOnText)
  const dialog = page.getByRole('dialog', { name: 'Import graphs' })
  await dialog.getByText('2 nodes, 1 edge').waitFor()
  await dialog.getByText('ways.csv').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Import 1 graph' }).isEnabled(), true)
})
