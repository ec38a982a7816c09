import t from 'tap'
import { hexOf } from '../../picture/model/colours.ts'
import { mixed, rampAt } from '../../picture/model/mixing.ts'
import type { ScaleName } from '../../picture/model/number-scales.ts'
import { withMeanings } from '../../picture/model/own-colours.ts'
import { OTHER, palettes } from '../../picture/model/palettes.ts'
import {
  colourScale,
  drawnRange,
  edgeSizes,
  nodeSizes,
  rangeAround,
  usualEdgeSize,
  usualNodeSize
} from '../../picture/model/scales.ts'
import { darkPaper, lightPaper, paperIn } from '../../picture/sheet/paper.ts'

const attribute = (values: readonly (string | number | undefined)[]) => ({
  key: 'metadata.x',
  title: 'X',
  isNumber: values.every((value) => typeof value !== 'string'),
  read: (index: number) => values[index]
})
const noColours = () => undefined
const { categorical, sequential, diverging } = palettes

t.test(
  'a value keeps its colour if other values become more frequent, and nothing else gets that colour',
  async (t) => {
    const [first, second, third] = categorical.distinct
    const colours = { a: second as string, ['__proto__']: '#123456' }
    const coloursOf = (values: string[]) => {
      const scale = colourScale(attribute(values), values.length, noColours, { colours })
      return new Map(values.map((value, index) => [value, scale.colourOf(index)]))
    }
    const before = coloursOf(['a', 'a', 'b', '__proto__'])
    t.same([...before.values()], [second, first, '#123456'])
    const after = coloursOf(['c', 'c', 'c', 'a', 'b', 'b', '__proto__'])
    t.same([...after], [...Object.entries({ c: first, a: second, b: third }), ['__proto__', '#123456']])
  }
)

t.test('a colour that the user set takes precedence over that of the palette, which no other value gets', async (t) => {
  const [first = '', second = '', third] = categorical.distinct
  const style = { colours: { a: '#123456' }, paletteColours: { a: second, b: first } }
  const { colourOf } = colourScale(attribute(['a', 'b', 'c']), 3, noColours, style)
  t.same([0, 1, 2].map(colourOf), ['#123456', first, third])
})

t.test(
  'a style names values, orders them, marks them, and lists values with a colour beyond the palette',
  async (t) => {
    const values = Array.from({ length: 15 }, (_, index) => `k${index}`)
    const style = {
      names: { k14: 'Last', k1: ' ', ['__proto__']: 'None' },
      order: ['k13', 'absent'],
      colours: { k14: '#123456' },
      marks: { k13: 'diamond' }
    }
    const { legend, colourOf, markOf } = colourScale(attribute(values), 15, noColours, style)
    const [blue] = categorical.distinct
    t.same(legend.kinds?.[0], { value: 'k13', count: 1, colour: blue, mark: 'diamond' })
    t.same(legend.kinds?.[1], { value: 'k0', count: 1, colour: categorical.distinct[1] })
    t.same(legend.kinds?.at(-1), { value: 'k14', name: 'Last', count: 1, colour: '#123456' })
    t.same([legend.kinds?.length, legend.others], [13, 2])
    t.same([colourOf(13), colourOf(12), colourOf(14)], [blue, '#b36c61', '#123456'])
    t.same([markOf?.(13), markOf?.(0)], ['diamond', undefined])
  }
)

t.test('a legend lists numbers in ascending order, but the most frequent ones get the first colours', async (t) => {
  const [first, second, third] = categorical.distinct
  const kindsOf = (values: (string | number)[], order?: string[]) =>
    colourScale(attribute(values), values.length, noColours, { order }).legend.kinds?.map(({ value, colour }) => [
      value,
      colour
    ])
  const years = [2001, 2001, 2001, 2010, 2010, 1999]
  t.same(kindsOf(years), [
    ['1999', third],
    ['2001', first],
    ['2010', second]
  ])
  t.same(kindsOf(years.map(String)), kindsOf(years), 'text with numbers')
  t.same(
    kindsOf(years, ['2010'])?.map(([value]) => value),
    ['2010', '1999', '2001'],
    'a style sets the first value'
  )
  t.same(
    kindsOf(['10', '10', '9', 'a'])?.map(([value]) => value),
    ['10', '9', 'a'],
    'other values are in the order of frequency'
  )
})

t.test('the legend of own colours shows what they stand for, if an attribute says so one to one', async (t) => {
  const [red, blue] = ['#ff0000', '#0000ff']
  const own = { ...attribute([red, blue, red]), key: 'metadata.viz:color' }
  const named = (key: string, values: (string | number | undefined)[]) => ({ ...attribute(values), key, title: key })
  const legendOf = (colour: typeof own, ...attributes: (typeof own)[]) => {
    const scale = colourScale(colour, 3, hexOf, { names: { [blue]: 'Sea' } })
    const { title, kinds = [] } = withMeanings(scale.legend, 'node', colour, attributes, 3)
    return [title, ...kinds.map(({ value, name }) => `${value} ${name}`)]
  }
  const unnamed = ['X', `${red} undefined`, `${blue} Sea`]
  const team = named('metadata.team', ['a', 'b', 'a'])
  t.same(legendOf(own, own, team), ['metadata.team', `${red} a`, `${blue} Sea`])
  for (const values of [
    ['a', 'b', 'c'],
    ['a', 'a', 'a'],
    ['a', 'b', undefined]
  ])
    t.same(legendOf(own, named('metadata.team', values)), unnamed, String(values))
  t.same(
    legendOf(own, named('metadata.year', [2010, 1999, 2010])),
    ['metadata.year', `${blue} Sea`, `${red} 2010`],
    'numbers are in ascending order'
  )
  t.same(legendOf(own, named('degree', ['a', 'b', 'a'])), unnamed, 'not a stored attribute')
  t.same(legendOf({ ...own, key: 'metadata.other' }, team), unnamed, 'not the own colours')
  const words = { ...attribute(['red', 'blue', 'red']), key: 'metadata.color' }
  t.same(legendOf(words, team)[1], 'red undefined', 'names of colours are legible')
})

t.test('a short palette continues with darker variants, and does not limit the colours that values are', async (t) => {
  const values = Array.from({ length: 14 }, (_, index) => `#${100_000 + index}`)
  const style = { palette: 'okabe-ito' }
  const { legend, colourOf } = colourScale(attribute(values), 14, noColours, style)
  const own = categorical['okabe-ito']
  const darker = own.map((colour) => mixed(colour, '#1a1b1e', 0.5))
  t.same([0, 6, 7, 11].map(colourOf), [own[0], own[6], darker[0], darker[4]])
  t.same([legend.kinds?.length, legend.others], [12, 2])
  const coloured = colourScale(attribute(values), 14, hexOf, style)
  t.same([coloured.legend.kinds?.length, coloured.colourOf(13)], [12, values[13]])
})

t.test('palettes suit categories or numbers, and the middle of a diverging ramp is at zero', async (t) => {
  const kinds = (palette: string) => {
    const { colourOf } = colourScale(attribute(['a', 'b', 'c']), 3, noColours, { palette })
    return [0, 1, 2].map(colourOf)
  }
  t.same(kinds('tol-muted'), categorical['tol-muted'].slice(0, 3))
  t.same(
    kinds('blue-red'),
    [0, 2, 4].map((stop) => diverging['blue-red'][stop])
  )
  t.same(kinds('toString'), categorical.distinct.slice(0, 3))
  const amounts = (palette: string, values: number[]) => {
    const { colourOf, legend } = colourScale(attribute(values), values.length, noColours, { palette })
    return [values.map((_, index) => colourOf(index)), legend.range?.least, legend.range?.greatest]
  }
  t.same(amounts('tol-muted', [0, 0.5]), [[sequential.viridis[0], sequential.viridis.at(-1)], 0, 0.5])
  const { 'blue-red': ramp } = diverging
  t.same(amounts('blue-red', [-0.5, 0, 1]), [[ramp[1], ramp[2], ramp[4]], -1, 1])
  t.same(amounts('blue-red', [1.5, 2]), [[ramp[0], ramp[4]], 1.5, 2])
})

t.test('a style colours numbers by value, logarithm or rank, or gives each a colour', async (t) => {
  const stops = [0, 1, 2, 3, 4].map((step) => rampAt(sequential.plasma, step / 4))
  const scaled = (scale: ScaleName, values: (number | undefined)[]) => {
    const { colourOf, legend } = colourScale(attribute(values), values.length, noColours, { palette: 'plasma', scale })
    return { places: values.map((_, index) => stops.indexOf(colourOf(index))), range: legend.range }
  }
  const ramp = sequential.plasma
  const values = [-3, 0, 1, 10, 100, 100, 10_000, undefined]
  t.same(scaled('log', values), {
    places: [0, 0, 0, 1, 2, 2, 4, -1],
    range: { least: -3, greatest: 10_000, ramp, scale: 'log' }
  })
  t.same(scaled('log', [5, 5, -1]).places, [2, 2, 0])
  t.same(scaled('log', [-1, -2]).places, [0, 0])
  t.same(scaled('rank', [7, -1, 3.5, 3.5, 3.5, undefined]), {
    places: [4, 0, 2, 2, 2, -1],
    range: { least: -1, greatest: 7, ramp, scale: 'rank' }
  })
  t.same(scaled('rank', [7, 7]).places, [2, 2])
  t.same(scaled('rank', [7]).places, [2])
  t.same(scaled('linear', [1, 2, 5]), { places: [0, 1, 4], range: { least: 1, greatest: 5, ramp } }, 'not categories')

  const numbers = Array.from({ length: 13 }, (_, index) => index / 2)
  const { legend, colourOf } = colourScale(attribute(numbers), 13, noColours, { scale: 'categories' })
  t.same([legend.kinds?.length, legend.others, legend.range], [12, 1, undefined])
  t.same([colourOf(0), colourOf(11)], [categorical.distinct[0], categorical.distinct[11]])
  t.ok(colourScale(attribute(['a', 1]), 2, noColours, { scale: 'log' }).legend.kinds, 'text stays categorical')
})

t.test('ranges bound diameters and widths, and without an attribute, all are in the middle', async (t) => {
  const range = { least: 4, greatest: 20 }
  const amounts = attribute([0, 100])
  t.same([0, 1].map(nodeSizes(amounts, 2, range).sizeOf), [2, 10], 'sizes are radii')
  t.same([0, 1].map(edgeSizes(amounts, 2, range).sizeOf), [4, 20])
  t.same([usualNodeSize(2, range), usualEdgeSize(2, range)], [6, 12])
  const own = (name: string) => ({ ...attribute([0, 25, 100]), key: `metadata.${name}` })
  t.same([0, 1, 2].map(nodeSizes(own('size'), 3, range).sizeOf), [2, 4, 10], 'own sizes keep their proportions')
  t.same([0, 1, 2].map(edgeSizes(own('thickness'), 3, range).sizeOf), [4, 8, 20])
})

t.test('the range of the sizes that are drawn is told, and can be moved to another middle', async (t) => {
  const own = { ...attribute([4, 100, undefined]), key: 'metadata.size' }
  const { sizeOf } = nodeSizes(own, 100)
  t.same(
    drawnRange((index) => sizeOf(index) * 2, 3),
    { least: 6, greatest: 34.6 }
  )
  t.same(
    drawnRange(() => 1.44, 2),
    { least: 1.4, greatest: 1.4 }
  )
  t.same(drawnRange(sizeOf, 0), { least: 0, greatest: 0 })
  const bounds: [number, number] = [1, 200]
  t.same(rangeAround(27, { least: 6, greatest: 12 }, bounds), { least: 18, greatest: 36 })
  t.same(rangeAround(2, { least: 1, greatest: 9 }, bounds), { least: 1, greatest: 3 })
  t.same(rangeAround(195, { least: 1, greatest: 9 }, bounds), { least: 190, greatest: 200 })
})

t.test('an edge without a weight is as wide as one of weight 1', async (t) => {
  const values = [undefined, 1, 2, 10]
  const drawnBy = (key: string) => {
    const { sizeOf, legend } = edgeSizes({ ...attribute(values), key }, 4, { least: 1, greatest: 4 })
    return [[0, 1, 2, 3].map(sizeOf), legend?.range]
  }
  t.same(drawnBy('metadata.weight'), [[1, 1, 2, 4], { least: 1, greatest: 10 }])
  const weights = edgeSizes({ ...attribute([undefined, 2, 10]), key: 'metadata.weight' }, 3)
  t.same(weights.legend?.range, { least: 1, greatest: 10 }, 'the legend includes it')
  const others = edgeSizes({ ...attribute([undefined, 2, 10]), key: 'metadata.years' }, 3)
  t.same(others.legend?.range, { least: 2, greatest: 10 }, 'other attributes have no default')
})

t.test('text on a background is dark or light', async (t) => {
  t.equal(paperIn(undefined, darkPaper), darkPaper)
  t.match(paperIn('#fff8e0', darkPaper), { background: '#fff8e0', ink: lightPaper.ink })
  t.match(paperIn('#102040', lightPaper), { background: '#102040', ink: darkPaper.ink })
})

/**
 * The simulations of colour vision by Machado, Oliveira and Fernandes (2009, doi:10.1109/TVCG.2009.113), for linear RGB: normal
 * vision, protanopia, deuteranopia and tritanopia.
 */
const visions = [
  [1, 0, 0, 0, 1, 0, 0, 0, 1],
  [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039]
]

/** Returns the sum of the products of some numbers with the coefficients of each row. */
function times(rows: number[], [x = 0, y = 0, z = 0]: number[]) {
  return [0, 3, 6].map((row) => (rows[row] ?? 0) * x + (rows[row + 1] ?? 0) * y + (rows[row + 2] ?? 0) * z)
}

function linear(colour: string) {
  return [1, 3, 5].map((start) => {
    const channel = Number.parseInt(colour.slice(start, start + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
}

/** Converts linear RGB to Oklab. */
function oklab(rgb: number[]) {
  const cones = times(
    [
      0.4122214708, 0.5363325363, 0.0514459929, 0.2119034982, 0.6806995451, 0.1073969566, 0.0883024619, 0.2817188376
    ].concat(0.6299787005),
    rgb.map((channel) => Math.min(Math.max(channel, 0), 1))
  )
  return times(
    [
      0.2104542553, 0.793617785, -0.0040720468, 1.9779984951, -2.428592205, 0.4505937099, 0.0259040371, 0.7827717662
    ].concat(-0.808675766),
    cones.map(Math.cbrt)
  )
}

/** Returns the least difference of two colours in any vision. */
function differenceOf(one: string, other: string) {
  return Math.min(
    ...visions.map((vision) => {
      const [from, to] = [one, other].map((colour) => oklab(times(vision, linear(colour)))) as [number[], number[]]
      return Math.hypot(...from.map((value, index) => value - (to[index] ?? 0)))
    })
  )
}

t.test(
  'the default palette is distinct in all kinds of colour vision, from grey too, and on both backgrounds',
  async (t) => {
    const colours = [...categorical.distinct, OTHER]
    t.equal(colours.length, 13)
    for (const [index, one] of colours.entries()) {
      for (const other of colours.slice(0, index)) t.ok(differenceOf(one, other) > 0.08, `${one} and ${other}`)
    }
    t.ok(differenceOf('#d9484a', '#4c9f38') < 0.08, 'red and green of equal lightness are not')
    const luminance = (colour: string) => times([0.2126, 0.7152, 0.0722, 0, 0, 0, 0, 0, 0], linear(colour))[0] ?? 0
    for (const colour of categorical.distinct) {
      const contrasts = [lightPaper, darkPaper].map(({ background }) => {
        const [darker = 0, lighter = 0] = [luminance(colour), luminance(background)].sort((a, b) => a - b)
        return (lighter + 0.05) / (darker + 0.05)
      })
      t.ok(Math.min(...contrasts) > 2, colour)
    }
  }
)
