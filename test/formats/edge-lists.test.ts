import t from 'tap'
import { formatNamed, formats } from '../../graph/formats/index.ts'
import { read } from '../support/formats.ts'

// SIF, GDF and edge lists with spaces, which are import-only formats.

/** Detects the format and reads the file. Returns the format, counts, and edges as text. */
async function found(text: string, format?: string) {
  const { format: name, content, faults, nodeCount } = await read(format, text)
  const edges = content?.edges.map(({ source, target, relation, directed, metadata }) => {
    const kind = directed === undefined ? '' : directed ? 'directed' : 'undirected'
    return [source, target, relation, metadata?.weight, kind].filter((part) => part || part === 0).join(' ')
  })
  return faults.length > 0 ? faults : [name, content?.directed, nodeCount, ...(edges ?? [])]
}

t.test('SIF is read with tabs and with spaces', async (t) => {
  t.same(await found('a pp b\nb pd c d\nalone\n'), ['sif', true, 5, 'a b pp', 'b c pd', 'b d pd'])
  t.same(await found('a\tinteracts with\tb\tc d\r\nb\tinteracts with\te\r\nalone'), [
    'sif',
    true,
    5,
    'a b interacts with',
    'a c d interacts with',
    'b e interacts with'
  ])
  t.same(await found('a\tpp\tb\nc\tpp\td'), ['sif', true, 4, 'a b pp', 'c d pp'])
  t.same(await found('a rel b', 'sif'), ['sif', true, 2, 'a b rel'])
  t.match(await found('a rel\nb rel c', 'sif'), [{ code: 'required', line: 1 }])
  t.same(
    await found('a\tknows\tb\nb\tknows\tc'),
    ['tsv', true, 3, 'a b knows', 'b c knows'],
    'a table with three columns is not SIF'
  )
})

t.test('lists and logs with a few repeated words are not SIF', async (t) => {
  const formatOf = (text: string) => formats.find((format) => format.recognises(text))?.name
  t.equal(formatOf('alice book1 3\nbob book1 2\ncarol book2 1\ndan book2 5'), undefined, 'ratings are not SIF')
  t.equal(formatOf('12:00:01 INFO server started\n12:00:02 INFO client started\n'), undefined, 'a log is not SIF')
  t.equal(
    formatOf('12:00:01 INFO started\n12:00:02 INFO stopped\n'),
    undefined,
    'a log with three words per line is not SIF'
  )
  t.same(
    await found('a hub {}\nb hub {}'),
    ['edge-list', true, 3, 'a hub', 'b hub'],
    'a list from networkx is an edge list'
  )
  t.equal(formatOf('alice\tknows\tbob\t0.9\nbob\tknows\tcarol\t0.8'), 'tsv')
  t.equal(formatOf('alice knows bob 0.9\nbob knows carol'), undefined)
  t.same(await found('ann\tde\t3\nbob\tfr\t5'), ['tsv', true, 4, 'ann de 3', 'bob fr 5'])
  t.same(await found('1 pp 2\n3 pp 4'), ['sif', true, 4, '1 2 pp', '3 4 pp'], 'names may be numbers')
})

t.test('GDF is read with its types', async (t) => {
  const file = `nodedef>name VARCHAR,label VARCHAR,x DOUBLE,age INT,ok BOOLEAN,color VARCHAR
s1,"Site, number 1",10.5,7,true,'114,116,177'
s2,'Bob',,,,
edgedef>node1 VARCHAR,node2 VARCHAR,directed BOOLEAN,weight DOUBLE,label VARCHAR
s1,s2,true,1.5,'it\\'s'
s2,s1,false,2
s2,s2`
  const { content, losses } = await read(undefined, file)
  t.same(losses, {})
  t.same(content, {
    directed: true,
    nodes: [
      { id: 's1', label: 'Site, number 1', x: 10.5, metadata: { age: 7, ok: true, color: '114,116,177' } },
      { id: 's2', label: 'Bob' }
    ],
    edges: [
      { source: 's1', target: 's2', label: "it's", metadata: { weight: 1.5 } },
      { source: 's2', target: 's1', directed: false, metadata: { weight: 2 } },
      { source: 's2', target: 's2', directed: false }
    ]
  })
  t.same(await found('nodedef> name\na\nb\nedgedef> node1,node2\na,b'), ['gdf', false, 2, 'a b'])
  t.match(await found('nodedef>name\na\nedgedef>node1,node2\na,c'), [{ code: 'unknown-node', line: 4 }])
  t.match(await found('nodedef>name\na,b'), [{ code: 'too-many-cells', line: 2 }])
  t.match(await found("nodedef>name,l\na,'b"), [{ code: 'malformed-gdf', line: 2 }])
  t.match(
    await found('nodedef>name,l\na,b', 'csv'),
    [{ code: 'other-format', detail: /gdf$/ }],
    'GDF in a .csv file is reported'
  )
})

t.test('GDF defaults fill empty and missing cells', async (t) => {
  const { content, losses } = await read(
    undefined,
    `nodedef>name VARCHAR,kind VARCHAR default 'a kind',n INT
a,,1
b
c,own
edgedef>node1 VARCHAR,node2 VARCHAR,directed BOOLEAN default true,weight DOUBLE DEFAULT 2,l VARCHAR(32)
a,b
b,c,false,3
c,a,,,x`
  )
  t.same(losses, {})
  t.same(content, {
    directed: true,
    nodes: [
      { id: 'a', metadata: { kind: 'a kind', n: 1 } },
      { id: 'b', metadata: { kind: 'a kind' } },
      { id: 'c', metadata: { kind: 'own' } }
    ],
    edges: [
      { source: 'a', target: 'b', metadata: { weight: 2 } },
      { source: 'b', target: 'c', directed: false, metadata: { weight: 3 } },
      { source: 'c', target: 'a', metadata: { weight: 2, l: 'x' } }
    ]
  })
  t.match(await found("nodedef>name,x VARCHAR default 'a,b'\na"), [{ code: 'malformed-gdf', line: 1 }])
})

t.test('edge lists with spaces are read', async (t) => {
  t.same(await found('# Directed graph\n# FromNodeId ToNodeId\n1 2\n2 3\n'), ['edge-list', true, 3, '1 2', '2 3'])
  t.same(await found('# Undirected graph: x.txt\n1 2\n'), ['edge-list', false, 2, '1 2'])
  t.same(await found('# Undirected graph: x.txt\n# FromNodeId\tToNodeId\n1\t2\n'), ['tsv', false, 2, '1 2'])
  t.same(await found('% sym weighted\n  1   2  0.5\n2 3 1 \n'), ['edge-list', false, 3, '1 2 0.5', '2 3 1'])
  t.same(await found('a b 1\nb c 2'), ['edge-list', true, 3, 'a b 1', 'b c 2'])
  t.same(await found('a b\nb c'), ['edge-list', true, 3, 'a b', 'b c'], 'the first line is an edge')
  t.same(await found('1 2 {}\n2 3 {}'), ['edge-list', true, 3, '1 2', '2 3'], 'a list from networkx is an edge list')
  t.same(
    (await read('edge-list', '(defun f (a b)\n  (list a b))\n')).faults.map(({ code }) => code),
    ['ends-unclear'],
    'a program is not an edge list'
  )
  t.same(
    await found('1 2 3\n2 3 1\n3 1 2'),
    ['edge-list', true, 3, '1 2 3', '2 3 1', '3 1 2'],
    'a triangle of edges is not a matrix'
  )
  t.same(
    await found('weight from to\n1 a b\n2 b c'),
    ['edge-list', true, 3, 'a b 1', 'b c 2'],
    'a header with known names is read'
  )
  t.same(await found('"from" "to" "weight"\n"1" "a" "b c" 5\n"2" "b c" "d" 6'), [
    'edge-list',
    true,
    3,
    'a b c 5',
    'b c d 6'
  ])
  t.same(await found('0 1 1\n1 0 0\n1 0 0\n'), ['edge-list', false, 3, '1 2', '1 3'], 'a matrix with spaces is read')
  t.same(await found('%%MatrixMarket matrix coordinate real symmetric\n% x\n4 4 2\n2 1 0.5\n3 2 1\n'), [
    'edge-list',
    false,
    4,
    '2 1 0.5',
    '3 2 1'
  ])
  t.match(await found('%%MatrixMarket matrix array real general\n1 1\n1'), [{ code: 'not-allowed' }])
  t.match(await found('%%MatrixMarket matrix coordinate real general\n1 2 1\n1 2 1'), [
    { code: 'not-allowed', line: 2 }
  ])
  const market = '%%MatrixMarket matrix coordinate real general\n'
  t.match(
    await found(`${market}3 3 4\n1 2 5`),
    [{ code: 'incomplete', line: 2, detail: /1 of its 4/ }],
    'a truncated file'
  )
  t.match(await found(`${market}3 3 1\n1 2 5\n2 3 5`), [{ code: 'malformed', line: 2 }], 'a file with too many entries')
  t.match(
    await found(`${market}3 3 2\n1 2 5\n2 3`),
    [{ code: 'not-allowed', line: 4 }],
    'a file truncated within a row'
  )
  t.match(await found(`${market}3 3\n1 2 5`), [{ code: 'malformed', line: 2 }], 'a file without the number of entries')
  t.same(await found('%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2'), ['edge-list', true, 2, '1 2'])
  t.match(await found('% bip unweighted\n1 1\n2 1'), [{ code: 'not-allowed', detail: /KONECT/ }])
  t.match(await found('1 2\n2 3\n#\n1 2\n', 'edge-list'), [{ code: 'other-format', line: 3 }])
  t.same(await found('1,2\n2,3', 'edge-list'), ['edge-list', true, 3, '1 2', '2 3'], 'an .edges file may use commas')
  t.match(
    await found('1 work 2 work\n2 home 3 home', 'edge-list'),
    [{ code: 'ends-unclear', line: 1 }],
    'nodes in layers'
  )
  t.match(await found('1 2\n2', 'edge-list'), [{ code: 'required', line: 2 }])
})

const HEADER = '#write.py\n# GMT Mon Nov 23 08:41:13 2026\n# \n'

t.test('the text formats of networkx are read', async (t) => {
  t.same(await found("a hub {}\nb hub {'weight': 1.5, 'v': 2}"), ['edge-list', true, 3, 'a hub', 'b hub 1.5'])
  t.same(await found("1\t2\t{'weight': 3}"), ['edge-list', true, 2, '1 2 3'])
  t.same(await found("1,2,{'weight': 3}\n2,3,{}"), ['edge-list', true, 3, '1 2 3', '2 3'])
  t.same(await found(`${HEADER}0 1 2\n1 2\n2\n3\n`), ['edge-list', true, 4, '0 1', '0 2', '1 2'])
  t.same(await found(`${HEADER}0 1\n1 {'weight': 3}\n1 1\n2 {}\n2 0\n`), ['edge-list', true, 3, '0 1 3', '1 2'])
  const { content, losses } = await read(
    undefined,
    `a b {'t': "it's", 'u': '\\u00e9\\n', 'n': None, 'ok': True, 'l': [1, (2, -3.5)], 'd': {'k': ''}, 'w': np.float64(2.5), 'i': 12345678901234567890, 'f': nan, '__proto__': 1}`
  )
  t.same(
    JSON.stringify(content?.edges),
    JSON.stringify([
      {
        source: 'a',
        target: 'b',
        metadata: JSON.parse(
          '{"t":"it\'s","u":"é\\n","ok":true,"l":[1,[2,-3.5]],"d":{"k":""},"w":2.5,"i":"12345678901234567890","f":"nan","__proto__":1}'
        )
      }
    ])
  )
  t.same(losses, { 'null-dropped': 1, 'number-as-text': 2 })
  const faults = async (text: string) => {
    return (await read('edge-list', text)).faults.map(({ code, line }) => [code, line])
  }
  t.same(await faults("a b {'w': 1}\na b {'w': }"), [['malformed', 2]])
  t.same(await faults("a b {'w': 1}\na b {'w': f(1)}"), [['malformed', 2]])
  t.same(await faults(`a b {'w': ${'['.repeat(1000)}1}`), [['malformed', 1]], 'deeply nested lists')
  t.same(await faults("a b {'w': 1}\na b c {'w': 2}"), [['malformed', 2]])
  t.same(await faults('0 2\n1 {}\n'), [['incomplete', 3]])
  t.same(await faults('0 1\n1 {}\nb c'), [['malformed', 3]])
})

t.test('prose and other text is not read as a list', async (t) => {
  for (const text of [
    'what is this',
    'hello world\ngood morning',
    'The quick brown fox\njumps over the\nlazy dog',
    '[scripts]\na = b:c\nd = e:f',
    'p edge 3 2\ne 1 2\ne 2 3',
    '1 2 3\n2 3\n1',
    'x'
  ]) {
    t.same(
      formats.filter((format) => format.recognises(text)).map(({ name }) => name),
      [],
      text
    )
  }
  t.equal(formatNamed('sif')?.write, undefined)
})
