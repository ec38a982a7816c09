import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, drawing, line } from './graph-page.ts'
import { inspect, journeysOf, openAs, openWindow, seriousFindings } from './journeys.ts'

// The default view of a graph, and the views that links and pictures show.

const { browser, journey } = journeysOf(t)
const blue = 'filter=metadata.team&is=blue'

async function openMenu(page: Page, name: string) {
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).hover()
}

const query = (page: Page) => new URL(page.url()).search

journey('a graph opens in its default view, and an address with a view of its own takes precedence', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  await as('ada', 'PUT', '/api/graphs/1/views/Blue%20team', { query: blue })
  await as('ada', 'PUT', '/api/graphs/1/views/Everyone', { query: '' })
  await page.goto('/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  await openMenu(page, 'Default view')
  const choice = (name: string) => page.getByRole('menuitemradio', { name, exact: true })
  t.equal(await choice('None').getAttribute('aria-checked'), 'true')
  await inspect(t, page, 'default-view-menu')
  await choice('Blue team').click()
  await page.getByText('“Blue team” is the default view.').waitFor()
  const filter = page.getByRole('tab', { name: 'Filters (1)' })
  await filter.waitFor()
  t.equal(query(page), '', 'the address stays the same')

  // A saved view that is empty still replaces the default view, and Back returns to it.
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Blue team (default)' }).waitFor()
  await page.getByRole('menuitem', { name: 'Everyone', exact: true }).click()
  await page.waitForURL((url) => url.search === '?tab=drawing')
  await filter.waitFor({ state: 'detached' })
  await page.goBack()
  await filter.waitFor()
  t.equal(query(page), '')
  await page.goto('/graphs/1?size=none')
  await drawing(page).locator('canvas').first().waitFor()
  t.equal(await filter.count(), 0)

  await openMenu(page, 'Remove view')
  await page.getByRole('menuitem', { name: 'Blue team', exact: true }).click()
  await page.getByText('View “Blue team” removed.').waitFor()
  t.notOk('defaultView' in (await as('ada', 'GET', '/api/graphs/1')).body)
})

journey('a new link shows the view on the screen, and the share dialog tells which view is shown', async (t) => {
  const { page, as, url } = await adaWith(t, browser(), line)
  await as('ada', 'PUT', '/api/graphs/1/views/Blue%20team', { query: blue })
  await page.goto('/graphs/1?filter=metadata.team&is=red&node=n0')
  await page.getByRole('tab', { name: 'Filters (1)' }).waitFor()
  await page.getByRole('button', { name: 'Share…' }).click()
  await page.getByText('The graph opens without a saved view.').waitFor()
  await page.getByRole('tab', { name: 'Link' }).click()
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog', { name: 'New link' })
  const view = dialog.getByLabel('View', { exact: true })
  t.same(await view.locator('option').allInnerTexts(), ['View on the screen', 'Default view', 'View “Blue team”'])
  t.equal(await view.inputValue(), 'screen')
  await inspect(t, page, 'link-view')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Custom view').first().waitFor()
  const [link] = (await as('ada', 'GET', '/api/graphs/1/links')).body
  t.same(link.view, { query: 'filter=metadata.team&is=red' }, 'the selection is not part of the view')

  await page.getByRole('button', { name: 'Edit unnamed link' }).click()
  const editor = page.getByRole('dialog', { name: 'Edit unnamed link' })
  t.equal(await editor.getByLabel('View', { exact: true }).inputValue(), 'own')
  await editor.getByLabel('View', { exact: true }).selectOption('View “Blue team”')
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByText('View “Blue team”').first().waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs/1/links')).body[0].view, 'Blue team')

  await page.getByRole('tab', { name: 'Picture' }).click()
  await page.getByRole('tabpanel', { name: 'Picture' }).getByLabel('View').selectOption('View “Blue team”')
  const drawn = page.getByRole('img', { name: 'Picture of Line' })
  await drawn.evaluate((image) => (image as unknown as { decode(): Promise<void> }).decode())
  const address = await page.getByLabel('Address of the picture', { exact: true }).inputValue()
  t.equal(address, `${url}/api/graphs/1/picture.png?view=Blue+team`)
  await inspect(t, page, 'picture-panel')

  const visitor = await openWindow(t, await browser(), url)
  await visitor.page.goto(link.url)
  await visitor.page.getByRole('button', { name: /^red/ }).filter({ hasText: '0 of 2' }).waitFor()
  await inspect(t, visitor.page, 'link-in-view')
})

journey('pictures and embeds take the view on the screen', async (t) => {
  const { page, as, url } = await adaWith(t, browser(), line)
  const filter = 'filter=metadata.team&is=red'
  await as('ada', 'POST', '/api/graphs/1/links', { name: 'Wiki', origins: ['https://wiki.example.org'] })
  const style = JSON.stringify({ background: '#fdf6e3' })
  await page.goto(`/graphs/1?${filter}&style=${encodeURIComponent(style)}`)
  await page.getByRole('tab', { name: 'Filters (1)' }).waitFor()
  await page.getByRole('button', { name: 'Share…' }).click()
  await page.getByRole('tab', { name: 'Picture' }).click()
  const panel = page.getByRole('tabpanel', { name: 'Picture' })
  await panel.getByRole('button', { name: 'Save view on the screen…' }).click()
  const saving = page.getByRole('dialog', { name: 'Save view' })
  await saving.getByLabel('Name').fill('Red')
  await inspect(t, page, 'picture-save-view')
  await saving.getByRole('button', { name: 'Save' }).click()
  await saving.waitFor({ state: 'detached' })
  t.equal(await panel.getByLabel('View', { exact: true }).inputValue(), 'view:Red')
  t.match(await page.locator(':focus').textContent(), 'Save view on the screen…')
  const address = await panel.getByLabel('Address of the picture', { exact: true }).inputValue()
  t.equal(address, `${url}/api/graphs/1/picture.png?view=Red`)
  t.match((await as('ada', 'GET', '/api/graphs/1/views')).body, [
    { name: 'Red', query: filter, style: { background: '#fdf6e3' } }
  ])

  await page.getByRole('tab', { name: 'Embed' }).click()
  await page.getByText('Default view · ').waitFor()
  await page.getByRole('button', { name: 'Edit Wiki' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Wiki' })
  await dialog.getByLabel('View', { exact: true }).selectOption('View on the screen')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Custom view · ').waitFor()
  const [link] = (await as('ada', 'GET', '/api/graphs/1/links')).body
  t.same(link.view, { query: filter, style: { background: '#fdf6e3' } })
  await inspect(t, page, 'embed-edit')
})

journey('the share dialog works on a telephone', async (t) => {
  const team = await adaWith(t, browser(), line)
  await team.as('ada', 'PUT', '/api/graphs/1/views/Blue%20team', { query: blue })
  const { page } = await openAs(t, browser(), team.url, 'ada', '/graphs', { viewport: { width: 360, height: 740 } })
  await page.getByRole('button', { name: /^Actions for Line/ }).click()
  await page.getByRole('menuitem', { name: 'Share…' }).click()
  await page.getByRole('tab', { name: 'Picture' }).click()
  await page.getByRole('img', { name: 'Picture of Line' }).waitFor()
  t.same(await seriousFindings(page), [])
  await inspect(t, page, 'picture-panel-narrow')
  await page.getByRole('tab', { name: 'Link' }).click()
  await page.getByRole('button', { name: 'New link' }).click()
  const view = page.getByRole('dialog', { name: 'New link' }).getByLabel('View', { exact: true })
  t.same(await view.locator('option').allInnerTexts(), ['Default view', 'View “Blue team”'])
})
