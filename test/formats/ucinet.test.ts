import t from 'tap'
import { read } from '../support/formats.ts'

/** Reads a file. Returns its ids, and its edges in the form `source target weight`. */
async function graphOf(text: string) {
  const { format, content, faults, losses } = await read(undefined, text)
  if (!content) return { faults: faults.map(({ code, line }) => [code, line]) }
  const edges = content.edges.map(({ source, target, metadata }) =>
    [source, target, metadata?.weight].filter((part) => part !== undefined).join(' ')
  )
  return { format, directed: content.directed, ids: content.nodes.map(({ id }) => id), edges, losses }
}

t.test('matrices are read, with labels in the header or in the data', async (t) => {
  const cycle = {
    format: 'ucinet',
    directed: true,
    ids: ['ann', 'bob', 'c d'],
    edges: ['ann bob', 'bob c d', 'c d ann'],
    losses: {}
  }
  t.same(await graphOf('DL N = 3\nLABELS:\nann,bob,"c d"\nDATA:\n0 1 0 0 0 1\n1 0 0'), cycle)
  t.same(await graphOf('dl n=3 labels embedded\ndata:\nann bob "c d"\nann 0 1 0\nbob 0 0 1\n"c d" 1 0 0'), cycle)
  t.same(await graphOf('dl n=3, format=fm\nrow labels embedded:\ndata:\nann 0 1 0\nbob 0 0 1\n"c d" 1 0 0'), cycle)
  const declared = 'DL\nN=3\nROW LABELS:\n"ann"\n"bob"\n"c d"\nROW LABELS EMBEDDED\nDATA:\n0 1 0\n0 0 1\n1 0 0'
  t.same(await graphOf(declared), cycle, 'labels that are declared as embedded, but only in the header')
})

t.test('symmetric matrices and halves are undirected', async (t) => {
  const expected = { format: 'ucinet', directed: false, ids: ['1', '2', '3'], edges: ['1 2 5', '2 3 1'], losses: {} }
  t.same(await graphOf('dl n=3\ndata:\n0 5 0\n5 0 1\n0 1 0'), expected)
  t.same(await graphOf('dl n=3 diagonal absent format=uh\ndata:\n5 0\n1'), expected)
  const lower = { ...expected, edges: ['2 1 5', '3 2 1'], losses: { 'null-dropped': 1 } }
  t.same(await graphOf('dl n=3 format = lowerhalf\ndata:\n0\n5 0\nNA 1 0'), lower)
})

t.test('lists are read, with labels or numbers, and 0 means no edge', async (t) => {
  const expected = {
    format: 'ucinet',
    directed: true,
    ids: ['ann', 'bob', 'cat'],
    edges: ['ann bob', 'ann cat'],
    losses: {}
  }
  t.same(await graphOf('dl n=3 format=edgelist1\nlabels:\nann bob cat\ndata:\n1 2\nann cat\n2 3 0'), expected)
  t.same(await graphOf('dl format=nodelist1\nlabels embedded\ndata:\nann bob cat\ncat'), expected)
  t.same(await graphOf('dl n=3 format=el1 labels embedded\ndata:\nann bob 2'), {
    ...expected,
    ids: ['ann', 'bob'],
    edges: ['ann bob 2'],
    losses: { 'isolated-node-dropped': 1 }
  })
})

t.test('two modes and several matrices are read', async (t) => {
  const { content } = await read(undefined, 'dl nr=2, nc=2 format=edgelist2\nrow labels:\na,b\ndata:\n1 2\n2 1 3')
  t.same(content, {
    directed: false,
    nodes: [
      { id: 'a', metadata: { mode: 1 } },
      { id: 'b', metadata: { mode: 1 } },
      { id: '3', metadata: { mode: 2 } },
      { id: '4', metadata: { mode: 2 } }
    ],
    edges: [
      { source: 'a', target: '4' },
      { source: 'b', target: '3', metadata: { weight: 3 } }
    ]
  })
  const same = 'dl nr=1 nc=2\nrow labels embedded\ncol labels embedded\ndata:\nx y\nx 1 0'
  t.same((await read(undefined, same)).content?.nodes, [
    { id: '1', label: 'x', metadata: { mode: 1 } },
    { id: '2', label: 'x', metadata: { mode: 2 } },
    { id: '3', label: 'y', metadata: { mode: 2 } }
  ])
  const several =
    'DL n = 2, nm = 2, format = edgelist1\nlabels:\n1,2\nmatrix labels:\n"likes",knows\ndata:\n1 2 1 \n!\n2 1 4 \n'
  t.same((await read(undefined, several)).content?.edges, [
    { source: '1', target: '2', relation: 'likes', metadata: { weight: 1 } },
    { source: '2', target: '1', relation: 'knows', metadata: { weight: 4 } }
  ])
})

t.test('faulty DL is refused', async (t) => {
  const faultsOf = async (text: string) => (await graphOf(text)).faults
  t.same(await faultsOf('dl n=2\ndata:\n0 1\n1'), [['incomplete', 4]])
  t.same(await faultsOf('dl n=2\ndata:\n0 1\n1 0\n1'), [['malformed', 5]])
  t.same(await faultsOf('dl n=2\ndata:\n0 x\n1 0'), [['malformed', 3]])
  t.same(await faultsOf('dl n=2 labels embedded\ndata:\na a\na 0 1\nb 1 0'), [['duplicate-id', 3]])
  t.same(await faultsOf('dl n=2 labels embedded\ndata:\na b\na 0 1\na 1 0'), [['duplicate-id', 5]])
  t.same(await faultsOf('dl n=2 format=edgelist1\ndata:\n1 3\n1 2 x\n1\n'), [
    ['unknown-node', 3],
    ['malformed', 4]
  ])
  t.same(await faultsOf('dl n=1 format=edgelist1 labels embedded\ndata:\na b\n'), [['unknown-node', 3]])
  t.same(await faultsOf('dl format=edgelist1\ndata:\n1 2\n'), [['required', 1]])
  t.same(await faultsOf('dl n=2 format=rankedlist1\ndata:\n1 2\n'), [['not-allowed', 1]])
  t.same(await faultsOf('dl n=2\nsize=3\ndata:\n'), [['malformed', 2]])
  t.same(await faultsOf('dl n=999999999\ndata:\n'), [['too-many-nodes', 1]])
})
