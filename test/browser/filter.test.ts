import type { Page } from 'playwright-core'
import t from 'tap'
import { browserOf, sameEverywhere, seriousFindings } from '../browser.ts'
import { adaWith, choose } from '../graph-page.ts'

// The filter by an attribute with many values.

const browser = browserOf(t)

/** 250 teams of one node each, one team of five, and two nodes without a team. */
const teams = [...Array.from({ length: 250 }, (_, number) => `Team ${number}`), ...Array(5).fill('Large'), '', '']
const crowd = {
  name: 'Crowd',
  content: {
    nodes: teams.map((team, index) => ({
      id: `n${index}`,
      x: index % 16,
      y: Math.floor(index / 16),
      ...(team && { metadata: { team } })
    })),
    edges: []
  }
}

/** Waits until the address has this filter, as a query. */
const address = (page: Page, filter: string) =>
  page.waitForURL(({ searchParams }) => {
    const own = [...searchParams].filter(([name]) => ['filter', 'is', 'not'].includes(name))
    return String(new URLSearchParams(own)) === filter
  })

t.test('a filter by an attribute with many values hides none of them untold', sameEverywhere, async (t) => {
  const { page, mishaps } = await adaWith(t, browser(), crowd)
  await page.goto('/graphs/1')
  await page.getByRole('combobox', { name: 'Filter nodes by' }).click()
  await page.getByRole('option', { name: 'team' }).click()
  await address(page, 'filter=metadata.team')
  const panel = page.getByRole('complementary')
  await panel.getByText('252 of 252 values shown').waitFor()
  const values = panel.getByRole('group', { name: 'Values of team' })
  t.equal(await values.getByRole('checkbox').count(), 100)
  t.equal(await values.getByRole('checkbox').first().getAttribute('id'), await idOf(page, 'Large (5)'))
  await panel.getByText('152 more. Search to find them.').waitFor()
  t.equal(await page.locator('[class*=Pill-root]').count(), 0)
  t.same(await seriousFindings(page), [])

  const search = panel.getByLabel('Search values')
  await search.fill('team 249')
  const last = values.getByLabel('Team 249 (1)')
  await last.uncheck()
  await address(page, 'filter=metadata.team&not=Team+249')
  await panel.getByText('251 of 252 values shown').waitFor()
  await search.fill('without')
  await values.getByLabel('(without a value) (2)').uncheck()
  await panel.getByText('250 of 252 values shown').waitFor()
  await choose(page, 'Nodes')
  await page.getByText('254 of 257').waitFor()

  await choose(page, 'Drawing')
  await panel.getByRole('button', { name: 'No values' }).click()
  await panel.getByText('0 of 252 values shown').waitFor()
  await search.fill('TEAM 249')
  await last.check()
  await address(page, 'filter=metadata.team&is=Team+249')
  await choose(page, 'Nodes')
  await page.getByText('1 of 257').waitFor()
  await page.reload()
  await page.getByText('1 of 257').waitFor()

  await choose(page, 'Drawing')
  await panel.getByRole('button', { name: 'All values' }).click()
  await address(page, 'filter=metadata.team')
  await panel.getByRole('button', { name: 'Show all nodes' }).click()
  await address(page, '')
  t.same(mishaps, { errors: [], elsewhere: [] })
})

/** The id of the checkbox with this label. */
function idOf(page: Page, label: string) {
  return page.getByLabel(label, { exact: true }).getAttribute('id')
}
