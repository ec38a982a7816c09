import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { button, journeysOf, openAs, openWindow, serveTeam } from './journeys.ts'

// Everything that users do with a graph, using only the keyboard.

const { browser, journey } = journeysOf(t)

/** The maximum number of Tab presses to reach an element. */
const MOST = 120

/** Moves to an element by Tab, or back by Shift+Tab, and checks that its focus is visible. */
async function go(page: Page, to: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await to.waitFor({ state: 'attached' })
  for (let step = 0; step < MOST; step++) {
    if ((await to.and(page.locator(':focus')).count()) === 1) {
      if (await page.evaluate<boolean>(isSeen)) return
      throw new Error(`The focus is not visible on ${to}`)
    }
    await page.keyboard.press(key)
  }
  throw new Error(`Tab does not reach ${to}`)
}

/** Fields show their focus on the border, and radio buttons on an adjacent element. */
const isSeen = `(() => {
  const element = document.activeElement
  const { outlineStyle, boxShadow } = getComputedStyle(element)
  return element.matches('input, select, textarea') || outlineStyle !== 'none' || boxShadow !== 'none'
})()`

async function press(page: Page, to: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab') {
  await go(page, to, key)
  await page.keyboard.press('Enter')
}

/** Chooses an option in the focused field. */
async function pick(page: Page, name: string) {
  await page.getByRole('option', { name, exact: true }).waitFor()
  // A timer that starts when the list opens resets the highlighted option.
  await page.evaluate('new Promise((done) => setTimeout(done))')
  for (let step = 0; step < MOST; step++) {
    await page.keyboard.press('ArrowDown')
    const active = 'document.querySelector("[role=option][data-combobox-selected]")?.textContent.trim()'
    if ((await page.evaluate(active)) === name) return page.keyboard.press('Enter')
  }
  throw new Error(`No option ${name}`)
}

/** Chooses an item in the open menu with the arrow keys. */
async function chooseItem(page: Page, name: string) {
  const item = page.getByRole('menuitem', { name, exact: true })
  await item.waitFor()
  for (let step = 0; step < MOST && (await item.and(page.locator(':focus')).count()) === 0; step++) {
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

/** Checks that this element has the focus. */
async function focused(t: Test, page: Page, on: Locator, after: string) {
  await on
    .and(page.locator(':focus'))
    .waitFor({ timeout: 3000 })
    .catch(() => {})
  const name = await page.evaluate(
    'document.activeElement.ariaLabel || document.activeElement.textContent.slice(0, 40)'
  )
  t.equal(await on.and(page.locator(':focus')).count(), 1, `${after}: the focus is on ${name}`)
}

journey('a graph is created, viewed, changed, shared and deleted by keyboard alone', async (t) => {
  t.setTimeout(120_000)
  const team = await serveTeam(t, 'ada')
  const { page, mishaps } = await openWindow(t, await browser(), team.url)
  const drawing = page.getByRole('application')
  await page.goto('/')
  await focused(t, page, page.getByLabel('Username'), 'the page was opened')
  await page.keyboard.type('ada')
  await go(page, page.getByLabel(/^Password/))
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')

  await button(page, 'Account menu for ada').waitFor()
  await page.waitForLoadState('networkidle')

  await press(page, page.getByRole('link', { name: 'Skip to content' }))
  await focused(t, page, page.getByRole('main'), 'the content was skipped to')
  await press(page, button(page, 'Create and open Karate club'))
  await drawing.locator('canvas').first().waitFor()

  // The arrow keys move between nodes, and Enter shows the details of a node.
  await go(page, drawing)
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  const details = page.getByRole('region', { name: 'Details' })
  await press(page, details.getByRole('button', { name: 'Close details' }))
  await details.waitFor({ state: 'detached' })
  await focused(t, page, drawing, 'details closed')

  const filters = page.getByRole('region', { name: 'Filters' })
  const add = filters.getByRole('combobox', { name: 'Add filter' })
  await go(page, page.getByRole('tab', { name: 'Appearance' }))
  await page.keyboard.press('ArrowRight')
  await go(page, add)
  await page.keyboard.press('Enter')
  await pick(page, 'Degree')
  await go(page, filters.getByRole('slider', { name: 'Minimum Degree' }))
  await page.keyboard.press('ArrowRight')
  await filters.getByText(/^33 of 34 nodes/).waitFor()
  await press(page, button(page, 'Remove filter Degree'), 'Shift+Tab')
  await filters.getByText(/^34 of 34 nodes/).waitFor()
  await focused(t, page, add, 'filter removed')

  await press(page, button(page, 'Measures'), 'Shift+Tab')
  await press(page, button(page, 'Calculate PageRank'))
  await press(page, button(page, 'Colour nodes by PageRank'))
  await page.waitForURL(/colour=measure\.|colour=.*[rR]ank/)
  await page.keyboard.press('Escape')
  await focused(t, page, button(page, 'Measures'), 'measures closed')

  await press(page, button(page, 'Layout options'), 'Shift+Tab')
  await go(page, page.getByRole('radio', { name: 'Force-directed' }))
  await page.keyboard.press('ArrowDown')
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Run layout' }))
  await button(page, 'Undo layout').waitFor()
  await page.keyboard.press('Escape')
  await focused(t, page, button(page, 'Layout options'), 'layout options closed')

  const edit = button(page, 'Edit')
  await press(page, edit, 'Shift+Tab')
  await focused(t, page, button(page, 'Add node'), 'an edit was started')
  await page.keyboard.press('Enter')
  await focused(t, page, page.getByRole('dialog').getByLabel('Label'), 'a dialog was opened')
  await page.keyboard.type('New member')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focused(t, page, button(page, 'Add node'), 'a node was added')
  const connect = page.getByRole('form', { name: 'Connect to' })
  await go(page, connect.getByRole('combobox'))
  await page.keyboard.type('1')
  await page.getByRole('listbox').getByRole('option').first().waitFor()
  await page.keyboard.press('Enter')
  await press(page, connect.getByRole('button', { name: 'Add edge' }))
  await page.getByText('2 unsaved changes').waitFor()
  const form = page.getByRole('form', { name: 'Edit node' })
  await press(page, form.getByRole('button', { name: 'Add attribute' }), 'Shift+Tab')
  await focused(t, page, form.getByLabel('Attribute name'), 'an attribute was added')
  await page.keyboard.type('since')
  await go(page, form.getByLabel('Value of since'))
  await page.keyboard.type('1972')
  await page.keyboard.press('Enter')
  const changed = page.getByText('2 unsaved changes')
  await changed.waitFor()
  await page.keyboard.press('Control+z')
  await form.getByLabel('Value of since').waitFor({ state: 'detached' })
  await page.keyboard.press('Control+Shift+z')
  await form.getByLabel('Value of since').waitFor()
  await form.getByLabel('Label').focus()
  await page.keyboard.type('!')
  await page.keyboard.press('Control+s')
  const save = page.getByRole('dialog', { name: 'Save changes' })
  await save.getByText('2 changes').waitFor()
  await page.keyboard.press('Escape')
  await focused(t, page, button(page, 'Save changes'), 'saving was cancelled')
  await page.keyboard.press('Control+z')
  await form.getByLabel('Label').and(page.locator('[value="New member"]')).waitFor()
  await go(page, form.getByLabel('Value of since'), 'Shift+Tab')
  const undo = button(page, 'Undo')
  await go(page, undo, 'Shift+Tab')
  for (const size of ['2 unsaved changes', '1 unsaved change', 'No changes']) {
    await page.keyboard.press('Enter')
    await page.getByText(size).waitFor()
  }
  await page.waitForTimeout(300)
  await focused(t, page, undo, 'everything was undone')
  await go(page, button(page, 'Redo'))
  for (const size of ['1 unsaved change', '2 unsaved changes', '2 unsaved changes']) {
    await page.keyboard.press('Enter')
    await page.getByText(size).waitFor()
  }
  await press(page, button(page, 'Save changes'))
  const dialog = page.getByRole('dialog', { name: 'Save changes' })
  await focused(t, page, dialog.getByLabel('Message (optional)'), 'a dialog was opened')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await focused(t, page, button(page, 'Save changes'), 'the save was cancelled')
  await page.keyboard.press('Enter')
  await focused(t, page, dialog.getByLabel('Message (optional)'), 'a dialog was opened')
  await page.keyboard.type('A new member.')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await focused(t, page, edit, 'the edit was saved')

  await go(page, page.getByRole('radio', { name: 'Drawing', exact: true }), 'Shift+Tab')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('table', { name: 'Nodes of Karate club' }).waitFor()
  await press(page, edit)
  await focused(t, page, button(page, 'Add node'), 'an edit was started')
  await go(page, page.getByRole('region', { name: 'Nodes of Karate club' }))
  for (const key of ['ArrowDown', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key)
  await page.keyboard.type('Second')
  await page.keyboard.press('Enter')
  await page.getByText('1 unsaved change').waitFor()
  await focused(t, page, page.getByRole('gridcell'), 'a cell was changed')
  await press(page, button(page, 'Discard changes'), 'Shift+Tab')
  await press(page, page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await focused(t, page, edit, 'the edit was discarded')

  const views = button(page, 'Views')
  await go(page, views, 'Shift+Tab')
  await page.keyboard.press('Enter')
  await chooseItem(page, 'Save view…')
  const naming = page.getByRole('dialog', { name: 'Save view' })
  await focused(t, page, naming.getByLabel('Name'), 'a dialog was opened')
  await page.keyboard.type('Members')
  await page.keyboard.press('Enter')
  await naming.waitFor({ state: 'detached' })
  await focused(t, page, views, 'the view was saved')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Members' }).first().waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/tab=nodes/)
  await focused(t, page, views, 'the view was opened')

  await press(page, button(page, 'Share…'))
  const sharing = page.getByRole('dialog', { name: 'Share “Karate club”' })
  await go(page, sharing.getByRole('switch'))
  await page.keyboard.press('Space')
  await sharing.getByRole('switch', { checked: true, disabled: false }).waitFor()
  await page.keyboard.press('Escape')
  await sharing.waitFor({ state: 'detached' })
  await focused(t, page, button(page, 'Share…'), 'sharing closed')
  t.equal((await team.as('ada', 'GET', '/api/graphs/1')).body.shared, true)

  const menu = button(page, 'Actions for Karate club')
  const question = page.getByRole('dialog', { name: 'Delete' })
  await go(page, menu)
  /** Opens the confirmation dialog through the last menu item. */
  const ask = async () => {
    await page.keyboard.press('Enter')
    await chooseItem(page, 'Delete')
    await question.waitFor()
  }
  await ask()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await focused(t, page, menu, 'the deletion was cancelled')
  await ask()
  await press(page, question.getByRole('button', { name: 'Move to trash' }))
  await page.waitForURL(/\/graphs$/)
  t.equal((await team.as('ada', 'GET', '/api/graphs/1')).status, 404)
  // The previous page may still be requesting the graph.
  for (const error of mishaps.errors) t.match(error, '/api/graphs/1')
})

journey('the focus stays near a button that disappears with its step', async (t) => {
  const { url } = await serveTeam(t, 'ada')
  const { page } = await openAs(t, browser(), url, 'ada', '/account')
  await button(page, 'Set up').focus()
  await page.keyboard.press('Enter')
  await page
    .getByLabel(/^Current password/)
    .last()
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByLabel('Key', { exact: true }).waitFor()
  await page.locator('main *:focus').waitFor()
  await page.keyboard.press('Tab')
  const focused = await page.evaluate('document.activeElement.closest("main") !== null')
  t.equal(focused, true, 'Tab continues there, not at the start of the page')
})
