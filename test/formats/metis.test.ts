import t from 'tap'
import { read } from '../support/formats.ts'

t.test('METIS is read with its weights', async (t) => {
  const { format, content } = await read(undefined, '% c\n3 2 011 2\n4 5 2 7\n1 1 1 7 3 8\n2 2 2 8\n')
  t.equal(format, 'metis')
  t.same(content, {
    directed: false,
    nodes: [
      { id: '1', metadata: { weight: [4, 5] } },
      { id: '2', metadata: { weight: [1, 1] } },
      { id: '3', metadata: { weight: [2, 2] } }
    ],
    edges: [
      { source: '1', target: '2', metadata: { weight: 7 } },
      { source: '2', target: '3', metadata: { weight: 8 } }
    ]
  })
  t.equal((await read(undefined, '3 2\n1 2\n2 3\n')).format, 'edge-list', 'a list of edges is not METIS')
})

t.test('faulty METIS is refused', async (t) => {
  const codes = async (text: string) => (await read('metis', text)).faults.map(({ code, line }) => [code, line])
  t.same(await codes('a b'), [['malformed', 1]])
  t.same(await codes('2 1\n2\n'), [['incomplete', 1]])
  t.same(await codes('2 1\n2\n1\n1\n'), [['malformed', 4]])
  t.same(await codes('2 1\n3\n1\n'), [['unknown-node', 2]])
  t.same(await codes('3 1\n2\n3\n\n'), [['malformed', 1]], 'edges that are listed once')
  t.same(await codes('3 2\n2 2\n1\n1\n'), [['malformed', 1]], 'an edge that only one of its nodes lists')
  t.same(await codes('999999999 1\n2\n'), [['too-many-nodes', 1]])
})
