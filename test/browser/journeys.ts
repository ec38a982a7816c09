import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { AxeResults } from 'axe-core'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { startChromium } from '../../bench/chromium.ts'
import { engine, only } from '../support/engine.ts'
import { PASSWORD, proven } from '../support/helper.ts'
import { call, executable, login, serveProgram } from '../support/program.ts'

const dist = join(import.meta.dirname, '../../dist')
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The folder of screenshots for human review. */
const pictures = join(dist, 'screenshots', executable ? 'executable' : engine)

/** Skips app tests for other engines and for executables, since the app behaves the same there. */
const sameEverywhere = executable
  ? { skip: 'source only: the app in the executable is the same' }
  : only('SQLite', 'the app does not depend on the engine')

/** Returns a test file's browser, which starts on first use, and a function that defines the file's tests. */
export function journeysOf(t: Test) {
  let started: Promise<Browser> | undefined
  t.teardown(async () => (await started)?.close())
  const browser = () => {
    mkdirSync(pictures, { recursive: true })
    started ??= startChromium()
    return started
  }
  /** Defines an app test. The test fails if a window had errors that the test did not read. */
  const journey = (name: string, run: (t: Test) => Promise<unknown>) =>
    t.test(name, sameEverywhere, async (t) => {
      await run(t)
      for (const unread of windows.get(t) ?? []) t.same(unread(), { errors: [], elsewhere: [] })
    })
  return { browser, journey }
}

const roles = { ada: 'USER', bob: 'USER', eve: 'USER', audrey: 'AUDITOR' } as const

/**
 * Starts a server with these users in addition to admin, and sends requests as them. One password hash is computed per user.
 */
export async function serveTeam(t: Test, ...logins: (keyof typeof roles)[]) {
  const server = await serveProgram(t, join(t.testdir({}), 'data'))
  const { url } = server
  const admin = await login(url)
  await Promise.all(
    logins.map((name) =>
      call(
        `${url}/api/users`,
        'POST',
        { login: name, password: PASSWORD, role: roles[name], mustChangePassword: false, ...proven },
        admin
      )
    )
  )
  const tokens = new Map([['admin', admin]])
  async function as(name: string, method: string, path: string, body?: unknown) {
    if (!tokens.has(name)) tokens.set(name, await login(url, name))
    return call(`${url}${path}`, method, body, tokens.get(name))
  }
  /** Waits until every event is in the audit log. Returns the id of the last one. */
  async function settle() {
    const { body } = await as('admin', 'GET', '/management/audits?size=1')
    const { id } = body[0]
    const headers = { authorization: `Bearer ${tokens.get('admin')}` }
    while ((await fetch(`${url}/management/audits/${id}/proof`, { headers })).status === 409) await setTimeout(100)
    return id as number
  }
  return { ...server, as, settle }
}

/** Events that must not occur on any page. */
export interface Mishaps {
  /** Console errors and warnings, and uncaught errors. */
  errors: string[]
  /** Requests to other hosts. */
  elsewhere: string[]
}

/** For each window of a test, a function that returns the mishaps that the test has not read yet. */
const windows = new WeakMap<Test, (() => Mishaps)[]>()

/** Returns the mishaps collected in `found`, and tracks which of them the test has read. */
function watch(t: Test, found: Mishaps): Mishaps {
  const unread = { ...found }
  const read = (kind: keyof Mishaps) => {
    unread[kind] = []
    return found[kind]
  }
  windows.set(t, [...(windows.get(t) ?? []), () => unread])
  return {
    get errors() {
      return read('errors')
    },
    get elsewhere() {
      return read('elsewhere')
    }
  }
}

/** Opens a separate browser context, as for another user. `mishaps` collects its errors. */
export async function openWindow(t: Test, browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    reducedMotion: 'reduce',
    locale: 'en',
    timezoneId: 'Europe/Berlin',
    baseURL: url,
    ...options
  })
  context.setDefaultTimeout(60_000)
  t.teardown(() => context.close())
  const page = await context.newPage()
  const found: Mishaps = { errors: [], elsewhere: [] }
  page.on('console', (message) => {
    // Messages from the software renderer are unrelated to the page.
    if (message.text().startsWith('[.WebGL-')) return
    if (['error', 'warning'].includes(message.type())) found.errors.push(`${message.text()} ${message.location().url}`)
  })
  page.on('pageerror', (error) => found.errors.push(String(error)))
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== url) found.elsewhere.push(request.url())
  })
  return { page, context, mishaps: watch(t, found) }
}

/** Fills in the sign-in form and submits it. */
export async function enter(page: Page, name: string, password: string) {
  await page.getByLabel('Username').fill(name)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in on the current page. */
export async function signIn(page: Page, name: string, password = PASSWORD) {
  await enter(page, name, password)
  await page.getByRole('button', { name: `Account menu for ${name}` }).waitFor()
}

/** Opens a window at the address and signs in. */
export async function openAs(
  t: Test,
  browser: Promise<Browser>,
  url: string,
  login: string,
  address = '/',
  options: BrowserContextOptions = {}
) {
  const window = await openWindow(t, await browser, url, options)
  await window.page.goto(address)
  await signIn(window.page, login)
  return window
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Chooses an item in the menu of a graph, user or group. */
export async function act(page: Page, name: string, item: string) {
  await button(page, `Actions for ${name}`).click()
  await page.getByRole('menuitem', { name: item, exact: true }).click()
}

/** Chooses an option of a field. */
export async function pick(field: Locator, option: string) {
  await field.click()
  await field.page().getByRole('option', { name: option, exact: true }).click()
}

/** Returns the status codes of refused requests, the names of network errors, and other errors verbatim. */
export const refusalsOf = ({ errors }: Mishaps) =>
  errors.map((error) => /(?<=status of )\d+|net::ERR_\w+/.exec(error)?.[0] ?? error)

/** Works like refusalsOf(), but omits requests that were in flight when a session ended. */
export const refusalsInSession = (mishaps: Mishaps) => refusalsOf(mishaps).filter((status) => status !== '401')

/** Saves a screenshot of the page. */
export function picture(page: Page, name: string) {
  return page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' })
}

/** Returns the serious axe violations on the page, with rules and elements. */
export async function seriousFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`)
    )
}

/** Saves a screenshot of the page, and checks that axe finds no serious violation. */
export async function inspect(t: Test, page: Page, name: string) {
  await picture(page, name)
  t.same(await seriousFindings(page), [], `${name}: axe finds no violation`)
}
