import t from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { act, inspect, journeysOf, openAs, pick, picture, refusalsOf, serveTeam } from './journeys.ts'

// API tokens: a user's own tokens and, for administrators, those of other users and services.

const { browser, journey } = journeysOf(t)

journey('a user creates a token, copies it once, sees its use, and revokes it', async (t) => {
  const { url } = await serveTeam(t, 'ada')
  const { page, mishaps } = await openAs(t, browser(), url, 'ada', '/account')
  await page.getByText('No tokens yet. Create one for a program that uses the API.').waitFor()
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New token' }).click()
  await dialog.getByLabel('Name').fill('nightly import')
  t.equal(await dialog.getByRole('button', { name: 'Create' }).isDisabled(), true, 'a token needs a permission')
  await dialog.getByLabel('Read graphs').check()
  await dialog.getByLabel(/^Current password/).fill('another battery')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('The current password is incorrect.').waitFor()
  await dialog.getByLabel(/^Current password/).fill(PASSWORD)
  await inspect(t, page, 'token-new')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const field = page.getByRole('dialog', { name: 'Token created' }).getByLabel('Token')
  const token = await field.inputValue()
  t.match(token, /^gst_[0-9A-Za-z]{36}$/)
  await inspect(t, page, 'token-created')
  await page.getByRole('button', { name: 'Close' }).last().click()
  await field.waitFor({ state: 'detached' })
  const list = page.getByRole('list', { name: 'Tokens' })
  await list.getByText(/Never used\./).waitFor()
  t.equal((await page.content()).includes(token), false, 'the page no longer contains the token')

  const status = async (path: string) =>
    (await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  t.same([await status('/api/graphs'), await status('/api/users')], [200, 403])
  await page.getByRole('link', { name: 'Graphs', exact: true }).first().click()
  await page.goto('/account')
  await list.getByText(/Last used/).waitFor()
  await picture(page, 'tokens')
  await list.getByRole('button', { name: 'Revoke nightly import' }).click()
  await dialog.getByText('Programs that use it lose access immediately.', { exact: false }).waitFor()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('No tokens yet. Create one for a program that uses the API.').waitFor()
  t.equal(await status('/api/graphs'), 401)
  t.same(refusalsOf(mishaps), ['400'], 'only the wrong password was refused')
})

journey('an administrator creates a service, and creates and revokes its tokens', async (t) => {
  const { url, as, settle } = await serveTeam(t)
  const { page } = await openAs(t, browser(), url, 'admin', '/users')
  const dialog = page.getByRole('dialog').last()
  await page.getByRole('button', { name: 'New user' }).click()
  await dialog.getByLabel(/^Username/).fill('robot')
  await pick(dialog.getByRole('combobox', { name: 'Type' }), 'Service')
  t.equal(await dialog.getByLabel('Password').count(), 0)
  await picture(page, 'service-new')
  await dialog.getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('row', { name: /robot/ })
  await row.getByText('Service').waitFor()
  t.equal((await as('admin', 'GET', '/api/users/robot')).body.kind, 'SERVICE')

  await page.getByRole('button', { name: 'Actions for robot' }).click()
  t.equal(await page.getByRole('menuitem', { name: 'Reset password' }).count(), 0)
  await page.getByRole('menuitem', { name: 'Tokens…' }).click()
  await page.getByRole('dialog', { name: 'Tokens for robot' }).getByRole('button', { name: 'New token' }).click()
  const making = page.getByRole('dialog', { name: 'New token' })
  await making.getByLabel('Name').fill('push')
  await making.getByLabel('Change graphs').check()
  await making.getByLabel(/^Current password/).fill(PASSWORD)
  await making.getByRole('button', { name: 'Create' }).click()
  const created = page.getByRole('dialog', { name: 'Token created' })
  const token = await created.getByLabel('Token').inputValue()
  await created.getByRole('button', { name: 'Close' }).last().click()
  await created.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke push' }).waitFor()
  await inspect(t, page, 'tokens-of-service')
  const reply = await fetch(`${url}/api/account`, { headers: { authorization: `Bearer ${token}` } })
  t.match(await reply.json(), { login: 'robot', kind: 'SERVICE' })
  const push = `${url}/api/account/graphs/nightly/content?name=Pushed`
  const pushed = await fetch(push, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
    body: 'source,target\na,b\n'
  })
  t.equal(pushed.status, 201)
  await settle()
  await page.goto('/audits?principal=robot')
  await page
    .getByRole('row', { name: /Graph created/ })
    .getByRole('link')
    .first()
    .click()
  await page.getByRole('dialog').getByText('push (1)').waitFor()

  await page.goto('/graphs/1')
  await act(page, 'Pushed', 'Edit name and description')
  const edit = page.getByRole('dialog')
  t.equal(await edit.getByLabel('Key').inputValue(), 'nightly')
  await edit.getByLabel('Key').fill('weekly')
  await edit.getByRole('button', { name: 'Save' }).click()
  await edit.waitFor({ state: 'detached' })
  t.equal((await as('admin', 'GET', '/api/graphs/1')).body.key, 'weekly')
})
