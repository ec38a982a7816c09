import t from 'tap'
import { safeFileName } from '../../graph/files/names.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { read, write } from '../support/formats.ts'

// A naive reader would take quadratic time, and thus minutes, for each of these files.

const counted = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => piece(i)).join('')

const files: [format: string, name: string, text: string][] = [
  [
    'gexf',
    'attributes declared between the nodes',
    `<gexf><graph><nodes>${counted(30_000, (i) => `<attribute id="${i}" title="t"/><node id="${i}"/>`)}</nodes></graph></gexf>`
  ],
  [
    'graphml',
    'keys declared between the nodes',
    `<graphml><graph edgedefault="directed">${counted(30_000, (i) => `<key id="k${i}" attr.name="n" attr.type="int"/><node id="${i}"/>`)}</graph></graphml>`
  ],
  [
    'jgf',
    'one repeated name for a large node',
    `{"graph":{"nodes":{${'"a":0,'.repeat(20_000)}"a":{"metadata":{${counted(20_000, (i) => `"x${i}":1,`)}"z":1}}}}}`
  ],
  ['pajek', 'a section name that fills its line and has no line end', `*Vertices 1\n*${'a'.repeat(100_000)}\u2028`]
]

for (const [format, name, text] of files) {
  t.test(`${format}: ${name}`, async (t) => {
    const time = await cpuTime(() => read(format, text))
    t.ok(time < 4000, `${time} ms`)
  })
}

t.test('ids that a format maps to the same string become unique in linear time', async (t) => {
  const ids = Array.from({ length: 15_000 }, (_, index) =>
    index
      .toString(8)
      .padStart(5, '0')
      .replace(/./g, (digit) => String.fromCharCode(Number(digit) + 1))
  )
  const content = { nodes: ids.map((id) => ({ id })), edges: [] }
  const time = await cpuTime(() => write('graphml', content))
  t.ok(time < 4000, `${time} ms`)
  const { content: back } = await read('graphml', write('graphml', content).text)
  t.equal(back?.nodes.length, 15_000)
})

t.test('millions of comments are skipped quickly', async (t) => {
  const comments = '#\n'.repeat(8_000_000)
  t.same((await read('gml', `${comments}graph [ node [ id 1 ] ${comments}]`)).faults, [])
  t.same((await read('csv', `${comments}Source,Target\na,b\n`)).faults, [])
})

t.test('a file name is derived from any text in linear time', async (t) => {
  const time = await cpuTime(() => t.equal(safeFileName(`x${'.'.repeat(100_000)}x`).length, 80))
  t.ok(time < 1000, `${time} ms`)
})
