import t from 'tap'
import {
  inspect,
  journeysOf,
  openAs,
  openWindow,
  picture,
  refusalsOf,
  seriousFindings,
  serveTeam,
  signIn
} from './journeys.ts'

// The search box in the header of every page.

const { browser, journey } = journeysOf(t)
const field = { name: 'Search graphs and nodes' }

journey('graphs, nodes and edges are found while typing and opened by keyboard or mouse', async (t) => {
  const { url, as } = await serveTeam(t, 'ada', 'bob')
  const content = {
    nodes: [
      { id: 'TP53_human', label: 'tumour protein' },
      { id: 'MDM2_human', label: 'ligase' }
    ],
    edges: [{ id: 'e1', source: 'MDM2_human', target: 'TP53_human', label: 'inhibits protein' }]
  }
  await as('ada', 'POST', '/api/graphs', { name: 'Signalling', type: 'PATHWAY', content })
  await as('ada', 'POST', '/api/graphs', { name: 'Protein list' })
  await as('bob', 'POST', '/api/graphs', { name: 'Hidden protein' })
  const { page } = await openAs(t, browser(), url, 'ada', '/graphs')
  await page.getByRole('heading', { name: 'Graphs' }).waitFor()

  await page.keyboard.press('/')
  const box = page.getByRole('textbox', field)
  await page.locator('input.mantine-TextInput-input:focus').waitFor()
  t.equal(await box.inputValue(), '', 'the key opens the search without typing into it')
  await box.pressSequentially('prot')
  const options = page.getByRole('listbox', { name: 'Search results' }).getByRole('option')
  await options.filter({ hasText: 'inhibits protein' }).waitFor()
  t.same(await options.allInnerTexts().then((texts) => texts.map((text) => text.replaceAll(/\s+/g, ' ').trim())), [
    'Protein list by ada',
    'Signalling PATHWAY · by ada',
    'tumour protein TP53_human',
    'inhibits protein e1'
  ])
  await inspect(t, page, 'search')

  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(({ searchParams }) => searchParams.get('node') === 'TP53_human')
  await page.getByRole('complementary').getByText('tumour protein').first().waitFor()
  t.equal(await box.inputValue(), '', 'the search box is empty again')
  // The camera moves once the layout has run.
  await page.waitForURL(({ searchParams }) => searchParams.get('camera')?.endsWith(',0.5') ?? false, {
    timeout: 60_000
  })

  await box.fill('inhibits')
  await options.filter({ hasText: 'inhibits protein' }).click()
  await page.waitForURL(({ searchParams }) => searchParams.get('edge') === '0')
  await box.fill('list')
  await options.filter({ hasText: 'Protein list' }).click()
  await page.waitForURL('**/graphs/2')

  await box.fill('nowhere')
  await page.getByText('No results. Try another search.').waitFor()
  await box.fill('…')
  await page.getByText('Enter at least one letter or digit.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Enter at least one letter or digit.').waitFor({ state: 'hidden' })
})

journey('late responses are ignored, failed searches can be retried, and more results can be shown', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  for (let index = 1; index <= 12; index++) await as('ada', 'POST', '/api/graphs', { name: `Common ${index}` })
  await as('ada', 'POST', '/api/graphs', { name: 'Commoner' })
  const { page, mishaps } = await openAs(t, browser(), url, 'ada', '/graphs')
  const box = page.getByRole('textbox', field)
  const options = page.getByRole('listbox', { name: 'Search results' }).getByRole('option')

  const release = Promise.withResolvers<void>()
  await page.route(/api\/search\?.*q=common&/, async (route) => {
    await release.promise
    await route.continue().catch(() => {})
  })
  const asked = page.waitForRequest(/q=common&/)
  await box.fill('common')
  await asked
  await box.fill('commoner')
  await options.filter({ hasText: 'Commoner' }).waitFor()
  release.resolve()
  await page.unroute(/api\/search\?.*q=common&/)
  t.equal(await options.count(), 1)

  await box.fill('common')
  await options.filter({ hasText: 'Show more graphs' }).click()
  await options
    .filter({ hasText: /^Common 1by ada|Common 1\b/ })
    .first()
    .waitFor()
  await options.filter({ hasText: 'Show more graphs' }).waitFor({ state: 'detached' })
  t.equal(await options.count(), 13)

  let failures = 0
  await page.route(/api\/search/, (route) =>
    failures++ < 1 ? route.fulfill({ status: 500, body: '{}' }) : route.continue()
  )
  await box.fill('commoner 5')
  await box.fill('common 7')
  const again = options.filter({ hasText: 'Try again' })
  await again.click()
  await options.filter({ hasText: 'Common 7' }).waitFor()
  t.same([...new Set(refusalsOf(mishaps))], ['500'])
})

journey('the search fits on a phone in dark mode', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  const nodes = Array.from({ length: 12 }, (_, index) => ({
    id: `protein-${index}`,
    label: `A protein with a rather long name ${index}`
  }))
  await as('ada', 'POST', '/api/graphs', {
    name: 'A signalling pathway with a long name',
    content: { nodes, edges: [] }
  })
  const { page } = await openWindow(t, await browser(), url, {
    viewport: { width: 390, height: 700 },
    colorScheme: 'dark'
  })
  await page.goto('/graphs')
  await signIn(page, 'ada')
  await page.getByRole('textbox', field).fill('protein')
  await page.getByRole('option').filter({ hasText: 'rather long name 9' }).waitFor()
  await picture(page, 'search-telephone')
  const isWide = await page.evaluate<boolean>(
    'document.documentElement.scrollWidth > document.documentElement.clientWidth'
  )
  t.equal(isWide, false, 'nothing overflows the window')
  const account = await page.getByRole('button', { name: 'Account menu for ada' }).boundingBox()
  t.ok(account && account.x + account.width <= 390, 'the last button is within the window')
  t.same(await seriousFindings(page), [], 'axe finds no violation')
})
