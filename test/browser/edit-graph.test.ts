import t from 'tap'
import { adaWith } from './graph-page.ts'
import { act, journeysOf, refusalsOf } from './journeys.ts'

// The dialog for the name, description and sharing of a graph.

const { browser, journey } = journeysOf(t)

journey('the dialog of a graph stays open when the graph disappears from the list', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), { name: 'Paths' }, { name: 'Old paths' })
  await page.goto('/graphs?q=paths')
  await act(page, 'Paths', 'Edit name and description')
  const dialog = page.getByRole('dialog', { name: 'Edit name and description' })
  await dialog.getByLabel('Description').fill('Written for an hour.')
  await as('ada', 'PATCH', '/api/graphs/1', { name: 'Rails' })
  // The list reflects a change in another tab.
  await page.evaluate('new BroadcastChannel("graphstead").postMessage("changed")')
  await page.locator('table').getByText('Paths', { exact: true }).waitFor({ state: 'detached' })
  t.equal(await dialog.getByLabel('Description').inputValue(), 'Written for an hour.')

  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Theirs: Rails').waitFor()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { name, description } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same({ name, description }, { name: 'Rails', description: 'Written for an hour.' })
  t.same([...new Set(refusalsOf(mishaps))], ['409'])
})

journey('fields are read-only while an edit is being saved', async (t) => {
  const { page } = await adaWith(t, browser(), { name: 'Paths' })
  await act(page, 'Paths', 'Edit name and description')
  const dialog = page.getByRole('dialog', { name: 'Edit name and description' })
  const description = dialog.getByLabel('Description')
  await description.fill('Short.')
  const answer = Promise.withResolvers<void>()
  await page.route('**/api/graphs/1', async (route) => {
    await answer.promise
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.locator('button[data-loading]').waitFor()
  t.equal(await description.isDisabled(), true)
  answer.resolve()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('Short.').waitFor()
})
