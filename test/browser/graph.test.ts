import t from 'tap'
import { writableFormats as formats } from '../../graph/formats/index.ts'
import { adaWith, choose, colours, countPixels, download, line, openTab, placeOfNode } from './graph-page.ts'
import { journeysOf, pick, picture } from './journeys.ts'

// The graph page: drawing, filters, layout, comparison and export.

const { browser, journey } = journeysOf(t)

journey('the URL stores colours, filters and selection, and a link opens the same view', async (t) => {
  const { page, context } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  const legend = page.getByRole('region', { name: 'Legend' })
  await legend.getByText('team', { exact: true }).waitFor()
  const all = await countPixels(page, colours.blue)
  t.ok(all > 100, 'four nodes are blue')
  t.ok((await countPixels(page, colours.red)) > 50, 'two nodes are red')

  await legend.getByRole('button', { name: 'Show only red' }).click()
  t.match(new URL(page.url()).search, 'filter=metadata.team&is=red')
  await page.waitForTimeout(300)
  t.ok((await countPixels(page, colours.red)) > 50)
  t.equal(await countPixels(page, colours.blue).then((count) => count < all / 5), true, 'the blue nodes are hidden')
  await choose(page, 'Nodes')
  await page.getByText('2 of 6', { exact: true }).waitFor()
  await choose(page, 'Edges')
  await page.getByText('1 of 5', { exact: true }).waitFor()
  await page.getByRole('table', { name: 'Edges of Line' }).getByRole('button', { name: 'Node 0' }).click()
  await page.getByRole('region', { name: 'Details' }).getByText('Directed edge').waitFor()

  const other = await context.newPage()
  await other.goto(page.url())
  await other.getByText('1 of 5', { exact: true }).waitFor()
  await other.getByRole('region', { name: 'Details' }).getByText('Directed edge').waitFor()
  await choose(other, 'Drawing')
  await openTab(other, 'Filters (1)')
  await other.getByRole('button', { name: 'Remove filter team' }).click()
  await openTab(other, 'Appearance')
  await pick(other.getByRole('combobox', { name: 'Colour nodes by' }), 'weight')
  t.match(new URL(other.url()).search, 'colour=metadata.weight')
  await pick(other.getByRole('combobox', { name: 'Label nodes by' }), 'weight')
  t.match(new URL(other.url()).search, 'label=metadata.weight')
  t.match((await download(other, 'SVG')).bytes.toString(), '<title>7.5</title>')
  await other.getByRole('combobox', { name: 'Find a node' }).fill('n3')
  await other.getByRole('option', { name: 'Node 3 (n3)' }).click()
  const details = other.getByRole('region', { name: 'Details' })
  await details.getByRole('heading', { name: 'Node 3' }).waitFor()
  await details.getByRole('button', { name: '→ Node 4' }).waitFor()
  await other.getByRole('region', { name: 'Legend' }).getByText('7.5').waitFor()
})

journey('a removed attribute no longer sets colours or sizes, and the fields are cleared', async (t) => {
  const { page } = await adaWith(t, browser(), {
    ...line,
    content: { ...line.content, edges: line.content.edges.map((edge) => ({ ...edge, metadata: { km: 1 } })) }
  })
  const names = ['colour', 'size', 'edgeColour', 'edgeSize']
  await page.goto(`/graphs/1?${names.map((name) => `${name}=metadata.gone`).join('&')}`)
  const choices = page.getByRole('region', { name: 'Appearance' }).getByRole('combobox', { name: /^(Colour|Size)/ })
  await choices.first().waitFor()
  const values = await Promise.all((await choices.all()).map((choice) => choice.inputValue()))
  t.same(values, ['Nothing', 'Nothing', 'Nothing', 'Nothing'])
  t.equal(await page.getByRole('region', { name: 'Legend' }).count(), 0)
})

journey('hovering highlights a node and its neighbours, and a click shows its details', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?colour=none')
  await page.getByRole('application').waitFor()
  await page.waitForTimeout(500)
  const ink: [number, number, number] = [0x0b, 0x72, 0x85]
  const before = await countPixels(page, ink)
  const { x, y } = await placeOfNode(page, 2)
  await page.mouse.move(x, y)
  await page.waitForTimeout(400)
  await picture(page, 'graph-hover')
  t.ok((await countPixels(page, ink)) < before * 0.8, 'the other nodes are faded')
  await page.mouse.click(x, y)
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByRole('heading', { name: 'Node 2' }).waitFor()
  for (const shown of ['n2', 'team', 'blue', 'Edges (2)'])
    await details.getByText(shown, { exact: true }).first().waitFor()
  await details.getByRole('button', { name: /→ Node 3/ }).click()
  await details.getByRole('heading', { name: 'Node 3' }).waitFor()
  await page.keyboard.press('Escape')
})

journey('the details of a node list its neighbours first, in colour and by descending weight', async (t) => {
  const ids = ['hub', 'light', 'heavy', 'plain', 'popular', 'loner']
  const nodes = ids.map((id, index) => ({
    id,
    x: index,
    y: index % 2,
    metadata: { kind: index % 2 ? 'odd' : 'even' }
  }))
  const weights = { light: 0.5, heavy: 1200, plain: undefined, popular: undefined }
  const edges = [
    ...Object.entries(weights).map(([target, weight]) => ({
      source: 'hub',
      target,
      metadata: weight ? { weight } : {}
    })),
    { source: 'popular', target: 'loner' }
  ]
  const { page } = await adaWith(t, browser(), { name: 'Star', content: { directed: true, nodes, edges } })
  await page.goto('/graphs/1?node=hub&colour=metadata.kind')
  const details = page.getByRole('region', { name: 'Details' })
  await details.getByText('Edges (4)').waitFor()
  const items = details.getByRole('listitem')
  t.same(
    (await items.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ')),
    ['→ heavy 1,200 Edge', '→ popular Edge', '→ plain Edge', '→ light 0.5 Edge']
  )
  const colourOf = (name: string) => items.filter({ hasText: name }).locator('.swatch').getAttribute('style')
  const [heavy, popular, plain] = [await colourOf('heavy'), await colourOf('popular'), await colourOf('plain')]
  t.equal(heavy, popular)
  t.not(heavy, plain)
  const headings = await details.getByRole('heading').allInnerTexts()
  t.same(headings, ['hub', 'Values', 'Metadata', 'Edges (4)'])
})

journey('parallel edges are drawn side by side, and loops as rings', async (t) => {
  const { page } = await adaWith(t, browser(), {
    name: 'Several',
    content: {
      directed: true,
      nodes: [
        { id: 'a', x: 0, y: 0 },
        { id: 'b', x: 6, y: 3 },
        { id: 'c', x: 3, y: 3 }
      ],
      edges: [
        { source: 'a', target: 'b', relation: 'first' },
        { source: 'a', target: 'b', relation: 'second', directed: false },
        { source: 'b', target: 'a', relation: 'back' },
        { source: 'c', target: 'c', relation: 'loop' },
        { source: 'c', target: 'c', relation: 'loop' }
      ]
    }
  })
  await page.goto('/graphs/1?edgeColour=relation')
  const drawing = page.getByRole('application')
  await drawing.waitFor()
  await page.waitForTimeout(400)
  t.ok((await countPixels(page, colours.first)) > 40, 'the most frequent relation has the first colour')
  const svg = (await download(page, 'SVG')).bytes.toString()
  t.equal(svg.match(/<circle [^>]*stroke-opacity=/g)?.length, 2, 'loops')
  const paths = [
    ...svg.matchAll(/<path d="M([\d.]+) ([\d.]+)(?:Q([\d.]+) ([\d.]+) |L)([\d.]+) ([\d.]+)" stroke="(#\w+)"/g)
  ]
  t.equal(paths.length, 3)
  t.equal(paths.filter(([, , , control]) => control).length, 2, 'two edges are curved, and one is straight')
  // Edges are at the same positions in the exported picture and in the drawing.
  const relations = ['first', 'second', 'back']
  for (const [index, [, ...found]] of paths.entries()) {
    const [x1 = 0, y1 = 0, cx, cy, x2 = 0, y2 = 0] = found
      .slice(0, 6)
      .map((number) => number && Number(number)) as number[]
    const position = cx
      ? { x: (x1 + 2 * cx + x2) / 4, y: (y1 + 2 * (cy ?? 0) + y2) / 4 }
      : { x: (x1 + x2) / 2, y: (y1 + y2) / 2 }
    await drawing.click({ position })
    // The page would treat two quick clicks as a double click.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 400)))
    await page
      .getByRole('region', { name: 'Details' })
      .getByRole('heading', { name: relations[index] as string })
      .waitFor()
  }
  t.pass('each edge can be selected')
  t.match((await download(page, 'PNG')).bytes.subarray(1, 4).toString(), 'PNG')
})

journey('a graph can be downloaded in every format, with its drawing as PNG and SVG', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  await page.getByRole('application').waitFor()
  const menu = page.getByRole('menu')
  await page.getByRole('button', { name: 'Download' }).click()
  const items = (await menu.getByRole('menuitem').allInnerTexts()).filter(
    (item) => !/^(PNG|SVG|Figure|Create )/.test(item)
  )
  await page.keyboard.press('Escape')
  t.equal(items.length, formats.length, 'the menu offers every format')
  for (const item of items) {
    const { name, bytes } = await download(page, item)
    t.match(name, /^Line\./, item)
    t.ok(
      formats.some((format) => format.recognises(bytes.toString().trimStart())),
      `${item}: ${name}`
    )
  }
  const png = await download(page, 'PNG')
  t.equal(png.name, 'Line.png')
  t.equal(png.bytes.subarray(1, 4).toString(), 'PNG')
  t.ok(png.bytes.length > 5000, 'the PNG is not blank')
  const svg = (await download(page, 'SVG')).bytes.toString()
  t.match(svg, /^<\?xml/)
  t.equal(svg.match(/<\/circle>/g)?.length, 6)
  t.equal(svg.match(/<path d="M[^"]*" stroke/g)?.length, 5)
  t.match(svg, '<title>Node 3</title>')
})

journey('two versions are compared as a drawing and a list, and an old one is restored', async (t) => {
  const { page, as } = await adaWith(t, browser(), line)
  const { nodes, edges, directed } = line.content
  const content = {
    directed,
    nodes: [
      ...nodes.slice(1).map((node) => ({ ...node, ...(node.id === 'n3' && { label: 'Three' }) })),
      { id: 'new', x: 3, y: 3 }
    ],
    edges: [...edges.slice(1), { source: 'n5', target: 'new' }]
  }
  await as('ada', 'PUT', '/api/graphs', { id: 1, name: 'Line', content, message: 'One goes, one comes.' })
  await page.goto('/graphs/1')
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByText('“One goes, one comes.”').waitFor()
  await page.getByText('Version 1 to version 2').waitFor()
  await page.getByRole('region', { name: 'Legend' }).waitFor()
  await page.waitForTimeout(400)
  t.ok((await countPixels(page, [0x2b, 0x8a, 0x3e])) > 30, 'green: added')
  t.ok((await countPixels(page, [0xe0, 0x31, 0x31])) > 30, 'red: removed')
  t.ok((await countPixels(page, [0xe8, 0x89, 0x0c])) > 30, 'orange: changed')
  await picture(page, 'history')
  await choose(page, 'List')
  for (const shown of [
    'Nodes added (1)',
    'Nodes removed (1)',
    'Nodes changed (1)',
    'Edges added (1)',
    'Edges removed (1)'
  ]) {
    await page.getByText(shown).waitFor()
  }
  await page.getByText('Three (n3)').waitFor()
  await page.getByText('Label: Node 3 Three').waitFor()
  await page.getByText('Node 5 – new').waitFor()
  await picture(page, 'history-labels')

  await page.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByLabel('Message (optional)').fill('It was better')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await page.getByText('“It was better”').waitFor()
  await page.getByText('restored from version 1').waitFor()
  t.same((await as('ada', 'GET', '/api/graphs/1')).body.content, line.content)
})

journey('names with a special meaning in browsers or JavaScript are harmless', async (t) => {
  const evil = '<img src=x onerror="document.title=1">'
  const names = ['__proto__', 'constructor', 'toString', evil, ' ', '\u202e', 'x'.repeat(255)]
  const { page } = await adaWith(t, browser(), {
    name: evil,
    description: evil,
    type: evil.slice(0, 60),
    content: {
      nodes: names.map((id) => ({
        id,
        label: `${id} `,
        metadata: { ['__proto__']: 1, [evil]: evil, constructor: 'c' }
      })),
      edges: names.map((source) => ({ source, target: '__proto__', relation: evil, metadata: { ['__proto__']: evil } }))
    }
  })
  for (const address of [
    '/graphs',
    '/graphs/1',
    '/graphs/1?node=__proto__&colour=metadata.constructor&edgeColour=relation',
    '/graphs/1?tab=nodes',
    '/graphs/1?tab=edges',
    '/graphs/1/history?as=list',
    '/graphs/1?filter=metadata.__proto__&from=0&to=1&colour=__proto__&edge=99&node=nothing'
  ]) {
    await page.goto(address)
    await page.getByRole('main').waitFor()
    await page.waitForTimeout(600)
  }
  await page.goto('/graphs/1?node=__proto__')
  await page.getByRole('region', { name: 'Details' }).getByText('Edges (7)').waitFor()
  t.equal(await page.evaluate('Object.keys(Object.prototype).length'), 0, 'Object.prototype is unchanged')
  t.notMatch(await page.title(), /^1/)
  t.equal(await page.locator('img[src="x"]').count(), 0)
})
