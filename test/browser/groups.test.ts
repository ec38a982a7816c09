import t from 'tap'
import { act, inspect, journeysOf, openAs, picture, refusalsOf, serveTeam } from './journeys.ts'

// The groups page for administrators, and the list of groups on the account page.

const { browser, journey } = journeysOf(t)

journey('an administrator creates a group, changes its members, name and description, and deletes it', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  await as('admin', 'POST', '/api/groups', { name: 'taken' })
  const { page, mishaps } = await openAs(t, browser(), url, 'admin', '/groups')
  const table = page.getByRole('table', { name: 'Groups' })
  const dialog = page.getByRole('dialog')
  const membersOf = async (name: string) => (await as('admin', 'GET', `/api/groups/${name}`)).body.members
  await page.getByRole('button', { name: 'New group' }).click()
  await dialog.getByLabel(/^Name/).fill('taken')
  await dialog.getByLabel('Description').fill('The laboratory.')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').getByText('A group with this name already exists.').waitFor()
  t.equal(await dialog.getByLabel('Description').inputValue(), 'The laboratory.')
  await dialog.getByLabel(/^Name/).fill('chemists')
  await dialog.getByRole('button', { name: 'Create' }).click()

  const members = page.getByRole('dialog', { name: 'Members of chemists' })
  const login = members.getByLabel(/^Username/)
  await login.fill('nobody')
  await login.press('Enter')
  await members.getByRole('alert').getByText('User not found.').waitFor()
  t.equal(await login.inputValue(), 'nobody')
  await login.fill('ad')
  await page.getByRole('option', { name: 'ada' }).click()
  await members.getByRole('button', { name: 'Add' }).click()
  await members.getByRole('button', { name: 'Remove ada' }).waitFor()
  await members.locator('input:focus[value=""]').waitFor()
  await login.fill('bob')
  await login.press('Enter')
  await members.getByText('2 members, 0 shared graphs').waitFor()
  await inspect(t, page, 'group-members')
  t.same(await membersOf('chemists'), ['ada', 'bob'])
  await members.getByRole('button', { name: 'Remove bob' }).click()
  await members.getByText('1 member, 0 shared graphs').waitFor()
  await members.locator('h3:focus').waitFor()
  t.same(await membersOf('chemists'), ['ada'])
  await members.getByRole('button', { name: 'Close' }).last().click()
  await members.waitFor({ state: 'detached' })

  await act(page, 'chemists', 'Edit name and description')
  await dialog.getByLabel(/^Name/).fill('physicists')
  await dialog.getByLabel('Description').fill('The other laboratory.')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await table.getByText('The other laboratory.').waitFor()
  t.same(await membersOf('physicists'), ['ada'])

  const ada = await openAs(t, browser(), url, 'ada', '/account')
  await ada.page.getByText('Your groups: physicists.').waitFor()
  t.equal(await ada.page.getByRole('link', { name: 'Groups' }).count(), 0)
  await ada.page.goto('/groups')
  await ada.page.getByText('Page not found').waitFor()

  await as('ada', 'POST', '/api/graphs', { name: 'Shared' })
  await as('ada', 'PUT', '/api/graphs/1/access/groups/physicists', { access: 'READ' })
  await act(page, 'physicists', 'Delete')
  await dialog.getByText('Delete physicists? 1 member loses access to 1 shared graph.', { exact: false }).waitFor()
  await picture(page, 'group-delete')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await table.getByText('physicists').waitFor({ state: 'detached' })
  t.same(
    (await as('admin', 'GET', '/api/groups')).body.map(({ name }: { name: string }) => name),
    ['taken']
  )
  await ada.page.goto('/account')
  await ada.page.getByText("You're not in any groups.").waitFor()

  await act(page, 'taken', 'Audit events')
  await page.getByRole('table', { name: 'Audit log' }).getByText('Group created').waitFor()
  t.match(refusalsOf(mishaps), ['409', '404'], 'only the expected requests were refused')
})
