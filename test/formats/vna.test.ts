import t from 'tap'
import { read } from '../support/formats.ts'

t.test('VNA is read with its drawing and ties', async (t) => {
  const { format, content, losses } = await read(
    undefined,
    `*Node data
ID gender "full name" age
Holly female "Holly H." 25
Brazey female "B" "25"
*node properties
ID x y color shape size shortlabel labelsize
Holly 1160.5 271 255 1 10 Hol 9
Brazey 3 4 16711680 2 8 Brazey 9
*Tie data
from to friends strength
Holly Brazey 1 2
"Pat P" Holly 0 1.5
*Tie properties
from to color
Holly Brazey 255
`
  )
  t.equal(format, 'vna')
  t.same(losses, { 'node-not-in-table': 1, 'visual-dropped': 3 })
  t.same(content, {
    directed: true,
    nodes: [
      {
        id: 'Holly',
        label: 'Hol',
        x: 1160.5,
        y: -271,
        metadata: { gender: 'female', 'full name': 'Holly H.', age: 25, color: '#ff0000', shape: 1, size: 10 }
      },
      {
        id: 'Brazey',
        x: 3,
        y: -4,
        metadata: { gender: 'female', 'full name': 'B', age: '25', color: '#0000ff', shape: 2, size: 8 }
      },
      { id: 'Pat P' }
    ],
    edges: [
      { source: 'Holly', target: 'Brazey', metadata: { friends: 1, weight: 2 } },
      { source: 'Pat P', target: 'Holly', metadata: { friends: 0, weight: 1.5 } }
    ]
  })
  const commas = await read(undefined, '*Tie data\nTO, FROM, "kind of"\n1, 2, "a, b"\n')
  t.same(commas.content?.edges, [{ source: '2', target: '1', metadata: { 'kind of': 'a, b' } }])
})

t.test('faulty VNA is refused', async (t) => {
  const codes = async (text: string) => (await read('vna', text)).faults.map(({ code, line }) => [code, line])
  t.same(await codes('a b\n'), [['malformed', 1]])
  t.same(await codes('*Node data\nID a\nx 1\nx 2\ny\n'), [
    ['duplicate-id', 4],
    ['malformed', 5]
  ])
  t.same(await codes('*Tie data\nfrom\na\n'), [['required', 2]])
})
