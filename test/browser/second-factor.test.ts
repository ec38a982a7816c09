import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { codeAt } from '../../plugins/sign-in/totp.ts'
import { qrCodeOf } from '../../ui/src/account/qr-code.ts'
import { decodeBase32 } from '../sign-in/base32.ts'
import { PASSWORD } from '../support/helper.ts'
import { serveProgram } from '../support/program.ts'
import {
  act,
  enter,
  inspect,
  journeysOf,
  openAs,
  openWindow,
  refusalsOf,
  seriousFindings,
  serveTeam
} from './journeys.ts'

// Two-factor authentication, and the sessions of a user.

const { browser, journey } = journeysOf(t)

const now = () => Math.floor(Date.now() / 30_000)
const formWith = (page: Page, submit: string) =>
  page.locator('form', { has: page.getByRole('button', { name: submit }) })

/** Confirms that the recovery codes are saved, and returns them. */
async function keepCodes(page: Page) {
  const codes = (await page.getByLabel('Recovery codes', { exact: true }).innerText()).trim().split('\n')
  await page.getByRole('button', { name: 'I saved them' }).click()
  return codes
}

/** Reads the modules of the QR code that the page shows: `#` for black, `.` for white. */
async function shownCode(page: Page) {
  await page.getByRole('img', { name: 'QR code of the key' }).waitFor()
  return page.evaluate(`(() => {
    const path = document.querySelector('svg[aria-label^=QR] path')
    const { x, width } = path.ownerSVGElement.viewBox.baseVal
    const places = Array.from({ length: width + 2 * x }, (_, index) => index + 0.5)
    return places
      .map((y) => places.map((x) => (path.isPointInFill(new DOMPoint(x, y)) ? '#' : '.')).join(''))
      .join('\\n')
  })()`)
}

/** Sets up a second factor, starting with the password form. Returns the recovery codes. */
async function setUp(t: Test, page: Page) {
  await formWith(page, 'Set up')
    .getByLabel(/^Current password/)
    .fill(PASSWORD)
  await formWith(page, 'Set up').getByRole('button', { name: 'Set up' }).click()
  const secret = (await page.getByLabel('Key', { exact: true }).innerText()).replaceAll(' ', '')
  t.match(secret, /^[A-Z2-7]{32}$/)
  const uri = await page.getByRole('link', { name: 'Open authenticator app' }).getAttribute('href')
  t.match(uri, `?secret=${secret}&`)
  t.equal(
    await shownCode(page),
    qrCodeOf(uri ?? '')
      .toString({ on: '#', off: '.', pad: 0 })
      .trim()
  )
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  const code = codeAt(decodeBase32(secret), now())
  await page.getByLabel(/^Current code/).fill(code === '000000' ? '000001' : '000000')
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByText(/^This is not the current code/).waitFor()
  await page.getByLabel(/^Current code/).fill(code)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await page.getByLabel('Recovery codes', { exact: true }).waitFor()
  await page.getByText(/^You sign in with only a password/).waitFor({ state: 'detached' })
  return keepCodes(page)
}

journey('ada sets up a second factor, saves her recovery codes, and signs in with a code', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  await as('ada', 'GET', '/api/account')
  const { page, mishaps } = await openAs(t, browser(), url, 'ada', '/account')
  await page.getByRole('button', { name: 'Set up' }).click()
  await formWith(page, 'Set up')
    .getByLabel(/^Current password/)
    .and(page.locator(':focus'))
    .waitFor()
  const codes = await setUp(t, page)
  t.equal(codes.length, 10)
  await page.getByText(/You have 10 recovery codes left/).waitFor()
  t.equal((await as('ada', 'GET', '/api/account')).status, 401, 'the earlier token of ada is invalid')

  const other = await openWindow(t, await browser(), url)
  await other.page.goto('/trash')
  await enter(other.page, 'ada', PASSWORD)
  const code = other.page.getByLabel(/^Code/)
  await code.waitFor()
  t.equal(await other.page.getByRole('alert').count(), 0, 'the code is requested without an error')
  await code.fill('000000')
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByText('The code is incorrect or was already used.').waitFor()
  await code.fill(codes[0] ?? '')
  await other.page.getByRole('button', { name: 'Sign in' }).click()
  await other.page.getByText('The trash is empty').waitFor()

  await page.goto('/account')
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await sessions.getByText('This session').waitFor()
  const first = await page.evaluate('fetch("/api/account/sessions").then((answer) => answer.json())')
  const browsers = (first as { kind: string; current: boolean }[]).filter(({ kind }) => kind === 'BROWSER')
  t.equal(browsers.length, 2)
  // The most recently used session belongs to the other window.
  await sessions
    .getByRole('button', { name: /^End session on Chrome/ })
    .first()
    .click()
  await other.page.goto('/graphs')
  await other.page.getByRole('button', { name: 'Sign in' }).waitFor()
  t.pass('the other window has to sign in again')

  const prove = async (submit: string, code: string) => {
    const form = formWith(page, submit)
    await form.getByLabel(/^Current password/).fill(PASSWORD)
    await form.getByLabel(/^Code/).fill(code)
    await form.getByRole('button', { name: submit }).click()
  }
  await page.getByRole('button', { name: 'Replace recovery codes' }).click()
  await prove('Replace recovery codes', codes[0] ?? '')
  await page.getByText('is incorrect or has already been used').waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await prove('Replace recovery codes', codes[1] ?? '')
  const renewed = await keepCodes(page)
  t.equal(new Set([...codes, ...renewed]).size, 20)
  await page.getByRole('button', { name: 'Turn off' }).click()
  await prove('Turn off', renewed[0] ?? '')
  await page.getByText(/^You sign in with only a password/).waitFor()
  const account = await page.evaluate('fetch("/api/account").then((answer) => answer.json())')
  t.equal((account as { secondFactor: boolean }).secondFactor, false)
  t.same([...new Set(refusalsOf(mishaps))], ['400'])
  t.same([...new Set(refusalsOf(other.mishaps))], ['401'])
})

journey('a user must first set up a second factor if one is required', async (t) => {
  const { url } = await serveProgram(t, join(t.testdir({}), 'data'), ['--require-second-factor', 'all'])
  const { page, mishaps } = await openWindow(t, await browser(), url)
  await page.goto('/trash')
  await enter(page, 'admin', PASSWORD)
  await page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor()
  t.equal(await page.getByRole('link', { name: 'Graphs' }).count(), 0, 'there are no pages yet')
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await setUp(t, page)
  await page.getByText('The trash is empty').waitFor()
  t.equal(page.url(), `${url}/trash`)
  t.same([...new Set(refusalsOf(mishaps))], ['403', '400'])
})

journey("an administrator ends a user's sessions, and turns off the second factor", async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  const { body } = await as('ada', 'POST', '/api/account/second-factor', { password: PASSWORD })
  await as('ada', 'POST', '/api/account/second-factor/confirmation', { code: codeAt(decodeBase32(body.secret), now()) })
  const { page } = await openAs(t, browser(), url, 'admin', '/users')
  const rowOf = (login: string) => page.getByRole('row', { name: new RegExp(`^${login}`) })
  await rowOf('ada').getByText('two-factor', { exact: true }).waitFor()
  t.equal(await rowOf('bob').getByText('two-factor', { exact: true }).count(), 0)
  await rowOf('bob').getByText('Never').waitFor()

  await act(page, 'ada', 'Sessions…')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('list', { name: 'Sessions' }).waitFor()
  await inspect(t, page, 'user-sessions')
  await dialog.getByRole('button', { name: 'End all sessions' }).click()
  await dialog.getByText('No active sessions.').waitFor()
  t.equal((await as('ada', 'GET', '/api/account')).status, 401)
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()

  await act(page, 'ada', 'Turn off two-factor authentication')
  await dialog.getByText(/^Turn off two-factor authentication for ada\?/).waitFor()
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await rowOf('ada').getByText('two-factor', { exact: true }).waitFor({ state: 'detached' })
  t.equal((await as('admin', 'GET', '/api/users/ada')).body.secondFactor, false)
})

journey('a notice lists unfamiliar sign-ins until the user confirms them', async (t) => {
  const { url } = await serveProgram(t, join(t.testdir({}), 'data'), ['--trust-proxy', 'loopback'])
  const signInFrom = async (address: string) => {
    const headers = {
      'content-type': 'application/json',
      'x-forwarded-for': address,
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'
    }
    const body = JSON.stringify({ username: 'admin', password: PASSWORD })
    const answer = await fetch(`${url}/api/authenticate`, { method: 'POST', headers, body })
    return `Bearer ${((await answer.json()) as { id_token: string }).id_token}`
  }
  const { page } = await openAs(t, browser(), url, 'admin', '/trash')
  const notice = page.getByRole('status').filter({ hasText: 'to your account' })
  await page.getByText('The trash is empty').waitFor()
  t.equal(await notice.count(), 0, 'there is no notice about the current sign-in')

  const authorization = await signInFrom('192.0.2.7')
  await page.reload()
  await notice.getByText('A new sign-in to your account', { exact: true }).waitFor()
  await notice.getByText(/^Firefox, Windows, 192\.0\.2\.7, /).waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await notice.getByRole('link', { name: 'Show sessions' }).click()
  await page.getByRole('button', { name: 'End session on Firefox, Windows' }).click()
  await notice.waitFor({ state: 'detached' })
  t.equal((await fetch(`${url}/api/account`, { headers: { authorization } })).status, 401, 'the session has ended')

  await signInFrom('198.51.100.3')
  await signInFrom('203.0.113.9')
  await page.reload()
  await notice.getByText('2 new sign-ins to your account', { exact: true }).waitFor()
  await notice.getByRole('button', { name: 'This was me' }).click()
  await notice.waitFor({ state: 'detached' })
})

journey('a user with a second factor who changes the password must enter a code again', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  const { body } = await as('ada', 'POST', '/api/account/second-factor', { password: PASSWORD })
  const secret = decodeBase32(body.secret)
  const confirmed = await as('ada', 'POST', '/api/account/second-factor/confirmation', { code: codeAt(secret, now()) })
  const [first, second] = confirmed.body.recoveryCodes
  const { page, mishaps } = await openWindow(t, await browser(), url)
  await page.goto('/account')
  const showCode = async (code: string) => {
    await page.getByLabel(/^Code/).fill(code)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }
  await enter(page, 'ada', PASSWORD)
  await showCode(first)
  const change = formWith(page, 'Change password')
  await change.getByLabel(/^Current password/).fill(PASSWORD)
  await change.getByLabel(/^New password/).fill('another good battery')
  await change.getByRole('button', { name: 'Change password' }).click()
  await page.getByText('Your password has been changed. Sign in again.').waitFor()
  t.same(await seriousFindings(page), [], 'axe finds no violation')
  await enter(page, 'ada', 'another good battery')
  await showCode(second)
  await page.getByRole('button', { name: 'Account menu for ada' }).waitFor()
  t.equal(page.url(), `${url}/account`)
  t.same([...new Set(refusalsOf(mishaps))], ['401'])
})
