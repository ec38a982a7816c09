import t from 'tap'
import { adaWith } from './graph-page.ts'
import { act, inspect, journeysOf, openAs, picture, refusalsOf, seriousFindings, serveTeam } from './journeys.ts'

// Tags of graphs, and the tag and access filters of the list.

const { browser, journey } = journeysOf(t)

journey('tags can be edited, are shown as chips, and filter the list', async (t) => {
  const { page, as } = await adaWith(
    t,
    browser(),
    { name: 'Benzene', tags: ['chemistry', '2026'] },
    { name: 'Rails', tags: ['traffic'] },
    { name: 'Water', description: 'Two and one.' }
  )
  const table = page.getByRole('table', { name: 'Graphs' })
  const link = (name: string) => table.getByRole('link', { name, exact: true })
  const dialog = page.getByRole('dialog')
  await act(page, 'Water', 'Edit name and description')
  const field = dialog.getByLabel('Tags')
  await field.fill('chem')
  await page.getByRole('option', { name: 'chemistry 1' }).click()
  await field.fill('rivers, H2O')
  await field.press('Enter')
  await dialog.getByText('H2O').waitFor()
  await field.fill('last')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same((await as('ada', 'GET', '/api/graphs/3')).body.tags, ['chemistry', 'rivers', 'H2O', 'last'])

  await table.getByRole('button', { name: 'chemistry' }).first().click()
  await page.waitForURL('**/graphs?tags=chemistry')
  await link('Rails').waitFor({ state: 'detached' })
  t.same(await table.getByRole('link').allInnerTexts(), ['Water', 'Benzene'])
  await table.getByRole('button', { name: '2026' }).click()
  await page.waitForURL('**/graphs?tags=chemistry%2C2026')
  await link('Water').waitFor({ state: 'detached' })
  await inspect(t, page, 'tags')
  const filter = page.getByRole('combobox', { name: 'Filter by tags' })
  await filter.press('Backspace')
  await link('Water').waitFor()
  await filter.press('Backspace')
  await link('Rails').waitFor()
  await filter.fill('tra')
  await page.getByRole('option', { name: 'traffic 1' }).waitFor()
  await filter.press('ArrowDown')
  await filter.press('Enter')
  await page.waitForURL('**/graphs?tags=traffic')
  await link('Water').waitFor({ state: 'detached' })

  await link('Rails').click()
  await page.getByRole('link', { name: 'traffic' }).waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await page.getByRole('link', { name: 'traffic' }).click()
  await page.waitForURL('**/graphs?tags=traffic')
  await link('Rails').waitFor()
})

journey('a new graph gets its tags, with and without a file', async (t) => {
  const { page, as } = await adaWith(t, browser())
  const dialog = page.getByRole('dialog', { name: 'New graph' })
  for (const [name, table] of [
    ['Empty', ''],
    ['Full', 'source,target\na,b\n']
  ] as const) {
    await page.goto('/graphs')
    await page.getByRole('button', { name: 'New graph' }).click()
    await dialog.getByLabel(/^Name/).fill(name)
    await dialog.getByLabel('Tags').fill('one, two')
    await dialog.getByLabel('Tags').press('Enter')
    if (table) {
      await dialog.getByRole('textbox', { name: 'Or an edge table' }).fill(table)
      await dialog.getByText('2 nodes, 1 edge').waitFor()
    }
    await dialog.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name }).waitFor()
    await page.getByRole('link', { name: 'two' }).waitFor()
  }
  const { body } = await as('ada', 'GET', '/api/graphs')
  t.same(
    body.map(({ name, tags, nodeCount }: Record<string, unknown>) => ({ name, tags, nodeCount })),
    [
      { name: 'Empty', tags: ['one', 'two'], nodeCount: 0 },
      { name: 'Full', tags: ['one', 'two'], nodeCount: 2 }
    ]
  )
})

journey('the user chooses between their own tags and those changed by someone else', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), { name: 'Paths', tags: ['one'] })
  await act(page, 'Paths', 'Edit name and description')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Tags').fill('yours')
  await dialog.getByLabel('Tags').press('Enter')
  await as('ada', 'PATCH', '/api/graphs/1', { tags: ['theirs', 'one'] })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Theirs: theirs, one').waitFor()
  await dialog.getByLabel('Yours: one, yours').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  t.same((await as('ada', 'GET', '/api/graphs/1')).body.tags, ['one', 'yours'])
  t.same([...new Set(refusalsOf(mishaps))], ['409'])
})

journey('the list filters shared graphs by edit and view access', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  for (const name of ['Edited', 'Viewed', 'Kept']) await as('ada', 'POST', '/api/graphs', { name })
  await as('ada', 'PUT', '/api/graphs/1/access/users/bob', { access: 'WRITE' })
  await as('ada', 'PUT', '/api/graphs/2/access/users/bob', { access: 'READ' })
  await as('bob', 'POST', '/api/graphs', { name: 'Own' })
  const { page } = await openAs(t, browser(), url, 'bob', '/graphs')
  const table = page.getByRole('table', { name: 'Graphs' })
  const shows = async (choice: string, rows: string, names: string[]) => {
    await page.getByRole('radiogroup').getByText(choice, { exact: true }).click()
    await page.getByText(rows).waitFor()
    for (const name of names) await table.getByRole('link', { name }).waitFor()
    t.same((await table.getByRole('link').allInnerTexts()).sort(), names)
  }
  await shows('All', '1–3 of 3', ['Edited', 'Own', 'Viewed'])
  await shows('Shared, can edit', '1–1 of 1', ['Edited'])
  await table.getByText('Can edit').waitFor()
  await shows('All', '1–3 of 3', ['Edited', 'Own', 'Viewed'])
  await shows('Shared, view only', '1–1 of 1', ['Viewed'])
  await page.setViewportSize({ width: 390, height: 844 })
  await picture(page, 'shared-to-view-narrow')
  t.equal(
    await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
    true,
    'the page fits narrow screens'
  )
  await shows('All', '1–3 of 3', ['Edited', 'Own', 'Viewed'])
  await shows('Mine', '1–1 of 1', ['Own'])

  const admin = await openAs(t, browser(), url, 'admin', '/graphs?whose=view')
  await admin.page.getByText('1–4 of 4').waitFor()
  t.equal(
    await admin.page.getByRole('radiogroup').getByText('Shared, view only').count(),
    0,
    'administrators can edit all graphs'
  )
})
