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
  const box = page.getByRole('combobox', field)
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
  const near = page.getByRole('combobox', { name: 'Find a node' })
  t.equal(await near.inputValue(), '', 'the search box is empty again')
  // The camera moves once the layout has run.
  await page.waitForURL(({ searchParams }) => searchParams.get('camera')?.endsWith(',0.5') ?? false, {
    timeout: 60_000
  })

  await page.getByRole('combobox', { name: 'Search in' }).selectOption('All graphs')
  await box.fill('inhibits')
  await options.filter({ hasText: 'inhibits protein' }).click()
  await page.waitForURL(({ searchParams }) => searchParams.get('edge') === '0')
  await box.fill('list')
  await options.filter({ hasText: 'Protein list' }).click()
  await page.waitForURL('**/graphs/2')

  await page.goto('/trash')
  await box.fill('nowhere')
  await page.getByText('No results. Try another search.').waitFor()
  await box.fill('…')
  await page.getByText('Enter at least one letter or digit.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByText('Enter at least one letter or digit.').waitFor({ state: 'hidden' })
})

journey('on a graph the search finds its nodes first, and all graphs if asked to', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  const content = { nodes: ['Paris', 'Parma', 'Rome'].map((id, x) => ({ id, x, y: x })), edges: [] }
  await as('ada', 'POST', '/api/graphs', { name: 'Cities', content })
  await as('ada', 'POST', '/api/graphs', { name: 'Rivers', content: { nodes: [{ id: 'Tiber' }], edges: [] } })
  const { page } = await openAs(t, browser(), url, 'ada', '/graphs/1')
  const near = page.getByRole('combobox', { name: 'Find a node' })
  const options = page.getByRole('listbox', { name: 'Search results' }).getByRole('option')
  const details = page.getByRole('region', { name: 'Details' })

  await near.waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('par')
  t.same(await options.allInnerTexts(), ['Paris', 'Parma'])
  await page.keyboard.press('Enter')
  await details.getByRole('heading', { name: 'Paris' }).waitFor()
  t.equal(await page.evaluate('document.activeElement.role'), 'application', 'the drawing has the focus')
  const status = (name: string) => page.getByRole('status').filter({ hasText: name })
  await status('Paris, degree 0').waitFor({ state: 'attached' })
  await page.keyboard.press('Shift+Enter')
  await status('Paris, degree 0, selected').waitFor({ state: 'attached' })
  await page.keyboard.press('/')
  await page.keyboard.type('par')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await details.getByRole('heading', { name: 'Parma' }).waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type('tib')
  await page.getByText('No nodes in this graph match.').waitFor()
  t.same(await options.allInnerTexts(), ['Search all graphs'])
  await page.keyboard.press('Enter')
  await options.filter({ hasText: 'Tiber' }).waitFor()
  t.equal(await page.getByRole('combobox', { name: 'Search in' }).inputValue(), 'everywhere')
  await inspect(t, page, 'search-scope')
  await options.filter({ hasText: 'Tiber' }).click()
  await page.waitForURL(
    ({ pathname, searchParams }) => pathname === '/graphs/2' && searchParams.get('node') === 'Tiber'
  )
  await near.waitFor()
  t.equal(await near.inputValue(), '', 'another graph begins with its own scope')
})

journey('the search filters the list of graphs, and Enter opens the first hit of what was typed last', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  for (const name of ['Rivers', 'Rails', 'Roads']) await as('ada', 'POST', '/api/graphs', { name })
  const { page } = await openAs(t, browser(), url, 'ada', '/graphs?q=ra')
  const box = page.getByRole('combobox', field)
  const options = page.getByRole('listbox', { name: 'Search results' }).getByRole('option')
  const rows = page.getByRole('table').getByRole('link')
  await rows.filter({ hasText: 'Rails' }).waitFor()
  t.equal(await box.inputValue(), 'ra')
  t.same(await rows.allInnerTexts(), ['Rails'])
  await box.focus()
  await page.getByRole('button', { name: 'Clear search' }).click()
  await rows.filter({ hasText: 'Roads' }).waitFor()
  t.equal(new URL(page.url()).search, '')
  await page.keyboard.type('riv')
  await page.waitForURL('**/graphs?q=riv')
  await options.filter({ hasText: 'Rivers' }).waitFor()

  // The hits for the next text wait, so those for "riv" are still shown.
  const release = Promise.withResolvers<void>()
  await page.route(/api\/search\?.*q=road/, async (route) => {
    await release.promise
    await route.continue()
  })
  const asked = page.waitForRequest(/q=road/)
  await box.fill('road')
  await asked
  const stale = options.filter({ hasText: 'Rivers' })
  t.equal(await stale.getAttribute('aria-disabled'), 'true')
  await stale.click({ force: true })
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForTimeout(300)
  t.equal(new URL(page.url()).pathname, '/graphs', 'stale hits cannot be opened')
  release.resolve()
  await page.waitForURL('**/graphs/3')
  await page.goBack()
  await page.waitForURL('**/graphs?q=road')
  await rows.filter({ hasText: 'Roads' }).waitFor()
  t.equal(await box.inputValue(), 'road')
})

journey('late responses are ignored, failed searches can be retried, and more results can be shown', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  for (let index = 1; index <= 12; index++) await as('ada', 'POST', '/api/graphs', { name: `Common ${index}` })
  await as('ada', 'POST', '/api/graphs', { name: 'Commoner' })
  const { page, mishaps } = await openAs(t, browser(), url, 'ada', '/graphs')
  const box = page.getByRole('combobox', field)
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
  await page.route(/api\/search\?.*q=common(?:%20|\+)7/, (route) =>
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
  await page.getByRole('combobox', field).fill('protein')
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
