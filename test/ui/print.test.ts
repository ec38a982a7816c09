import { crc32 } from 'node:zlib'
import t from 'tap'
import { legendLayout } from '../../picture/sheet/legend.ts'
import type { Picture } from '../../picture/sheet/picture.ts'
import { withRoomForLegend } from '../../ui/src/graph/drawing/legend-room.ts'
import { withDensity } from '../../ui/src/graph/print/png-density.ts'
import { printedPicture } from '../../ui/src/graph/print/printed-picture.ts'

// Pictures for print: their layout in another width, and their resolution.

/** Two nodes, one edge, and a label, in a view with much empty space. */
const picture: Picture = {
  width: 1000,
  height: 800,
  title: '',
  background: '#fff',
  ink: '#000',
  edges: [
    {
      from: { x: 400, y: 300 },
      to: { x: 600, y: 400 },
      control: { x: 500, y: 300 },
      colour: 'red',
      width: 2,
      opacity: 1,
      arrow: [
        { x: 590, y: 400 },
        { x: 590, y: 390 },
        { x: 600, y: 400 }
      ]
    }
  ],
  rings: [{ x: 400, y: 290, radius: 10, colour: 'red', width: 2, opacity: 1 }],
  nodes: [
    { x: 400, y: 300, radius: 9, border: 1, colour: 'red', name: 'a' },
    { x: 600, y: 400, radius: 19, border: 1, colour: 'red', name: 'b' },
    { x: 5000, y: 400, radius: 19, border: 1, colour: 'red', name: 'outside the view' }
  ],
  labels: [],
  candidates: [
    { text: 'a', isBold: true, disc: { x: 400, y: 300, size: 10 }, ends: [] },
    { text: 'too long for the picture', isBold: false, disc: { x: 600, y: 400, size: 20 }, ends: [] }
  ],
  legend: []
}

const print = (width: number, changes: Partial<Picture> = {}) =>
  printedPicture({ ...picture, ...changes }, width, 14, (label) => (label.length * 10) / 14)

t.test('labels of edges keep their angle, and the middle of their edge', async (t) => {
  const angle = Math.PI / 6
  // The label has a size of 28 and a width of 80, and its middle is at (500, 350).
  const [right, down] = [Math.cos(angle), Math.sin(angle)]
  const start = (size: number, x: number, y: number) => ({
    x: x - (right * 20 * size) / 14 - (down * size) / 3,
    y: y - (down * 20 * size) / 14 + (right * size) / 3
  })
  const label = { ...start(28, 500, 350), text: 'edge', isBold: false, angle }
  const [printed] = print(115 + 32, { labelSize: 28, labels: [label], candidates: [] }).labels
  const expected = start(14, 71, 46)
  t.match(printed, { text: 'edge', angle })
  t.ok(Math.abs((printed?.x ?? 0) - expected.x) < 1e-9 && Math.abs((printed?.y ?? 0) - expected.y) < 1e-9)
  const hidden = { ...start(28, 400, 300), text: 'over a node', isBold: false, angle }
  t.same(print(147, { labelSize: 28, labels: [hidden], candidates: [] }).labels, [])
})

t.test('the visible nodes fill a printed picture', async (t) => {
  // The nodes with their borders are 230 wide and 130 high, and the margin is 16.
  const printed = print(115 + 32)
  t.equal(printed.width, 147)
  t.equal(printed.height, 65 + 32)
  t.match(printed.nodes.slice(0, 2), [
    { x: 21, y: 21, radius: 4.5, border: 0.5 },
    { x: 121, y: 71, radius: 9.5, border: 0.5 }
  ])
  t.strictSame(printed.edges, [
    {
      ...picture.edges[0],
      from: { x: 21, y: 21 },
      to: { x: 121, y: 71 },
      control: { x: 71, y: 21 },
      width: 1,
      arrow: [
        { x: 116, y: 71 },
        { x: 116, y: 66 },
        { x: 121, y: 71 }
      ]
    }
  ])
  t.match(printed.rings, [{ x: 21, y: 16, radius: 5, width: 1 }])
  t.same(
    printed.labels.map(({ text }) => text),
    ['a'],
    'labels that do not fit are omitted'
  )
  t.same(
    print(1000).labels.map(({ text }) => text),
    ['a', 'too long for the picture'],
    'a wider print shows labels for which the screen has no room'
  )
})

t.test('forced labels are printed even where there is no room', async (t) => {
  const candidates = picture.candidates?.map((label) => ({ ...label, isForced: true }))
  t.same(
    print(147, { candidates }).labels.map(({ text }) => text),
    ['a', 'too long for the picture']
  )
})

t.test('labels have the given size, whatever the style', async (t) => {
  t.equal(printedPicture(picture, 1000, 21, () => 0).labelSize, 21)
  t.equal(print(1000, { labelSize: 40 }).labelSize, 14)
})

t.test('the legend of a printed picture is below the drawing', async (t) => {
  const [without, having] = [print(147), print(147, { legend: [{ text: 'team', isTitle: true }, { text: 'red' }] })]
  t.same(having.nodes, without.nodes)
  t.equal(having.height, without.height + 2 * 18 + 2 * 10 + 12)
})

t.test('the legend of a wide printed picture has several columns of at least five rows', async (t) => {
  const legend = ['team', 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'age', 'j'].map((text) => ({
    text,
    isTitle: text.length > 1
  }))
  const printed = print(1000, { legend })
  t.same(printed.legendAt, { columns: 2 })
  t.equal(printed.height, print(1000).height + 6 * 18 + 2 * 10 + 12)
  const { box, rows } = legendLayout(legend, printed.height, { columns: 2 })
  t.equal(box.width, 10 + 2 * 150)
  t.same(
    rows.map(({ x, y }) => [x, y - box.y]),
    [...[0, 1, 2, 3, 4, 5].map((row) => [22, 22 + 18 * row]), ...[0, 1, 2, 3, 4, 5].map((row) => [172, 22 + 18 * row])]
  )
  const moved = legendLayout([legend[1], legend[2], legend[0], legend[3]] as typeof legend, 400, { columns: 2 }).rows
  t.same(
    moved.map(({ x }) => x),
    [22, 22, 172, 172],
    'a title is never at the end of a column'
  )
  const third = legendLayout([legend[1], legend[0], legend[2], legend[3]] as typeof legend, 400, { columns: 2 }).rows
  t.same(
    third.map(({ x }) => x),
    [22, 172, 172, 172]
  )
})

t.test('the samples of a legend have the scale of the print, and stay with their title', async (t) => {
  const legend = [
    ...['team', 'a', 'b', 'c', 'd', 'e', 'f'].map((text, index) => ({ text, isTitle: index === 0 })),
    { text: 'Size', isTitle: true },
    { text: '9', disc: 40 },
    { text: '1', disc: 4 },
    { text: 'Weight', isTitle: true },
    { text: '5', stroke: 3 }
  ]
  // The scale is a half.
  t.same(
    print(147, { legend })
      .legend.map(({ disc, stroke }) => disc ?? stroke)
      .slice(7),
    [undefined, 20, 2, undefined, 1.5]
  )
  const { box, rows } = legendLayout(legend, 400, { columns: 2 })
  t.same(
    rows.map(({ x, disc, stroke }) => [x, disc?.radius ?? stroke?.width]),
    [
      ...Array(7).fill([22, undefined]),
      [172, undefined],
      ...[40, 4].map((radius) => [172 + 86, radius]),
      [172, undefined],
      [172 + 30, 3]
    ]
  )
  t.equal(box.height, 2 * 10 + 18 + 84 + 18 + 18 + 18)
})

t.test('a picture is widened for a legend that would cover nodes or labels', async (t) => {
  const legend = [{ text: 'team', isTitle: true }, { text: 'red' }]
  const inView = { ...picture, nodes: picture.nodes.slice(0, 2), labels: [], legend }
  t.equal(withRoomForLegend(inView), inView, 'the legend covers nothing')
  const node = { x: 100, y: 750, radius: 5, border: 1, colour: 'red', name: 'c' }
  const covered = { ...inView, nodes: [...inView.nodes, node] }
  const wider = withRoomForLegend(covered)
  t.same({ width: wider.width, at: wider.legendAt }, { width: 1000 + 160 + 12, at: { left: 1000, columns: 1 } })
  const label = { x: 160, y: 760, text: 'c', isBold: false }
  t.equal(withRoomForLegend({ ...inView, labels: [label] }).width, 1172)
  t.equal(withRoomForLegend({ ...covered, height: 770 }).legendAt?.columns, 1)
  const tall = Array.from({ length: 50 }, (_, index) => ({ text: `${index}` }))
  t.equal(withRoomForLegend({ ...covered, legend: tall }).legendAt?.columns, 2)
  const outside = { ...covered, nodes: [...covered.nodes, { ...node, x: 1100 }] }
  t.equal(withRoomForLegend(outside), outside, 'the wider picture would show nodes that are out of view')
  t.equal(withRoomForLegend({ ...covered, legend: [] }).width, 1000)
})

t.test('a picture without visible nodes is scaled as a whole', async (t) => {
  const { width, height } = print(532, { nodes: [], labels: [] })
  t.same({ width, height }, { width: 532, height: 432 })
})

t.test('a PNG contains its number of pixels per metre', async (t) => {
  const png = Uint8Array.from({ length: 60 }, (_, index) => index)
  const result = Buffer.from(withDensity(png, 11811))
  t.same([...result.subarray(0, 33)], [...png.subarray(0, 33)])
  t.same([...result.subarray(54)], [...png.subarray(33)])
  const chunk = result.subarray(33, 54)
  t.same(
    [chunk.readUInt32BE(0), chunk.toString('latin1', 4, 8), chunk.readUInt32BE(8), chunk.readUInt32BE(12), chunk[16]],
    [9, 'pHYs', 11811, 11811, 1]
  )
  t.equal(chunk.readUInt32BE(17), crc32(chunk.subarray(4, 17)))
})
