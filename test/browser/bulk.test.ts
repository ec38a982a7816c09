import { readFileSync } from 'node:fs'
import t from 'tap'
import { line } from './graph-page.ts'
import { button, journeysOf, openAs, pick, refusalsOf, seriousFindings, serveTeam } from './journeys.ts'

// Actions on several graphs of the list.

const { browser, journey } = journeysOf(t)

journey('selected graphs are tagged, shared, downloaded and moved to the trash; failures stay selected', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  for (const name of ['One', 'Two', 'Three']) await as('ada', 'POST', '/api/graphs', { ...line, name, tags: ['old'] })
  await as('bob', 'POST', '/api/graphs', { name: 'Of Bob', shared: true })
  const { page, mishaps } = await openAs(t, browser(), url, 'ada', '/', { acceptDownloads: true })
  const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
  const dialog = page.getByRole('dialog')
  const begin = async (item: string) => {
    await button(page, 'Actions').click()
    await page.getByRole('menuitem', { name: item, exact: true }).click()
    await dialog.waitFor()
  }
  const finish = async (submit: string, notice: string) => {
    await dialog.getByRole('button', { name: submit, exact: true }).click()
    await page.getByRole('alert').filter({ hasText: notice }).first().waitFor()
    await dialog.waitFor({ state: 'detached' })
  }
  const graphOf = async (id: number) => (await as('ada', 'GET', `/api/graphs/${id}?content=false`)).body

  await box('Select One').check()
  await page.getByText('1 graph selected').waitFor()
  t.equal(await box('Select all graphs on this page').evaluate((box: any) => box.indeterminate), true)
  await box('Select Two').check()
  await begin('Add tags…')
  await dialog.getByLabel('Tags').fill('new,newer')
  await finish('Add tags', '2 graphs tagged.')
  t.same((await graphOf(1)).tags, ['old', 'new', 'newer'])
  t.same((await graphOf(3)).tags, ['old'])
  await page.getByText('2 graphs selected').waitFor({ state: 'detached' })

  await box('Select all graphs on this page').check()
  await page.getByText('4 graphs selected').waitFor()
  await begin('Share with everybody…')
  await dialog.getByText('Skipped, because you do not have permission: Of Bob.').waitFor()
  t.same(await seriousFindings(page), [], 'bulk-dialog')
  await finish('Share', '3 graphs shared with everybody.')
  t.same([(await graphOf(1)).shared, (await graphOf(3)).shared], [true, true])
  t.ok(await box('Select Of Bob').isChecked(), 'it stays selected')

  await box('Select all graphs on this page').check()
  await begin('Download…')
  await pick(dialog.getByRole('combobox', { name: 'Format' }), 'GraphML')
  const download = page.waitForEvent('download')
  await finish('Download', '4 graphs downloaded.')
  const archive = readFileSync(await (await download).path()).toString('latin1')
  for (const name of ['One', 'Two', 'Three', 'Of Bob']) t.match(archive, `${name}.graphml`)

  t.comment('someone else changes a graph in the meantime')
  await box('Select One').check()
  await box('Select Three').check()
  await as('ada', 'PATCH', '/api/graphs/3', { description: 'Changed.' })
  await begin('Remove tags…')
  await dialog.getByLabel('Tags').fill('old')
  await dialog.getByRole('button', { name: 'Remove tags', exact: true }).click()
  const failed = dialog.getByRole('alert').filter({ hasText: '1 graph failed, and stayed selected:' })
  await failed.getByText('Three').waitFor()
  t.same((await graphOf(1)).tags, ['new', 'newer'])
  await finish('Try again', 'Tags removed from 1 graph.')
  t.notOk('tags' in (await graphOf(3)))

  t.comment('with the keyboard, on a phone')
  await page.setViewportSize({ width: 360, height: 640 })
  await box('Select One').focus()
  await page.keyboard.press('Space')
  await box('Select Two').press('Space')
  t.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 360)
  t.same(await seriousFindings(page), [], 'bulk-phone')
  await box('Select all graphs on this page').press('Shift+Tab')
  t.equal(await page.locator(':focus').innerText(), 'Clear selection', 'the actions come before the list')
  await button(page, 'Actions').press('Enter')
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter')
  await finish('Move to trash', '2 graphs moved to the trash. You can restore them from there.')
  const left = page.getByRole('table', { name: 'Graphs' }).getByRole('link')
  await page.getByText('1–2 of 2').waitFor()
  t.same((await left.allInnerTexts()).toSorted(), ['Of Bob', 'Three'])
  t.same(refusalsOf(mishaps), ['409'])
})

journey('another page or filter of the list has its own selection', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  for (const name of ['One', 'Two']) await as('ada', 'POST', '/api/graphs', { name })
  const { page } = await openAs(t, browser(), url, 'ada')
  await page.getByRole('checkbox', { name: 'Select One' }).check()
  await page.getByText('1 graph selected').waitFor()
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await page.getByText('1 graph selected').waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'Select all graphs on this page' }).check()
  await button(page, 'Clear selection').click()
  t.equal(await page.getByRole('checkbox', { checked: true }).count(), 0)
})
