import t from 'tap'
import {
  act,
  browserOf,
  openAs,
  pick,
  picture,
  refusalsOf,
  sameEverywhere,
  seriousFindings,
  serveTeam
} from './browser.ts'
import { line } from './graph-page.ts'

// Sharing with people and groups, and handing over.

const browser = browserOf(t)

t.test(
  'ada shares with a group for editing, bob edits, eve sees nothing; ada takes it back, and what bob typed is not lost',
  sameEverywhere,
  async (t) => {
    const { url, as } = await serveTeam(t, 'ada', 'bob', 'eve')
    await as('ada', 'POST', '/api/graphs', line)
    await as('admin', 'POST', '/api/groups', { name: 'chemists' })
    await as('admin', 'PUT', '/api/groups/chemists/members/bob')

    const ada = await openAs(t, browser(), url, 'ada', '/graphs/1')
    await act(ada.page, 'Line', 'Share…')
    const share = ada.page.getByRole('dialog')
    await share.getByText('Group', { exact: true }).click()
    await share.getByLabel('Group name').fill('chem')
    await ada.page.getByRole('option', { name: 'chemists' }).click()
    await pick(share.getByRole('combobox', { name: 'Right', exact: true }), 'Can edit')
    await picture(ada.page, 'share')
    t.same(await seriousFindings(ada.page), [], 'by axe')
    await share.getByRole('button', { name: 'Share', exact: true }).click()
    await share.getByRole('combobox', { name: 'Right of chemists' }).waitFor()
    t.equal(await share.getByRole('combobox', { name: 'Right of chemists' }).inputValue(), 'Can edit')
    t.equal(await share.getByLabel('Group name').inputValue(), '')

    const eve = await openAs(t, browser(), url, 'eve', '/graphs/1')
    await eve.page.getByText('This graph does not exist, or is not shared with you.').waitFor()
    await eve.page.goto('/graphs')
    await eve.page.getByText('No graphs yet').waitFor()

    const bob = await openAs(t, browser(), url, 'bob', '/graphs')
    const edit = bob.page.getByRole('dialog')
    await bob.page.getByRole('link', { name: 'Line' }).click()
    await bob.page.getByRole('button', { name: 'Actions for Line' }).click()
    await bob.page.getByRole('menuitem', { name: 'Replace content…' }).waitFor()
    for (const name of ['Share…', 'Delete']) t.equal(await bob.page.getByRole('menuitem', { name }).count(), 0, name)
    t.equal(await bob.page.getByRole('button', { name: 'Share…' }).count(), 0)
    await bob.page.getByRole('menuitem', { name: 'Edit name and description' }).click()
    await edit.getByLabel('Description').fill('By bob.')
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.waitFor({ state: 'detached' })
    t.equal((await as('ada', 'GET', '/api/graphs/1')).body.description, 'By bob.')

    await act(bob.page, 'Line', 'Edit name and description')
    await edit.getByLabel('Description').fill('Written for an hour.')
    await share.getByRole('button', { name: 'Remove chemists' }).click()
    await share.getByRole('combobox', { name: 'Right of chemists' }).waitFor({ state: 'detached' })
    await edit.getByRole('button', { name: 'Save' }).click()
    await edit.getByRole('alert').getByText('This graph does not exist, or is not shared with you.').waitFor()
    await picture(bob.page, 'share-taken-back')
    t.equal(await edit.getByLabel('Description').inputValue(), 'Written for an hour.')
    t.equal((await as('ada', 'GET', '/api/graphs/1')).body.description, 'By bob.', 'nothing was saved')
    await edit.getByRole('button', { name: 'Cancel' }).click()
    await edit.waitFor({ state: 'detached' })
    await bob.page.getByRole('alert').getByText('This graph does not exist, or is not shared with you.').waitFor()
    await bob.page.goto('/graphs')
    await bob.page.getByText('No graphs yet').waitFor()

    t.same(ada.mishaps, { errors: [], elsewhere: [] })
    t.same([...new Set(refusalsOf(eve.mishaps))], ['404'])
    t.same([...new Set(refusalsOf(bob.mishaps))], ['404'])
  }
)

t.test(
  'the share dialog adds people, changes and removes their rights, and keeps a name that the server refuses',
  sameEverywhere,
  async (t) => {
    const { url, as } = await serveTeam(t, 'ada', 'bob')
    await as('ada', 'POST', '/api/graphs', line)
    await as('bob', 'POST', '/api/graphs', { name: 'Of bob', shared: true })
    const granted = async () =>
      (await as('ada', 'GET', '/api/graphs/1/access')).body.map(({ user, access }: Record<string, string>) => [
        user,
        access
      ])
    const { page, mishaps } = await openAs(t, browser(), url, 'ada', '/graphs/1')
    await page.getByRole('button', { name: 'Share…' }).click()
    const dialog = page.getByRole('dialog')
    const name = dialog.getByLabel(/^Login/)
    await name.fill('nobody')
    await name.press('Enter')
    await dialog.getByRole('alert').getByText('There is no person with this login.').waitFor()
    t.equal(await name.inputValue(), 'nobody')
    await name.fill('b')
    await page.getByRole('option', { name: 'bob' }).waitFor()
    await name.press('ArrowDown')
    await name.press('Enter')
    t.equal(await name.inputValue(), 'bob')
    await name.press('Enter')
    const right = dialog.getByRole('combobox', { name: 'Right of bob' })
    await right.waitFor()
    t.equal(await dialog.getByRole('alert').count(), 0)
    t.same(await granted(), [['bob', 'READ']])
    await dialog.locator('input:focus[value=""]').waitFor()

    await pick(right, 'Can edit')
    await dialog.locator('input[aria-label="Right of bob"][value="Can edit"]').waitFor()
    t.same(await granted(), [['bob', 'WRITE']])

    await as('ada', 'DELETE', '/api/graphs/1')
    await dialog.getByRole('button', { name: 'Remove bob' }).click()
    await dialog.getByText('This graph does not exist, or is not shared with you.').first().waitFor()
    await as('ada', 'POST', '/api/trash/1/restore')
    await dialog.getByRole('button', { name: 'Remove bob' }).click()
    await right.waitFor({ state: 'detached' })
    t.same(await granted(), [])
    await dialog.locator('h3:focus', { hasText: 'People and groups with access' }).waitFor()
    t.same([...new Set(refusalsOf(mishaps))], ['404'])
  }
)

t.test('a graph is handed over, and its former owner has it no longer', sameEverywhere, async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', line)
  const { page } = await openAs(t, browser(), url, 'ada', '/graphs/1')
  await page.getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Hand over…' }).click()
  const handOver = page.getByRole('dialog', { name: 'Hand over “Line”' })
  const login = handOver.getByLabel('Login of the new owner')
  await login.fill('nobody')
  await handOver.getByRole('button', { name: 'Hand over' }).click()
  await handOver.getByRole('alert').getByText('There is no person with this login.').waitFor()
  t.equal(await login.inputValue(), 'nobody')
  await picture(page, 'hand-over')
  t.same(await seriousFindings(page), [], 'by axe')
  await login.fill('bob')
  await handOver.getByRole('button', { name: 'Hand over' }).click()
  await page.getByText('“Line” belongs to bob now.').waitFor()
  await page.waitForURL('**/graphs')
  await page.getByText('No graphs yet').waitFor()
  t.equal((await as('bob', 'GET', '/api/graphs/1')).body.access, 'OWNER')
  t.equal((await as('ada', 'GET', '/api/graphs/1')).status, 404)
})

t.test('a writer saves a layout, and whether everybody sees the graph stays the same', sameEverywhere, async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', { ...line, shared: true, tags: ['demo'] })
  await as('ada', 'PUT', '/api/graphs/1/access/users/bob', { access: 'WRITE' })
  const { page, mishaps } = await openAs(t, browser(), url, 'bob', '/graphs/1')
  await page.getByRole('button', { name: 'Lay out' }).click()
  const save = page.getByRole('button', { name: 'Save layout' })
  // The layout ends by itself.
  await save.click({ timeout: 60_000 })
  await save.waitFor({ state: 'detached' })
  const { version, shared, tags } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same({ version, shared, tags }, { version: 2, shared: true, tags: ['demo'] })
  t.same(mishaps, { errors: [], elsewhere: [] })
})
