import t from 'tap'
import { read, write } from './formats.ts'

t.test('the columns of Gephi are case-insensitive', async (t) => {
  const { content, losses } = await read(
    'csv',
    'Source,TARGET,type,Id,Label,weight,since,ok,zip\r\na,b,Undirected,e1,"say ""hi""",1.5,1999,true,007\r\nb,c,undirected,,,2,,false,1\r\n\r\n'
  )
  t.same(losses, {})
  t.same(content, {
    directed: false,
    nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }],
    edges: [
      {
        id: 'e1',
        source: 'a',
        target: 'b',
        label: 'say "hi"',
        metadata: { weight: 1.5, since: 1999, ok: true, zip: '007' }
      },
      { source: 'b', target: 'c', metadata: { weight: 2, ok: false, zip: '1' } }
    ]
  })
})

t.test('lines end in three ways, quotes hold anything, and delimiters are found', async (t) => {
  for (const text of [
    'Source,Target\ra,b\rc,d\r',
    'Source;Target\na;b\nc;d',
    '\ufeffsource\ttarget\r\na\tb\r\nc\td',
    'sep=|\r\nsource|target\r\na|b\r\nc|d'
  ]) {
    t.match(
      (await read('csv', text)).content,
      {
        edges: [
          { source: 'a', target: 'b' },
          { source: 'c', target: 'd' }
        ]
      },
      text
    )
  }
  const { content } = await read('csv', 'Source,Target,note\n"a,\r\nb",c,"x\ny"\n')
  t.match(content, { nodes: [{ id: 'a,\r\nb' }, { id: 'c' }], edges: [{ metadata: { note: 'x\ny' } }] })
  t.match((await read('csv', Buffer.from('\ufeffSource\tTarget\r\nä\tb\r\n', 'utf16le'))).content, {
    nodes: [{ id: 'ä' }, { id: 'b' }]
  })
  t.match((await read('tsv', 'Source\tTarget\na,b\tc')).content, { nodes: [{ id: 'a,b' }, { id: 'c' }] })
})

t.test('a table with ids alone is one of nodes', async (t) => {
  t.same((await read('csv', 'Id,Label,Kind\na,A,x\nb,,y\n')).content, {
    directed: true,
    nodes: [
      { id: 'a', label: 'A', metadata: { Kind: 'x' } },
      { id: 'b', metadata: { Kind: 'y' } }
    ],
    edges: []
  })
})

t.test('without known names the first two columns are the ends, which is reported', async (t) => {
  const ends = async (text: string) => {
    const { content, losses } = await read('csv', text)
    t.same(losses, { 'header-guessed': 1 })
    return content?.edges.map(({ source, target, metadata }) =>
      [source, target, ...Object.entries(metadata ?? {}).flat()].join(' ')
    )
  }
  t.same(await ends('from,to,years\na,b,3\nb,c,4'), ['a b years 3', 'b c years 4'])
  t.same(await ends('a,b\nb,c'), ['a b', 'b c'])
  t.same(await ends('1,2,0.5\n2,3,1'), ['1 2 weight 0.5', '2 3 weight 1'])
  t.same(await ends('\n# a list\r\n#\n1,2\n'), ['1 2'], 'after comments')
  t.same(await ends('# a list\n# from, to, years\na,b,3'), ['a b years 3'], 'with the header in a comment')
})

t.test('every fault has its line', async (t) => {
  const cases: [string, object][] = [
    ['Source,Target\na,b\n,c', { code: 'required', line: 3, detail: 'an edge has no source' }],
    ['Source,Target\na', { code: 'required', line: 2, detail: 'an edge has no target' }],
    ['Source,Target\na,b,c', { code: 'too-many-cells', line: 2 }],
    ['Source,Target\n"a,b', { code: 'malformed-csv', line: 2, column: 1 }],
    ['Source,Target\n"a"x,b', { code: 'malformed-csv', line: 2, column: 4 }],
    ['Source,Target,Type\na,b,sideways', { code: 'not-allowed', line: 2 }],
    ['Source,Target,n,n\na,b,1,2', { code: 'duplicate-column', line: 1 }],
    ['Id,Label\na,A\na,B', { code: 'duplicate-id', line: 3, element: 'node "a"' }],
    ['alone\nx', { code: 'required', line: 1 }],
    ['\n\n', { code: 'required' }]
  ]
  for (const [text, fault] of cases) t.match((await read('csv', text)).faults, [fault], text)
})

t.test('formulas are escaped in exports, and restored by imports', async (t) => {
  const ids = ['=1+1', '+a', '-b', '@c', '\td', "'=x", '-5', "it's", "'"]
  const edges = ids.map((id) => ({ source: id, target: 'z', label: `=${id}` }))
  const content = { directed: true, nodes: [...ids, 'z'].map((id) => ({ id })), edges }
  const { text, losses } = write('csv', content)
  for (const cell of text.split(/[,\r\n]+/)) t.notMatch(cell, /^"?[=+@\t]|^"?-[^\d]/, cell)
  t.equal(losses['formula-escaped'], 6 + 9)
  const back = await read('csv', text)
  t.same(back.content?.edges, edges)
  t.equal(back.losses['formula-unescaped'], 6 + 9)
})

t.test('a table of edges loses parts of a graph, and reports them', async (t) => {
  const { text, losses } = write('csv', {
    label: 'L',
    metadata: { a: 1 },
    nodes: [{ id: 'alone' }, { id: 'b', label: 'B', x: 1, metadata: { k: 1 } }, { id: 'a' }],
    edges: [
      { source: 'a', target: 'b', metadata: { n: 1, t: 'x', list: [1], e: '', zip: '007' } },
      { source: 'b', target: 'a', metadata: { n: '2', t: 5 } }
    ]
  })
  t.equal(text, 'Source,Target,Type,n,t,list,e,zip\r\na,b,Directed,1,x,[1],,007\r\nb,a,Directed,2,5,,,\r\n')
  t.same(losses, {
    'attributes-dropped': 1,
    'empty-text-dropped': 1,
    'graph-attributes-dropped': 2,
    'isolated-node-dropped': 1,
    'label-dropped': 1,
    'nested-metadata': 1,
    'node-order-changed': 1,
    'position-dropped': 1,
    'type-changed': 1,
    'type-widened': 1
  })
})
