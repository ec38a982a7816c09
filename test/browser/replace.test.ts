import t from 'tap'
import { adaWith, idsOf, line } from './graph-page.ts'
import { act, journeysOf, refusalsOf } from './journeys.ts'

// Replacing the content of a graph with a file or pasted table.

const { browser, journey } = journeysOf(t)

journey('the dialog shows differences before a pasted table replaces the content', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  const stored = async () => (await as('ada', 'GET', '/api/graphs/1')).body
  await page.goto('/graphs')
  await act(page, 'Line', 'Replace content…')
  const dialog = page.getByRole('dialog', { name: 'Replace the content of Line' })
  const submit = dialog.getByRole('button', { name: 'Replace', exact: true })
  t.equal(await submit.isDisabled(), true, 'there is nothing to compare yet')

  await dialog.getByLabel('Or an edge table').fill('source,target\nn0,n1\nn1,new\n')
  await dialog.getByRole('heading', { name: 'Nodes added (1)' }).waitFor()
  await dialog.getByRole('heading', { name: 'Nodes removed (4)' }).waitFor()
  t.equal((await stored()).version, 1, 'nothing is saved yet')
  await submit.click()
  await dialog.waitFor({ state: 'detached' })
  const { version, content, name } = await stored()
  t.same([version, name], [2, 'Line'])
  t.same(idsOf(content.nodes), ['n0', 'n1', 'new'])
})

journey('content changed by someone else since the comparison is not replaced', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  await act(page, 'Line', 'Replace content…')
  const dialog = page.getByRole('dialog', { name: 'Replace the content of Line' })
  await dialog
    .locator('input[type=file]')
    .setInputFiles({ name: 'edges.csv', mimeType: 'text/csv', buffer: Buffer.from('source,target\nn0,n1\n') })
  await dialog.getByRole('heading', { name: 'Nodes removed (4)' }).waitFor()
  t.equal((await as('ada', 'PATCH', '/api/graphs/1', { name: 'Renamed' })).status, 200)
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
  await dialog.getByText('Someone else has changed this graph.').waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.nodeCount, 6)
  // The differences now refer to the new content, and a second attempt replaces it.
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const { version, name, nodeCount } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same([version, name, nodeCount], [3, 'Renamed', 2])
  await page.getByRole('application', { name: /^Drawing of Renamed: 2 nodes, 1 edge\./ }).waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['412'])
})

journey('closing the dialog aborts the upload, and nothing is replaced', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await page.goto('/graphs')
  await act(page, 'Line', 'Replace content…')
  const dialog = page.getByRole('dialog', { name: 'Replace the content of Line' })
  await dialog.getByLabel('Or an edge table').fill('source,target\nn0,n1\n')
  await dialog.getByRole('heading', { name: 'Nodes removed (4)' }).waitFor()
  // The delayed request finds that it has been aborted.
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/content'))
  await page.route('**/api/graphs/1/content*', () => {})
  await dialog.getByRole('button', { name: 'Replace', exact: true }).click()
  await page.keyboard.press('Escape')
  t.match((await ended).failure()?.errorText, /ABORTED/)
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.version, 1)
})

journey('an invalid file cannot replace content', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs')
  await act(page, 'Line', 'Replace content…')
  const dialog = page.getByRole('dialog', { name: 'Replace the content of Line' })
  await dialog.getByLabel('Or an edge table').fill('source,target\nn0,\n')
  await dialog.getByText('an edge has no target').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Replace', exact: true }).isDisabled(), true)
})
