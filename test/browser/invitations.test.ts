import t from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { act, inspect, journeysOf, openAs, openWindow, refusalsOf, serveTeam, signIn } from './journeys.ts'

// Invitations by a link that sets the first password.

const { browser, journey } = journeysOf(t)

journey('an administrator invites a person, who chooses a password with the link and is signed in', async (t) => {
  const { url, as } = await serveTeam(t)
  const { page } = await openAs(t, browser(), url, 'admin', '/users')
  const dialog = page.getByRole('dialog')
  const own = dialog.getByLabel(/^Your password/)
  const linkOf = async () => {
    await own.fill(PASSWORD)
    await dialog.getByRole('button', { name: 'Create link' }).click()
    await dialog.getByText(/It will not be shown again/).waitFor()
    return dialog.getByLabel('Link', { exact: true }).inputValue()
  }
  await page.getByRole('button', { name: 'New user' }).click()
  await dialog.getByLabel(/^Username/).fill('eve')
  t.equal(await dialog.getByRole('radio', { name: 'The person chooses it with a link' }).isChecked(), true)
  t.equal(await dialog.getByLabel(/^Password/).count(), 0)
  t.equal(await own.count(), 0, 'creating the user grants nothing yet')
  await inspect(t, page, 'new-user-to-invite')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText(/^Creates a link that lets this person/).waitFor()
  const first = await linkOf()
  await inspect(t, page, 'invite')
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await act(page, 'eve', 'Invite by link…')
  const second = await linkOf()

  const eve = await openWindow(t, await browser(), url)
  await eve.page.goto(first)
  await eve.page.getByText(/^This invitation is not valid/).waitFor()
  await inspect(t, eve.page, 'invitation-replaced')
  await eve.page.getByRole('button', { name: 'Go to sign-in' }).click()
  await eve.page.getByLabel('Username').waitFor()
  await eve.page.goto('about:blank')
  await eve.page.goto(second)
  await eve.page.getByText(/^You were invited as eve\./).waitFor()
  await inspect(t, eve.page, 'invitation')
  const password = eve.page.getByLabel(/^Password/)
  await password.fill('password1234')
  await eve.page.getByRole('button', { name: 'Set password' }).click()
  await eve.page.getByRole('alert').waitFor()
  await password.fill('night and no star')
  await eve.page.getByRole('button', { name: 'Set password' }).click()
  await eve.page.getByRole('button', { name: 'Account menu for eve' }).waitFor()
  t.equal(eve.page.url(), `${url}/graphs`, 'the secret is no longer in the address')
  t.same(refusalsOf(eve.mishaps), ['404', '400'])
  t.match((await as('admin', 'GET', '/api/users/eve')).body, { hasPassword: true, mustChangePassword: false })

  const again = await openWindow(t, await browser(), url)
  await again.page.goto(second)
  await again.page.getByText(/^This invitation is not valid/).waitFor()
  t.same(refusalsOf(again.mishaps), ['404'])
  await again.page.getByRole('button', { name: 'Go to sign-in' }).click()
  await signIn(again.page, 'eve', 'night and no star')
})
