import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, countPixels, download, drawing, line } from './graph-page.ts'
import { inspect, journeysOf, pick } from './journeys.ts'

// The style of a view: colours, names and order of values, sizes, labels, edges and background.

const { browser, journey } = journeysOf(t)

const GREEN: [number, number, number] = [0x00, 0x9e, 0x73]

const OKABE_ITO = 'Okabe–Ito 7 colour-blind safe colours, 5 darker ones'

const styleIn = (page: Page) => JSON.parse(new URL(page.url()).searchParams.get('style') ?? 'null')
const legendOf = (page: Page) => page.getByRole('region', { name: 'Legend' })
const namesIn = (page: Page) => legendOf(page).locator('.legend-name').allTextContents()

const graph = {
  ...line,
  content: {
    ...line.content,
    nodes: line.content.nodes.map((node, index) => ({ ...node, metadata: { ...node.metadata, team: 'AABBBB'[index] } }))
  }
}

journey(
  'a value gets a colour, a name and a place, and keeps them through edits, saved views and downloads',
  async (t) => {
    const { page, as } = await adaWith(t, browser(), graph)
    await page.goto('/graphs/1')
    await drawing(page).locator('canvas').first().waitFor()
    await legendOf(page).getByRole('button', { name: 'Style of A' }).click()
    const form = page.getByRole('dialog')
    await form.getByLabel('Colour', { exact: true }).fill('#009e73')
    await form.getByLabel('Name in the legend').fill('Alphas')
    await form.getByLabel('Name in the legend').press('Enter')
    await legendOf(page).getByText('Alphas', { exact: true }).waitFor()
    await inspect(t, page, 'style-value')
    await form.getByRole('button', { name: 'Move up' }).click()
    await form.getByText('1 of 2').waitFor()
    await form.getByRole('combobox', { name: 'Shape' }).click()
    await page.getByRole('option', { name: 'Triangle' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('option', { name: 'Triangle' }).waitFor({ state: 'hidden' })
    t.ok(await form.isVisible(), 'Escape closes only the list')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    t.same(await namesIn(page), ['Alphas', 'B'])
    t.same(styleIn(page), {
      nodes: {
        colours: { A: '#009e73' },
        paletteColours: { B: '#678dfc', A: '#cb3416' },
        names: { A: 'Alphas' },
        order: ['A', 'B']
      }
    })
    t.equal(new URL(page.url()).searchParams.get('colour'), 'metadata.team')
    t.ok((await countPixels(page, GREEN)) > 50, 'the drawing has the colour')
    t.match((await download(page, 'SVG')).bytes.toString(), /fill="#009e73"[\s\S]*Alphas \(2\)/)

    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Save view…' }).click()
    await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Figure')
    await page.keyboard.press('Enter')
    await page.getByText('View “Figure” saved.').waitFor()
    const [view] = (await as('ada', 'GET', '/api/graphs/1/views')).body
    t.equal(view.style.nodes.colours.A, '#009e73')
    t.notMatch(view.query, 'style')

    // Another version in which A is the most frequent value.
    const nodes = graph.content.nodes.map((node) => ({
      ...node,
      metadata: { ...node.metadata, team: node.id === 'n5' ? 'B' : 'A' }
    }))
    t.equal(
      (await as('ada', 'PUT', '/api/graphs', { ...graph, id: 1, content: { ...graph.content, nodes } })).status,
      200
    )
    await page.goto('/graphs/1')
    await page.getByRole('button', { name: 'Views', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Figure' }).click()
    await legendOf(page).getByText('(5)').waitFor()
    t.same(await namesIn(page), ['Alphas', 'B'])
    t.ok((await countPixels(page, GREEN)) > 100)

    // The style of one attribute is kept while another one colours the nodes.
    await pick(page.getByRole('combobox', { name: 'Colour nodes by' }), 'weight')
    await page.waitForURL((url) => url.searchParams.get('colour') === 'metadata.weight')
    t.equal(styleIn(page), null)
    await pick(page.getByRole('combobox', { name: 'Colour nodes by' }), 'team')
    await legendOf(page).getByText('Alphas', { exact: true }).waitFor()
  }
)

journey('the legend gets a title and no counts, and keeps them in the view and in pictures', async (t) => {
  const { page } = await adaWith(t, browser(), graph)
  await page.goto('/graphs/1')
  await legendOf(page).getByRole('button', { name: 'Change title team' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Title in the legend').fill('Community')
  await inspect(t, page, 'legend-title')
  await page.keyboard.press('Enter')
  await legendOf(page).getByText('Community', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Sizes, labels and edges' }).click()
  await page.getByRole('switch', { name: 'Counts in the legend' }).click()
  await page.waitForURL((url) => url.search.includes('counts'))
  t.same(styleIn(page), { nodes: { titles: { 'metadata.team': 'Community' } }, legend: { counts: false } })
  t.same(await legendOf(page).locator('.legend-kind').allInnerTexts(), ['B', 'A'])
  t.match(
    (await download(page, 'SVG')).bytes.toString(),
    />Community<[\s\S]*>B<[\s\S]*>A<[\s\S]*>Size: Degree<[\s\S]*>2</
  )
})

journey('a longer name in the legend does not move the drawing, and the legend can be hidden', async (t) => {
  const { page } = await adaWith(t, browser(), graph)
  await page.setViewportSize({ width: 800, height: 600 })
  await page.goto(`/graphs/1?style=${encodeURIComponent('{"labels":{"rule":"none"}}')}`)
  await drawing(page).locator('canvas').first().waitFor()
  await legendOf(page).getByRole('button', { name: 'Style of A' }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name in the legend').waitFor()
  const box = await drawing(page).boundingBox()
  if (!box) throw new Error('nothing is drawn')
  const clip = { x: box.x + box.width * 0.6, y: box.y + 60, width: box.width * 0.3, height: box.height - 120 }
  const before = await page.screenshot({ clip })
  await form.getByLabel('Name in the legend').fill('A name that widens the legend')
  await page.keyboard.press('Enter')
  await legendOf(page).getByText('A name that widens the legend').waitFor()
  t.ok(before.equals(await page.screenshot({ clip })), 'the drawing has not moved')
  await page.keyboard.press('Escape')
  t.ok(((await legendOf(page).boundingBox())?.width ?? 800) <= 180, 'the legend is narrow in a small window')
  await legendOf(page).getByRole('button', { name: 'Hide legend' }).click()
  await legendOf(page).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Show legend' }).and(page.locator(':focus')).waitFor()
  await inspect(t, page, 'legend-hidden')
  await page.getByRole('button', { name: 'Show legend' }).click()
  await legendOf(page).waitFor()
  await legendOf(page).getByRole('button', { name: 'Hide legend' }).and(page.locator(':focus')).waitFor()
})

journey('the whole legend is offered only while part of it is out of sight', async (t) => {
  const nodes = Array.from({ length: 12 }, (_, index) => ({ id: `n${index}`, metadata: { team: `Team ${index}` } }))
  const { page } = await adaWith(t, browser(), { name: 'Teams', content: { nodes, edges: [] } })
  await page.setViewportSize({ width: 1280, height: 1200 })
  await page.goto('/graphs/1?size=none&colour=metadata.team')
  const more = legendOf(page).getByRole('button', { name: 'Show whole legend' })
  await legendOf(page).getByText('Team 11').waitFor()
  const [{ height: needed }, { height: room }] = (await Promise.all([
    legendOf(page).boundingBox(),
    drawing(page).boundingBox()
  ])) as [{ height: number }, { height: number }]
  t.equal(await more.count(), 0)
  await page.setViewportSize({ width: 1280, height: 500 })
  await more.waitFor()
  // The legend has at most half of the height, which is now enough for it, but not for the button too.
  await page.setViewportSize({ width: 1280, height: Math.round(1200 - room + 2 * (needed + 10)) })
  await more.waitFor({ state: 'detached' })
})

journey('samples of edges in the legend have the colour and opacity of the edges', async (t) => {
  const edges = [1, 2].map((weight) => ({ source: 'a', target: `b${weight}`, metadata: { weight } }))
  const nodes = ['a', 'b1', 'b2'].map((id) => ({ id }))
  const { page } = await adaWith(t, browser(), { name: 'Weights', content: { nodes, edges } })
  const samplesWith = async (opacity: number) => {
    const style = JSON.stringify({ edges: { opacity } })
    await page.goto(`/graphs/1?edgeSize=metadata.weight&style=${encodeURIComponent(style)}`)
    await drawing(page).locator('canvas').first().waitFor()
    const svg = (await download(page, 'SVG')).bytes.toString()
    const shown = "getComputedStyle(document.querySelector('.sample-line')).backgroundColor"
    return [await page.evaluate<string>(shown), /h24" stroke="([^"]*)"/.exec(svg)?.[1]]
  }
  t.same(await samplesWith(1), ['rgb(134, 142, 150)', '#868e96'])
  t.same(await samplesWith(0.1), ['rgb(182, 187, 192)', '#b6bbc0'], 'they are never too pale')
})

journey('a colour that the user set survives another palette, until it is reset', async (t) => {
  const { page } = await adaWith(t, browser(), graph)
  await page.goto('/graphs/1')
  await legendOf(page).getByRole('button', { name: 'Style of B' }).click()
  const form = page.getByRole('dialog')
  t.ok(await form.getByRole('button', { name: 'Reset' }).isDisabled())
  await form.getByLabel('Colour', { exact: true }).fill('#123456')
  await page.waitForURL((url) => url.search.includes('123456'))
  await page.keyboard.press('Escape')
  await pick(page.getByRole('combobox', { name: 'Node palette' }), OKABE_ITO)
  await page.waitForURL((url) => url.search.includes('okabe-ito'))
  t.same(styleIn(page), {
    nodes: { palette: 'okabe-ito', colours: { B: '#123456' }, paletteColours: { A: '#0072b2' } }
  })
  await legendOf(page).getByRole('button', { name: 'Style of B' }).click()
  await form.getByRole('button', { name: 'Reset' }).click()
  await page.waitForURL((url) => !url.search.includes('123456'))
  t.same(styleIn(page), { nodes: { palette: 'okabe-ito' } })
  t.equal(await form.getByLabel('Colour', { exact: true }).inputValue(), '#0072b2')
})

journey('palettes, sizes, labels, edges and the background are set in the panel, and reset', async (t) => {
  const { page } = await adaWith(t, browser(), graph)
  await page.goto('/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  await pick(page.getByRole('combobox', { name: 'Node palette' }), OKABE_ITO)
  await page.waitForURL((url) => url.search.includes('okabe-ito'))
  const panel = page.getByRole('region', { name: 'Appearance' })
  await panel.getByRole('button', { name: 'Sizes, labels and edges' }).click()
  await panel.getByRole('slider', { name: 'Node sizes, largest' }).press('ArrowRight')
  const least = panel.getByRole('textbox', { name: 'Node sizes, smallest' })
  t.equal(await least.inputValue(), '12')
  await least.fill('0.5')
  await least.press('Enter')
  await page.waitForURL((url) => url.search.includes('least%22%3A1%2C'))
  t.equal(await least.inputValue(), '1', 'the least diameter')
  await panel.getByRole('slider', { name: 'Label size' }).press('ArrowRight')
  await panel.getByText('None', { exact: true }).click()
  await panel.getByRole('switch', { name: 'Larger labels for larger nodes' }).click()
  const most = panel.getByRole('textbox', { name: 'Number of labelled nodes, at most' })
  await most.fill('1500')
  await most.press('Enter')
  await page.waitForURL((url) => url.search.includes('most%22%3A1000'))
  await most.fill('20')
  await most.press('Enter')
  await panel.getByText('Serif', { exact: true }).click()
  await panel.getByRole('slider', { name: 'Edge curvature' }).press('End')
  await panel.getByText('Edge opacity: automatic', { exact: true }).waitFor()
  await panel.getByRole('slider', { name: 'Edge opacity' }).press('End')
  await panel.getByText('Edge opacity: 1', { exact: true }).waitFor()
  await panel.getByRole('slider', { name: 'Node opacity' }).press('ArrowLeft')
  await panel.getByRole('slider', { name: 'Edge width', exact: true }).press('ArrowRight')
  await panel.getByRole('switch', { name: 'Arrows on directed edges' }).click()
  await panel.getByLabel('Background').fill('#102040')
  await page.waitForURL((url) => url.search.includes('background'))
  t.same(styleIn(page), {
    nodes: {
      palette: 'okabe-ito',
      paletteColours: { B: '#0072b2', A: '#e69f00' },
      sizes: { least: 1, greatest: 43 },
      opacity: 0.95
    },
    edges: { widths: { least: 0.4, greatest: 2.8 }, opacity: 1, curvature: 0.6, arrows: false },
    labels: { rule: 'none', size: 15, bySize: true, most: 20, font: 'serif' },
    background: '#102040'
  })
  await page.waitForTimeout(300)
  t.ok((await countPixels(page, [0x10, 0x20, 0x40])) > 10_000, 'the background is blue')
  const svg = (await download(page, 'SVG')).bytes.toString()
  t.match(svg, /<rect[^>]* fill="#102040"/)
  t.match(svg, /fill-opacity="0.95"/)
  t.match(svg, /<path d="M[^"]*Q/)
  await page.keyboard.press('Escape')
  await inspect(t, page, 'style-panel')
  await panel.getByRole('button', { name: 'Reset style' }).click()
  await page.waitForURL((url) => !url.searchParams.has('style'))
})

journey('colours follow from values, logarithms or ranks of numbers, or numbers are categories', async (t) => {
  const { page } = await adaWith(t, browser(), graph)
  await page.goto('/graphs/1?colour=metadata.weight&size=none')
  await legendOf(page).getByText('7.5', { exact: true }).waitFor()
  const scale = page.getByRole('combobox', { name: 'Node colour scale' })
  t.equal(await scale.inputValue(), 'Linear: by value (default)')
  await pick(scale, 'Rank: by order of values')
  await legendOf(page).getByText('by rank', { exact: true }).waitFor()
  await inspect(t, page, 'style-scale')
  await pick(scale, 'Categories: a colour per value')
  await legendOf(page).getByRole('button', { name: 'Style of 1.5' }).waitFor()
  t.equal(await page.getByRole('combobox', { name: 'Node palette' }).inputValue(), 'Distinct')
  t.same(styleIn(page), { nodes: { scale: 'categories' } })
  await page.reload()
  await legendOf(page).getByRole('button', { name: 'Style of 1.5' }).waitFor()
  await pick(scale, 'Linear: by value (default)')
  await page.waitForURL((url) => !url.searchParams.has('style'))
  const palette = page.getByRole('combobox', { name: 'Node palette' })
  await pick(palette, 'Own gradient Two or three colours of your choice')
  const gradient = page.getByRole('group', { name: 'Node gradient' })
  await gradient.getByRole('switch', { name: 'Three colours' }).click()
  await gradient.getByLabel('Colour of the middle', { exact: true }).fill('#102030')
  await page.waitForURL((url) => url.search.includes('102030'))
  t.same(styleIn(page), { nodes: { gradient: ['#46327e', '#102030', '#a0da39'] } })
  await page.keyboard.press('Escape')
  await inspect(t, page, 'style-gradient')
  await pick(palette, 'Plasma Colour-blind safe gradient')
  await page.waitForURL((url) => url.search.includes('plasma'))
  t.same(styleIn(page), { nodes: { palette: 'plasma' } })
})

journey('labels of another size are placed as if the page had opened with it', async (t) => {
  const side = 12
  const nodes = Array.from({ length: side * side }, (_, index) => ({
    id: `A node with number ${index}`,
    x: index % side,
    y: Math.floor(index / side)
  }))
  const { page } = await adaWith(t, browser(), { name: 'Grid', content: { nodes, edges: [] } })
  const labels = async () => {
    await page.waitForTimeout(500)
    const svg = (await download(page, 'SVG')).bytes.toString()
    await page.keyboard.press('Escape')
    return [...svg.matchAll(/<text [^>]*>A node with number \d+</g)].map(([label]) => label)
  }
  await page.goto('/graphs/1?size=degree')
  await drawing(page).locator('canvas').first().waitFor()
  await page.getByRole('button', { name: 'Sizes, labels and edges' }).click()
  await page.getByRole('slider', { name: 'Label size' }).press('End')
  await page.waitForURL((url) => url.search.includes('size%22%3A40'))
  const changed = await labels()
  await page.reload()
  await drawing(page).locator('canvas').first().waitFor()
  t.ok(changed.length > 0)
  t.strictSame(changed, await labels())
})

journey('shapes and dashes are drawn, in the dark too, and an invalid style in an address is ignored', async (t) => {
  const { page } = await adaWith(t, browser(), graph)
  await page.emulateMedia({ colorScheme: 'dark' })
  const style = {
    nodes: { shapes: { A: 'diamond', B: 'vee' }, sizes: { least: 30, greatest: 60 }, opacity: 0.7 },
    edges: { lines: { odd: 'dashed', even: 'dotted' }, widths: { least: 4, greatest: 4 } },
    background: 'url(x)'
  }
  const query = new URLSearchParams({ colour: 'metadata.team', edgeColour: 'relation', style: JSON.stringify(style) })
  await page.goto(`/graphs/1?${query}`)
  await legendOf(page).getByText('Edges: relation').waitFor()
  await page.waitForTimeout(500)
  await inspect(t, page, 'style-shapes')
  const svg = (await download(page, 'SVG')).bytes.toString()
  t.match(svg, 'stroke-dasharray="16 8"')
  t.match(svg, 'fill="#1f1f1f"')
  t.notMatch(svg, 'url')
  await page.goto('/graphs/1?style={{')
  await legendOf(page).waitFor()
})

journey('an attribute gets a number format in the table, which saved views keep', async (t) => {
  const { page } = await adaWith(t, browser(), graph)
  await page.goto('/graphs/1?tab=nodes')
  const column = page.getByRole('button', { name: 'Number format of weight' })
  const cells = page.locator('td.number')
  const isFormatted = () => cells.filter({ hasText: /^1\.50$/ }).waitFor()
  await cells.filter({ hasText: /^1\.5$/ }).waitFor()
  await column.press('Enter')
  const menu = page.getByRole('menu', { name: 'Number format of weight' })
  await menu.getByRole('menuitemradio', { name: 'Automatic', checked: true }).waitFor()
  await inspect(t, page, 'number-formats')
  await menu.getByRole('menuitemradio', { name: '2 decimals' }).press('Enter')
  await isFormatted()
  t.same(styleIn(page), { nodes: { formats: { 'metadata.weight': 'decimals-2' } } })
  t.equal(await page.locator(':focus').getAttribute('aria-label'), 'Number format of weight')
  await page.reload()
  await isFormatted()
  await page.getByRole('button', { name: 'Node 1' }).click()
  await page.getByRole('complementary').getByRole('row', { name: 'weight 1.50' }).waitFor()

  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Save view…' }).click()
  await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').fill('Weights')
  await page.keyboard.press('Enter')
  await page.getByText('View “Weights” saved.').waitFor()
  await page.goto('/graphs/1')
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Weights' }).click()
  await isFormatted()
  await column.click()
  await menu.getByRole('menuitemradio', { name: 'Automatic' }).click()
  await page.waitForURL((url) => !url.searchParams.has('style'))
})

journey('the legend and the colour field say what own colours stand for, in ascending order', async (t) => {
  const groups = [2, 2, 10, 10, 10, 1]
  const nodes = groups.map((group, index) => ({ id: `n${index}`, metadata: { group, color: `#0000${group + 20}` } }))
  const { page } = await adaWith(t, browser(), { name: 'Groups', content: { nodes, edges: [] } })
  await page.goto('/graphs/1?colour=metadata.color')
  await legendOf(page).getByText('group', { exact: true }).waitFor()
  t.same(await namesIn(page), ['1', '2', '10'])
  t.equal(await page.getByRole('combobox', { name: 'Colour nodes by' }).inputValue(), 'group (color)')
})
