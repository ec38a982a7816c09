import t from 'tap'
import { rampAt } from '../../picture/model/mixing.ts'
import { OTHER, palette, ramp } from '../../picture/model/palettes.ts'
import { drawGraph } from '../../picture/sheet/drawn-graph.ts'
import { svgOf } from '../../picture/sheet/svg.ts'
import type { ViewStyle } from '../../schemas/style.ts'

const usual = { width: 960, height: 960, theme: 'light' } as const

t.test('a picture has the colours, shapes, sizes, lines, labels and background of its style', async (t) => {
  const kinds = ['a', 'a', '__proto__', 'b', 'a', 'b']
  const nodes = kinds.map((kind, node) => ({
    id: `n${node}`,
    x: (node % 2) * 100,
    y: Math.floor(node / 2) * 100,
    metadata: { kind }
  }))
  const edges = [1, 2, 3, 0].map((to, from) => ({
    source: `n${from}`,
    target: `n${to}`,
    metadata: { color: from % 2 === 0 ? '#ff0000' : '#0000ff' }
  }))
  const content = { directed: true, nodes, edges }
  const draw = (style: ViewStyle) => drawGraph(content, 'Styled', usual, { view: { style } })
  const plain = draw({})
  t.same(plain, drawGraph(content, 'Styled', usual), 'an empty style changes nothing')
  const {
    nodes: drawn,
    edges: lines,
    ...styled
  } = draw({
    nodes: {
      colours: { a: '#111111', ['__proto__']: '#222222' },
      names: { a: 'Alpha' },
      order: ['b'],
      shapes: { a: 'diamond' },
      sizes: { least: 10, greatest: 10 },
      opacity: 0.5
    },
    edges: {
      opacity: 0.3,
      curvature: 0.5,
      arrows: false,
      widths: { least: 2, greatest: 4 },
      lines: { '#ff0000': 'dotted' }
    },
    labels: { rule: 'none', size: 20 },
    background: '#000033'
  })
  t.same(
    drawn.map(({ colour, shape, radius, opacity }) => [colour, shape, radius, opacity]),
    [
      ['#111111', 'diamond', 5, 0.5],
      ['#111111', 'diamond', 5, 0.5],
      ['#222222', undefined, 5, 0.5],
      [palette[0], undefined, 5, 0.5],
      ['#111111', 'diamond', 5, 0.5],
      [palette[0], undefined, 5, 0.5]
    ]
  )
  t.same(
    lines.map(({ width, opacity, style, arrow, control }) => [width, opacity, style, arrow, control !== undefined]),
    ['dotted', undefined, 'dotted', undefined].map((style) => [3, 0.3, style, undefined, true])
  )
  t.ok(plain.edges.every(({ arrow, control }) => arrow && !control))
  t.same([plain.labels.length, styled.labels.length, styled.labelSize, styled.background], [6, 0, 20, '#000033'])
  t.same(styled.legend.slice(0, 6), [
    { text: 'kind', isTitle: true },
    { text: 'b (2)', colour: palette[0] },
    { text: 'Alpha (3)', colour: '#111111', shape: 'diamond' },
    { text: '__proto__ (1)', colour: '#222222' },
    { text: 'Edges: color', isTitle: true },
    { text: '#0000ff (2)', colour: '#0000ff' }
  ])
  const svg = svgOf({ ...plain, ...styled, nodes: drawn, edges: lines })
  t.match(svg, 'fill="#111111" fill-opacity="0.5"')
  t.match(svg, 'stroke-dasharray="3 6"')
  t.match(svg, 'font-size="20"')

  const thin = svgOf(draw({ edges: { opacity: 0.4, widths: { least: 0.2, greatest: 0.5 } } }))
  const looks = [...thin.matchAll(/ stroke-width="([^"]+)" stroke-opacity="([^"]+)"/g)]
  t.same(
    looks.map(([, width, opacity]) => [width, opacity]),
    lines.map(() => ['0.35', '0.4']),
    'thin edges keep their width and opacity'
  )
})

t.test('the rule `all` labels nodes that have no room for a label', async (t) => {
  const places = Array.from({ length: 100 }, (_, node) => ({
    id: `node ${node}`,
    x: node % 10,
    y: Math.floor(node / 10)
  }))
  const labelled = (rule: 'all' | 'important' | 'none') =>
    drawGraph({ nodes: places, edges: [] }, 'Crowded', usual, { view: { style: { labels: { rule, size: 40 } } } })
      .labels.length
  t.same([labelled('none'), labelled('all')], [0, 100])
  t.ok(labelled('important') > 0 && labelled('important') < 50)
})

t.test(
  'labels follow the sizes of nodes, only the largest nodes have one, and the font is that of the style',
  async (t) => {
    const nodes = [4, 0, 1].map((rank, node) => ({ id: `n${node}`, x: node * 100, y: 0, metadata: { rank } }))
    const draw = (labels: NonNullable<ViewStyle['labels']>) =>
      drawGraph({ nodes, edges: [] }, 'Labelled', usual, {
        view: { query: 'size=metadata.rank', style: { nodes: { sizes: { least: 10, greatest: 20 } }, labels } }
      })
    const scales = (labels: NonNullable<ViewStyle['labels']>) =>
      draw(labels).labels.map(({ text, scale }) => [text, scale])
    t.same(scales({}), [
      ['n0', undefined],
      ['n2', undefined],
      ['n1', undefined]
    ])
    t.same(scales({ bySize: true }), [
      ['n0', 2],
      ['n2', 1.5],
      ['n1', undefined]
    ])
    t.same(scales({ most: 2, rule: 'all' }), [
      ['n0', undefined],
      ['n2', undefined]
    ])
    const svg = svgOf(draw({ bySize: true, font: 'serif', size: 10 }))
    t.same(
      [...svg.matchAll(/<text [^>]*>n\d</g)].map(([text]) => /font-size="(\d+)"/.exec(text)?.[1]),
      ['20', '15', undefined]
    )
    t.same(
      [...svg.matchAll(/font-family="([^"]+)"/g)].map(([, family]) => family),
      ['Times, serif', 'Times, serif']
    )
  }
)

t.test('a picture has the colour scales of its style, and its legend names them', async (t) => {
  const ids = [1, 10, 1000]
  const nodes = ids.map((amount, node) => ({ id: `n${node}`, x: node * 100, y: 0, metadata: { amount } }))
  const edges = ids.map((amount, node) => ({
    source: `n${node}`,
    target: `n${(node + 1) % 3}`,
    metadata: { amount: amount / 2 }
  }))
  const query = 'colour=metadata.amount&edgeColour=metadata.amount&size=none'
  const style: ViewStyle = { nodes: { scale: 'log' }, edges: { scale: 'rank' } }
  const { nodes: drawn, legend } = drawGraph({ nodes, edges }, 'Scaled', usual, { view: { query, style } })
  t.same(
    drawn.map(({ colour }) => colour),
    [0, 1 / 3, 1].map((place) => rampAt(ramp, place))
  )
  t.same(
    legend.map(({ text }) => text),
    ['amount', '', '1 to 1,000 (logarithmic)', 'Edges: amount', '', '0.5 to 500 (by rank)']
  )
  const mixedBy = (gradient: string[], amounts: number[], scale: 'linear' | 'categories') => {
    const nodes = amounts.map((amount, node) => ({ id: `n${node}`, x: node, y: 0, metadata: { amount } }))
    const style: ViewStyle = { nodes: { gradient, palette: 'plasma', scale } }
    return drawGraph({ nodes, edges: [] }, 'Mixed', usual, { view: { query, style } }).nodes.map(({ colour }) => colour)
  }
  const [black, grey, white] = ['#000000', '#808080', '#ffffff']
  t.same(mixedBy([black, white], [0, 1, 2], 'linear'), [black, grey, white])
  t.same(mixedBy([black, '#ff0000', white], [-1, 0, 4], 'linear'), ['#bf0000', '#ff0000', white], 'the middle is at 0')
  t.same(mixedBy([black, white], [0, 1, 2], 'categories'), [black, grey, white])
  const byKind = drawGraph({ nodes, edges: [] }, 'Kinds', usual, {
    view: { query, style: { nodes: { scale: 'categories' } } }
  })
  t.same(
    byKind.nodes.map(({ colour }) => colour),
    palette.slice(0, 3)
  )
})

t.test('nodes of a graph without edges have the usual size', async (t) => {
  const content = { directed: false, nodes: [{ id: 'a' }, { id: 'b' }], edges: [] }
  const { nodes, legend } = drawGraph(content, 'Edgeless', usual)
  t.same([nodes.map(({ radius }) => radius), legend], [[9, 9], []])
})

t.test('a legend has samples of sizes, the titles of its style, and no counts if the style says so', async (t) => {
  const nodes = [0, 1, 4].map((rank, node) => ({
    id: `n${node}`,
    x: node * 100,
    y: 0,
    metadata: { rank, ['__proto__']: 'a' }
  }))
  const edges = [1, 2, 3].map((weight, node) => ({
    source: `n${node}`,
    target: `n${(node + 1) % 3}`,
    metadata: { weight, ...(node > 0 && { kind: 'k' }) }
  }))
  const query = 'colour=metadata.__proto__&size=metadata.rank&edgeColour=metadata.kind&edgeSize=metadata.weight'
  const draw = (style: ViewStyle) => drawGraph({ nodes, edges }, 'Sized', usual, { view: { query, style } })
  t.same(draw({ nodes: { sizes: { least: 2, greatest: 10 } }, edges: { widths: { least: 1, greatest: 3 } } }).legend, [
    { text: '__proto__', isTitle: true },
    { text: 'a (3)', colour: palette[0] },
    { text: 'Edges: kind', isTitle: true },
    { text: 'k (2)', colour: palette[0] },
    { text: '(without a value) (1)', colour: OTHER },
    { text: 'Size: rank', isTitle: true },
    { text: '4', disc: 5 },
    { text: '2', disc: 1 + 4 * Math.SQRT1_2 },
    { text: '0', disc: 1 },
    { text: 'Edge size: weight', isTitle: true },
    { text: '3', stroke: 3 },
    { text: '2', stroke: 1 + 2 * Math.SQRT1_2 },
    { text: '1', stroke: 1 }
  ])
  const titled = draw({
    nodes: { titles: { 'metadata.rank': 'Rank', 'metadata.__proto__': 'Community' } },
    edges: { titles: { 'metadata.kind': 'Tie', 'metadata.weight': ' ' } },
    legend: { counts: false }
  })
  t.same(
    titled.legend.map(({ text }) => text),
    [
      ...['Community', 'a', 'Tie', 'k', '(without a value)'],
      ...['Rank', '4', '2', '0', 'Edge size: weight', '3', '2', '1']
    ]
  )
  t.match(
    svgOf(titled),
    /<circle [^>]* r="[0-9.]+" fill="none" stroke="#1a1b1e"\/>[\s\S]*h24" [^>]*stroke-width="6"\/>/
  )
  const samplesIn = (style: ViewStyle) =>
    new Set([...svgOf(draw(style)).matchAll(/h24" stroke="([^"]*)"/g)].map(([, colour]) => colour))
  t.same(samplesIn({ edges: { opacity: 1 } }), new Set(['#868e96']), 'samples of edges look like the edges')
  t.same(samplesIn({ edges: { opacity: 0.02 } }), new Set(['#b6bbc0']), 'but are never too pale')
  t.same(samplesIn({ edges: { opacity: 0.9 }, background: '#000000' }), new Set(['#798087']))
})

t.test('labels and legends of a picture have the number formats of its style', async (t) => {
  const nodes = [0.125, 0.5].map((share, node) => ({ id: `n${node}`, x: node * 100, y: 0, metadata: { share } }))
  const draw = (style: ViewStyle) =>
    drawGraph({ nodes, edges: [] }, 'Shares', usual, {
      view: { query: 'label=metadata.share&size=metadata.share&colour=none', style }
    })
  const textsOf = ({ labels, legend }: ReturnType<typeof draw>) => [
    labels.map(({ text }) => text).sort(),
    legend.map(({ text }) => text)
  ]
  t.same(textsOf(draw({})), [
    ['0.125', '0.5'],
    ['Size: share', '0.5', '0.3', '0.125']
  ])
  t.same(textsOf(draw({ nodes: { formats: { 'metadata.share': 'percent' } } })), [
    ['12.5%', '50%'],
    ['Size: share', '50%', '30%', '12.5%']
  ])
})

t.test(
  'a picture has the labels of edges along them where there is room, in the number format of its style',
  async (t) => {
    const places = [
      [0, 0],
      [100, 0],
      [100, 100],
      [99, 99]
    ] as const
    const nodes = places.map(([x, y], node) => ({ id: `n${node}`, x, y }))
    const edges = [
      { source: 'n0', target: 'n1', label: 'first', metadata: { share: 0.5 } },
      { source: 'n2', target: 'n1', label: 'second', metadata: { share: 2 } },
      { source: 'n2', target: 'n3', label: 'too long for its edge', metadata: { share: 1 } },
      { source: 'n3', target: 'n1', metadata: { team: 'hidden', share: 0.25 } }
    ]
    const draw = (query: string, style: ViewStyle = {}, width = 960) =>
      drawGraph({ nodes, edges }, 'Labelled', { ...usual, width }, { view: { query, style } }).labels.flatMap(
        ({ text, angle }) => (angle === undefined ? [] : [[text, Math.round((angle * 180) / Math.PI)]])
      )
    t.same(draw(''), [])
    t.same(draw('edgeLabel=label'), [
      ['first', 0],
      ['second', 90]
    ])
    t.same(draw('edgeLabel=label', {}, 300), [], 'small pictures have no labels')
    t.same(draw('edgeLabel=metadata.none'), [])
    const percent: ViewStyle = { edges: { formats: { 'metadata.share': 'percent' } } }
    t.same(draw('edgeLabel=metadata.share', { labels: { rule: 'none' } }).slice(0, 2), [
      ['0.5', 0],
      ['2', 90]
    ])
    t.same(draw('edgeLabel=metadata.share', percent).slice(0, 2), [
      ['50%', 0],
      ['200%', 90]
    ])
  }
)
