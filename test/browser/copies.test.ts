import t from 'tap'
import { line } from './graph-page.ts'
import { act, journeysOf, openAs, serveTeam } from './journeys.ts'

const { browser, journey } = journeysOf(t)

journey('a reader makes a copy of a shared graph in the list, and a copy of the copy on its page', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', { ...line, shared: true })
  const { page } = await openAs(t, browser(), url, 'bob')
  const table = page.getByRole('table', { name: 'Graphs' })
  await act(page, 'Line', 'Make a copy')
  await table.getByRole('row').filter({ hasText: 'Copy of Line' }).filter({ hasText: 'bob' }).waitFor()
  await page.getByRole('alert').getByRole('link', { name: 'Open copy' }).click()
  await page.getByRole('heading', { name: 'Copy of Line', exact: true }).waitFor()
  t.equal(new URL(page.url()).pathname, '/graphs/2')
  await page.getByRole('application').waitFor()

  await page.getByRole('button', { name: 'Actions for Copy of Line' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Make a copy' }).press('Enter')
  await page.getByRole('alert').filter({ hasText: '“Copy of Copy of Line” was created.' }).waitFor()
  t.match(await as('bob', 'GET', '/api/graphs/3'), { status: 200, body: { owner: 'bob', nodeCount: 6 } })
})
