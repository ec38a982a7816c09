import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, choose, drawing, line } from './graph-page.ts'
import { inspect, journeysOf, openAs, seriousFindings, serveTeam } from './journeys.ts'

// Saved views of a graph.

const { browser, journey } = journeysOf(t)
const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

async function openMenu(page: Page) {
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await item(page, 'Copy view link').waitFor()
}

async function saveView(page: Page, name: string) {
  await openMenu(page)
  await item(page, 'Save view…').click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill(name)
  return dialog
}

journey('the views button shows that no saved view has the style', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  const style = { background: '#ffeedd', nodes: { opacity: 0.5 } }
  await page.goto(`/graphs/1?style=${encodeURIComponent(JSON.stringify(style))}`)
  const marked = page.getByRole('button', { name: 'Views', exact: true, description: 'No saved view has this style.' })
  await marked.waitFor()
  await openMenu(page)
  await page.getByRole('menuitem', { name: 'Save view… No saved view has this style.' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save view' })
  await dialog.getByLabel('Name').fill('Pale')
  await page.keyboard.press('Enter')
  await marked.waitFor({ state: 'detached' })
  await page.reload()
  await openMenu(page)
  await item(page, 'Save view…').waitFor()
  t.equal(await marked.count(), 0, 'the saved style is the same after a reload')
})

journey('a view is saved, reopened with the same visible part, replaced and removed', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?colour=metadata.team&size=metadata.weight&node=n0&edge=1')
  await drawing(page).locator('canvas').first().waitFor()
  await drawing(page).focus()
  for (const key of ['+', '+']) await page.keyboard.press(key)
  await openMenu(page)
  t.equal(await item(page, 'Remove view').count(), 0, 'there is no view to remove')
  await page.keyboard.press('Escape')
  await saveView(page, ' Teams ')
  t.same(await seriousFindings(page), [], 'axe finds no violation in the dialog')
  await page.keyboard.press('Enter')
  await page.getByText('View “Teams” saved.').waitFor()
  const query = () => Object.fromEntries(new URL(page.url()).searchParams)
  const saved = { colour: 'metadata.team', size: 'metadata.weight', camera: `0.5,0.5,${1 / 1.5 / 1.5}` }
  await page.waitForURL((url) => url.searchParams.has('camera'))
  t.same(query(), { ...saved, node: 'n0', edge: '1' })

  await page.goto('/graphs/1?label=id')
  await choose(page, 'Nodes')
  await openMenu(page)
  await inspect(t, page, 'views-menu')
  await item(page, 'Teams').click()
  await drawing(page).locator('canvas').first().waitFor()
  t.same(query(), saved, 'a view opens from a table too, without the selection')
  await drawing(page).focus()
  await page.keyboard.press('-')
  await page.waitForURL((url) => url.searchParams.get('camera') !== saved.camera)
  await openMenu(page)
  await item(page, 'Teams').click()
  await page.waitForURL((url) => url.searchParams.get('camera') === saved.camera)
  await page.goBack()
  await page.waitForURL((url) => url.searchParams.get('camera') !== saved.camera)
  await openMenu(page)
  await item(page, 'Copy view link').click()
  t.not(query().camera, saved.camera, 'the camera has returned to the start too')

  const dialog = await saveView(page, 'Teams')
  await dialog.getByText('This replaces the view saved by ada.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await openMenu(page)
  await item(page, 'Remove view').hover()
  await page.getByRole('menu').nth(1).waitFor()
  const [menu, submenu] = await Promise.all([0, 1].map((index) => page.getByRole('menu').nth(index).boundingBox()))
  t.ok(menu && submenu && submenu.x + submenu.width <= menu.x + 5, 'the submenu opens beside its menu')
  await item(page, 'Teams').nth(1).click()
  await page.getByText('View “Teams” removed.').waitFor()
  await openMenu(page)
  t.equal(await item(page, 'Teams').count(), 0)
})

journey('readers can open views but not save them', async (t) => {
  const team = await serveTeam(t, 'ada', 'bob')
  await team.as('ada', 'POST', '/api/graphs', { ...line, shared: true })
  t.equal((await team.as('ada', 'PUT', '/api/graphs/1/views/by%20id', { query: 'label=id' })).status, 204)
  const { page } = await openAs(t, browser(), team.url, 'bob', '/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  await openMenu(page)
  t.same(await page.getByRole('menuitem').allInnerTexts(), ['by id', 'Copy view link'])
  // Opens the view using only the keyboard.
  await page.keyboard.press('Escape')
  await item(page, 'by id').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Views', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[role=menu]:focus, [role=menu] :focus').waitFor()
  await page.keyboard.press('Home')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/graphs/1?label=id')
})
