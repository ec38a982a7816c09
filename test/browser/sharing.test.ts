import t from 'tap'
import { until } from '../support/until.ts'
import { line } from './graph-page.ts'
import { act, inspect, journeysOf, openAs, pick, picture, refusalsOf, serveTeam } from './journeys.ts'

// Sharing with people and groups, and transferring ownership.

const { browser, journey } = journeysOf(t)

journey(
  'a group edits a graph until its access is revoked; other users see nothing, and no text is lost',
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
    await pick(share.getByRole('combobox', { name: 'Access', exact: true }), 'Can edit')
    await inspect(t, ada.page, 'share')
    await share.getByRole('button', { name: 'Share', exact: true }).click()
    await share.getByRole('combobox', { name: 'Access for chemists' }).waitFor()
    t.equal(await share.getByRole('combobox', { name: 'Access for chemists' }).inputValue(), 'Can edit')
    const isEmpty = async () => (await share.getByLabel('Group name').inputValue()) === ''
    t.equal(await until(isEmpty), true)

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
    await share.getByRole('combobox', { name: 'Access for chemists' }).waitFor({ state: 'detached' })
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

    t.same([...new Set(refusalsOf(eve.mishaps))], ['404'])
    t.same([...new Set(refusalsOf(bob.mishaps))], ['404'])
  }
)

journey('the share dialog suggests all users to an administrator', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  await as('admin', 'POST', '/api/graphs', line)
  const { page } = await openAs(t, browser(), url, 'admin', '/graphs/1')
  await page.getByRole('button', { name: 'Share…' }).click()
  await page
    .getByRole('dialog')
    .getByLabel(/^Username/)
    .fill('a')
  await page.getByRole('option', { name: 'ada' }).waitFor()
  t.pass()
})

journey('the share dialog adds people, changes and revokes access, and keeps a rejected name', async (t) => {
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
  const name = dialog.getByLabel(/^Username/)
  await name.fill('nobody')
  await name.press('Enter')
  await dialog.getByRole('alert').getByText('User not found.').waitFor()
  t.equal(await name.inputValue(), 'nobody')
  await name.fill('b')
  await page.getByRole('option', { name: 'bob' }).waitFor()
  await name.press('ArrowDown')
  await name.press('Enter')
  t.equal(await name.inputValue(), 'bob')
  await name.press('Enter')
  const right = dialog.getByRole('combobox', { name: 'Access for bob' })
  await right.waitFor()
  t.equal(await dialog.getByRole('alert').count(), 0)
  t.same(await granted(), [['bob', 'READ']])
  await dialog.locator('input:focus[value=""]').waitFor()

  await pick(right, 'Can edit')
  await dialog.locator('input[aria-label="Access for bob"][value="Can edit"]').waitFor()
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
})

journey('a graph is transferred, and its former owner loses access', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', line)
  const { page, mishaps } = await openAs(t, browser(), url, 'ada', '/graphs/1')
  await page.getByRole('button', { name: 'Share…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Transfer ownership…' }).click()
  const handOver = page.getByRole('dialog', { name: 'Transfer “Line”' })
  const login = handOver.getByLabel('Username of new owner')
  await login.fill('nobody')
  await handOver.getByRole('button', { name: 'Transfer ownership' }).click()
  await handOver.getByRole('alert').getByText('User not found.').waitFor()
  t.equal(await login.inputValue(), 'nobody')
  await inspect(t, page, 'hand-over')
  await login.fill('bob')
  await handOver.getByRole('button', { name: 'Transfer ownership' }).click()
  await page.getByText('“Line” now belongs to bob.').waitFor()
  await page.waitForURL('**/graphs')
  await page.getByText('No graphs yet').waitFor()
  t.equal((await as('bob', 'GET', '/api/graphs/1')).body.access, 'OWNER')
  t.equal((await as('ada', 'GET', '/api/graphs/1')).status, 404)
  t.same([...new Set(refusalsOf(mishaps))], ['404'])
})

journey('a user with edit access saves a layout, which leaves the sharing with all users unchanged', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('ada', 'POST', '/api/graphs', { ...line, shared: true, tags: ['demo'] })
  await as('ada', 'PUT', '/api/graphs/1/access/users/bob', { access: 'WRITE' })
  const { page } = await openAs(t, browser(), url, 'bob', '/graphs/1')
  await page.getByRole('button', { name: 'Run layout' }).click()
  const save = page.getByRole('button', { name: 'Save layout' })
  // The layout ends on its own.
  await save.click({ timeout: 60_000 })
  await save.waitFor({ state: 'detached' })
  const { version, shared, tags } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same({ version, shared, tags }, { version: 2, shared: true, tags: ['demo'] })
})
