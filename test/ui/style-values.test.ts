import t from 'tap'
import { withAttribute, withPart, withValue } from '../../ui/src/graph/look/value-style.ts'
import { readStyle } from '../../ui/src/graph/view/style-address.ts'
import { readView, writeView } from '../../ui/src/graph/view/view.ts'

const kind = (value: string, colour: string) => ({ value, colour, count: 1 })
const kinds = [kind('a', '#111111'), kind('__proto__', '#222222'), kind('c', '#333333')]
const legend = { key: 'metadata.team', title: 'Team', kinds }

t.test('a change to one value keeps the colours of all, and values may be called __proto__', async (t) => {
  const red = withValue(undefined, 'nodes', legend, '__proto__', { colour: '#ff0000' })
  const paletteColours = '{"a":"#111111","__proto__":"#222222","c":"#333333"}'
  t.equal(JSON.stringify(red), `{"nodes":{"colours":{"__proto__":"#ff0000"},"paletteColours":${paletteColours}}}`)
  const named = withValue(red, 'nodes', legend, '__proto__', { name: 'None', mark: 'vee' })
  t.equal(JSON.stringify(named?.nodes?.names), '{"__proto__":"None"}')
  t.equal(JSON.stringify(named?.nodes?.shapes), '{"__proto__":"vee"}')
  const unnamed = withValue(named, 'nodes', legend, '__proto__', { name: '', mark: '' })
  t.same(Object.keys(unnamed?.nodes ?? {}), ['colours', 'paletteColours'])
  const reset = withValue(red, 'nodes', legend, '__proto__', { colour: '' })
  t.equal(JSON.stringify(reset), `{"nodes":{"paletteColours":${paletteColours}}}`)
  const others = withPart(red, 'nodes', { paletteColours: { a: '#444444' } })
  t.equal(
    withValue(others, 'nodes', legend, '__proto__', { colour: '' }),
    undefined,
    'all get the colours of the palette'
  )
  const order = (value: string, move: number) => withValue(undefined, 'edges', legend, value, { move })?.edges?.order
  t.same(order('c', -1), ['a', 'c', '__proto__'])
  t.same(order('a', -1), ['a', '__proto__', 'c'])
  t.same(order('a', 1), ['__proto__', 'a', 'c'])
})

t.test('the style of values is kept for its attribute, and sizes apply to all attributes', async (t) => {
  const kept = new Map()
  const sizes = { least: 4, greatest: 20 }
  const style = withPart({ background: '#000000' }, 'nodes', {
    colours: { a: '#111111' },
    palette: 'tol-muted',
    scale: 'categories',
    sizes
  })
  const other = withAttribute(style, 'nodes', { from: 'metadata.team', to: 'degree' }, kept)
  t.same(other, { nodes: { sizes }, background: '#000000' })
  const viridis = withPart(other, 'nodes', { palette: 'plasma' })
  t.same(withAttribute(viridis, 'nodes', { from: 'degree', to: 'metadata.team' }, kept), style)
  t.same(withAttribute(style, 'nodes', { from: 'metadata.team', to: 'degree' }, kept), viridis)
})

t.test('a style in an address is read back, without the fields that are invalid', async (t) => {
  const style: NonNullable<ReturnType<typeof readStyle>> = {
    nodes: {
      palette: 'cividis',
      gradient: ['#000000', '#FFffff'],
      scale: 'rank',
      paletteColours: { a: '#000000' },
      names: { ['__proto__']: 'x', b: '' },
      titles: { ['__proto__']: 'Team' },
      order: ['b'],
      shapes: { b: 'vee' },
      opacity: 0
    },
    edges: {
      formats: { ['__proto__']: 'decimals-2' },
      lines: { x: 'dotted' },
      widths: { least: 0.1, greatest: 50 },
      curvature: 0.5,
      arrows: false
    },
    labels: { rule: 'none', size: 6, bySize: true, most: 20, font: 'serif' },
    legend: { counts: false },
    background: '#FFFFFF'
  }
  const params = writeView({ ...readView(new URLSearchParams('colour=degree')), style })
  t.equal(JSON.stringify(readView(params).style), JSON.stringify(style))
  t.equal(params.get('colour'), 'degree')
  for (const text of ['', 'null', '[]', '{', '{"nodes":{"colours":[]}}', '{"nodes":[]}', `"${'x'.repeat(20_000)}"`]) {
    t.equal(readStyle(text), undefined, text.slice(0, 30))
  }
  const hostile = {
    nodes: {
      formats: { degree: 'decimals-9' },
      colours: { a: 'url(x)', b: '#123456' },
      paletteColours: { a: 'red' },
      sizes: { least: 1 },
      palette: 'toString',
      scale: 'square',
      gradient: ['#000000', 'red'],
      order: [1],
      opacity: '1'
    },
    edges: { arrows: 'no', widths: { least: -1, greatest: 5 } },
    labels: { rule: 'x', size: 1e9, bySize: 1, most: 1.5, font: 'comic' },
    legend: { counts: 'no' },
    background: '#fff"/><script>',
    other: 1
  }
  t.same(readStyle(JSON.stringify(hostile)), { nodes: { colours: { b: '#123456' } } })
})
