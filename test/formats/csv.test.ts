import t from 'tap'
import { read, write } from '../support/formats.ts'

t.test("Gephi's column names are case-insensitive", async (t) => {
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

t.test('lines end in CR, LF or CRLF, quotes may contain anything, and the delimiter is detected', async (t) => {
  for (const text of [
    'Source,Target\ra,b\rc,d\r',
    'Source;Target\na;b\nc;d',
    '\ufeffsource\ttarget\r\na\tb\r\nc\td',
    'sep=|\r\nsource|target\r\na|b\r\nc|d'
  ]) {
    t.same((await edgesOf(text)).edges, ['a b', 'c d'], text)
  }
  const { content } = await read('csv', 'Source,Target,note\n"a,\r\nb",c,"x\ny"\n')
  t.match(content, { nodes: [{ id: 'a,\r\nb' }, { id: 'c' }], edges: [{ metadata: { note: 'x\ny' } }] })
  t.match((await read('csv', Buffer.from('\ufeffSource\tTarget\r\nä\tb\r\n', 'utf16le'))).content, {
    nodes: [{ id: 'ä' }, { id: 'b' }]
  })
  t.match((await read('tsv', 'Source\tTarget\na,b\tc')).content, { nodes: [{ id: 'a,b' }, { id: 'c' }] })
})

t.test('a table with only ids is a node table', async (t) => {
  t.same((await read('csv', 'Id,Label,Kind\na,A,x\nb,,y\n')).content, {
    directed: true,
    nodes: [
      { id: 'a', label: 'A', metadata: { Kind: 'x' } },
      { id: 'b', metadata: { Kind: 'y' } }
    ],
    edges: []
  })
})

const codesOf = (faults: readonly { code: string }[]) => faults.map(({ code }) => code)

/** Reads an edge table. Returns each edge as text, and how the ends were found. */
async function edgesOf(
  text: string,
  columns: { sourceColumn?: string; targetColumn?: string; idColumn?: string } = {}
) {
  const { content, losses, table, faults } = await read('csv', text, columns)
  const edges = content?.edges.map(({ source, target, relation, metadata }) =>
    [source, target, ...(relation === undefined ? [] : [relation]), ...Object.entries(metadata ?? {}).flat()].join(' ')
  )
  const { sourceColumn, targetColumn, basis } = table ?? {}
  return { edges, losses, ends: [sourceColumn, targetColumn, basis], table, faults }
}

t.test('the edge column names of common tools are recognised, in any order and case', async (t) => {
  const cases: [header: string, source: string, target: string][] = [
    ['weight,from,to', 'from', 'to'],
    ['To,weight,FROM', 'FROM', 'To'],
    ['~id,~from,~to', '~from', '~to'],
    ['dst;x;src', 'src', 'dst'],
    [':END_ID,:START_ID', ':START_ID', ':END_ID'],
    [':START_ID(Person),since:int,:END_ID(Person)', ':START_ID(Person)', ':END_ID(Person)'],
    ['id,source node,target node', 'source node', 'target node'],
    ['Target,Source', 'Source', 'Target'],
    ['object,predicate,subject', 'subject', 'object'],
    ['head,relation,tail', 'head', 'tail'],
    ['weight,tail,head', 'tail', 'head'],
    ['score,node2,node1', 'node1', 'node2'],
    [
      'Official Symbol Interactor A,Official Symbol Interactor B',
      'Official Symbol Interactor A',
      'Official Symbol Interactor B'
    ],
    ['source_name,target_name,source_id,target_id', 'source_id', 'target_id'],
    ['FromNodeId,ToNodeId', 'FromNodeId', 'ToNodeId'],
    ['src_ip,dst_ip,bytes', 'src_ip', 'dst_ip'],
    ['key,parent,child', 'parent', 'child'],
    ['i,j,x', 'i', 'j'],
    ['source,target,from,to', 'source', 'target']
  ]
  for (const [header, source, target] of cases) {
    const delimiter = header.includes(';') ? ';' : ','
    const names = header.split(delimiter)
    const row = (from: string, to: string) =>
      names.map((name) => (name === source ? from : name === target ? to : '7')).join(delimiter)
    const { edges, ends } = await edgesOf([header, row('a', 'b'), row('b', 'c')].join('\n'))
    t.same(ends, [source, target, 'names'], header)
    t.same(
      edges?.map((edge) => edge.slice(0, 3)),
      ['a b', 'b c'],
      header
    )
  }
})

t.test('tables from Neptune and Neo4j keep their relations, classes and types', async (t) => {
  t.same((await edgesOf('~id,~from,~to,~label,w:Double\ne1,a,b,knows,0.5')).edges, ['a b knows w 0.5'])
  t.same((await edgesOf(':START_ID,role,:END_ID,:TYPE\n1,Neo,2,ACTED_IN')).edges, ['1 2 ACTED_IN role Neo'])
  const within = await edgesOf(':START_ID(Person),:END_ID(Film)\n1,1\n2,1')
  t.same(within.edges, ['Person:1 Film:1', 'Person:2 Film:1'], 'ids from two id spaces are kept apart')
  t.same(within.losses, { 'id-replaced': 4 })
  t.same((await edgesOf(':START_ID(Person),:END_ID(Film)\n1,10\n2,10')).edges, ['1 10', '2 10'])
  t.same((await read('csv', 'personId:ID(Person),name,:LABEL\n1,Ann,A;B')).content?.nodes, [
    { id: '1', label: 'Ann', metadata: { labels: 'A;B' } }
  ])
  t.same((await read('csv', '~id,~label,age:Int\nv1,person,29')).content?.nodes, [
    { id: 'v1', metadata: { labels: 'person', age: 29 } }
  ])
})

t.test('without known names, the ends are the two columns that share values', async (t) => {
  const found = async (text: string) => {
    const { edges, ends, losses } = await edgesOf(text)
    t.same(losses, { 'header-guessed': 1 }, text)
    return [...(edges ?? []), ends.join(' ')]
  }
  t.same(await found('wer,wie,wen\na,mag,b\nb,mag,c\nc,kennt,a'), [
    'a b wie mag',
    'b c wie mag',
    'c a wie kennt',
    'wer wen content'
  ])
  t.same(await found('a,knows,b\nb,knows,c'), ['a b knows', 'b c knows', 'column 1 column 3 content'])
  t.same(await found('0.5,1,2\n0.7,2,3'), ['1 2 weight 0.5', '2 3 weight 0.7', 'column 2 column 3 content'])
  t.same(await found('a,b\nb,c'), ['a b', 'b c', 'column 1 column 2 content'])
  t.same(await found('1,2,0.5\n2,3,1'), ['1 2 weight 0.5', '2 3 weight 1', 'column 1 column 2 content'])
  t.same(await found('\n# a list\r\n#\n1,2\n'), ['1 2', 'column 1 column 2 order'], 'a list after comments is read')
  t.same(
    (await read('csv', 'Foo,Bar\nBaz,Quuk')).faults.map(({ code }) => code),
    ['ends-unclear'],
    'a single row'
  )
  t.same(await found('author,paper\nann,p1\nbob,p2\nbob,p1'), ['ann p1', 'bob p2', 'bob p1', 'author paper order'])
  t.same((await edgesOf('# a list\n# from, to, years\na,b,3')).edges, ['a b years 3'], 'a header in a comment is read')
})

t.test('a refused table proposes the only column that is named like an id and has unique values', async (t) => {
  const proposed = async (text: string) => (await edgesOf(text)).table?.idColumn
  t.equal(await proposed('name,person_id,age\nann,p1,34\nann,p2,34'), 'person_id')
  t.equal(await proposed('name,personID,age\nann,p1,34\nann,p2,34'), 'personID')
  t.equal(await proposed('name,person_id,age\nann,p1,34\nann,p1,35'), undefined, 'repeated')
  t.equal(await proposed('name,person_id,age\nann,,34\nbob,p1,35'), undefined, 'a missing value')
  t.equal(await proposed('name,paid,age\nann,p1,34\nbob,p2,35'), undefined, 'another word')
  t.equal(await proposed('person_id,house-id,age\np1,h1,34\np2,h2,35'), undefined, 'two such columns')
})

t.test(
  'if neither names nor values identify the ends, the table is refused, and the columns can be chosen',
  async (t) => {
    for (const text of [
      'name,age,city\nann,34,rome\nbob,27,oslo',
      'name,age\nann,34\nbob,27',
      'alpha2,alpha3\nDE,DEU\nFR,FRA',
      'a,b,c\n1,1,1\n2,2,2',
      'year,temp\n1880,-0.17\n1881,-0.09',
      'year,count\n1880,17\n1881,9',
      'code,name,city,state\n1,Rome,Rome,x\n2,Oslo,Oslo,x\n3,Bonn,Bonn,y',
      'long,lat,dir\n1,2,3\n2,3,9\n4,5,6\n7,8,1'
    ]) {
      const { faults, table } = await edgesOf(text)
      t.match(faults, [{ code: 'ends-unclear', line: 1, detail: /sourceColumn and targetColumn$/ }], text)
      t.same(table, { kind: 'edges', columns: text.split('\n')[0]?.split(',') }, 'the columns are listed')
    }
    t.match(
      (await edgesOf('name,age\nann,34')).faults[0]?.detail,
      /^starts a table with the columns "name", "age"\. It is unclear/
    )
    const text = 'name,age,city\nann,34,rome'
    const columns = ['name', 'age', 'city']
    const ends = { sourceColumn: 'name', targetColumn: 'city', basis: 'choice' }
    t.same(await edgesOf(text, { sourceColumn: 'NAME', targetColumn: 'city' }), {
      edges: ['ann rome age 34'],
      losses: {},
      ends: Object.values(ends),
      table: { kind: 'edges', columns, ...ends },
      faults: []
    })
    t.same((await edgesOf(text, { sourceColumn: '1', targetColumn: 'column 3' })).edges, ['ann rome age 34'])
    t.same((await edgesOf('source,target,via\na,b,c', { sourceColumn: 'via', targetColumn: 'source' })).edges, [
      'c a target b'
    ])
    t.match((await edgesOf(text, { sourceColumn: 'nom', targetColumn: 'city' })).faults, [
      {
        code: 'unknown-column',
        line: 1,
        detail: 'starts a table without a column "nom". The table has the columns "name", "age", "city"'
      }
    ])
    t.match((await edgesOf(text, { sourceColumn: 'name' })).faults, [{ code: 'required', line: 1 }])
    t.match((await edgesOf(text, { sourceColumn: 'name', targetColumn: 'name' })).faults, [{ code: 'not-allowed' }])
  }
)

t.test('names of nodes are their labels, if no column contains labels', async (t) => {
  const nodesOf = async (text: string) => (await read('csv', text)).content?.nodes
  t.same(await nodesOf('id,Name,born\n1,Ann,1950\n2,,1960'), [
    { id: '1', label: 'Ann', metadata: { born: 1950 } },
    { id: '2', metadata: { born: 1960 } }
  ])
  t.same(await nodesOf('id,name\n1,007'), [{ id: '1', label: '007' }])
  t.same(await nodesOf('id,name,Label\n1,Ann,A\n2,Bob,'), [
    { id: '1', label: 'A', metadata: { name: 'Ann' } },
    { id: '2', metadata: { name: 'Bob' } }
  ])
})

t.test('the column of node ids can be chosen', async (t) => {
  const text = 'name,from,to\nann,3,9\nbob,4,8'
  const { content, table, losses } = await read('csv', text, { idColumn: 'Name' })
  t.same(content?.nodes, [
    { id: 'ann', metadata: { from: 3, to: 9 } },
    { id: 'bob', metadata: { from: 4, to: 8 } }
  ])
  t.same(table, { kind: 'nodes', columns: ['name', 'from', 'to'], idColumn: 'name', basis: 'choice' })
  t.same(losses, {})
  t.same((await read('csv', text, { idColumn: '2' })).content?.nodes[0], { id: '3', label: 'ann', metadata: { to: 9 } })
  const named = { kind: 'nodes', columns: ['id', 'age'], idColumn: 'id', basis: 'names' }
  t.same((await read('csv', 'id,age\na,3')).table, named)
  t.match((await read('csv', text, { idColumn: 'nom' })).faults, [
    {
      code: 'unknown-column',
      line: 1,
      detail: 'starts a table without a column "nom". The table has the columns "name", "from", "to"'
    }
  ])
  const both = { idColumn: 'name', sourceColumn: 'from', targetColumn: 'to' }
  t.match((await read('csv', text, both)).faults, [
    { code: 'not-allowed', line: 1, detail: /^can contain nodes or edges, but not both/ }
  ])
})

t.test('URLs, names with dots and brackets, and Base64 are read as ends', async (t) => {
  const cases: [text: string, ...edges: string[]][] = [
    ['10.0.0.1,10.0.0.2\n10.0.1.1,10.0.1.2', '10.0.0.1 10.0.0.2', '10.0.1.1 10.0.1.2'],
    [
      'Company,Holding\nAcme Inc.,Foo & Sons Ltd.\nFoo & Sons Ltd.,Baz (UK) Inc.',
      'Acme Inc. Foo & Sons Ltd.',
      'Foo & Sons Ltd. Baz (UK) Inc.'
    ],
    ['person,friend\nMDQ6QQ==,MDQ6Qg==\nMDQ6Qg==,MDQ6RA==', 'MDQ6QQ== MDQ6Qg==', 'MDQ6Qg== MDQ6RA==']
  ]
  for (const [text, ...edges] of cases) t.same((await edgesOf(text)).edges, edges, text)
})

t.test('times, coordinates, measurements, ids and booleans are not mistaken for ends of edges', async (t) => {
  const cases: [text: string, ...edges: string[]][] = [
    ['node1,node2,start,end\na,b,2001,2003\nb,c,2002,2004', 'a b start 2001 end 2003', 'b c start 2002 end 2004'],
    ['start,end,tail,head\n1,2,a,b\n3,4,b,c', 'a b start 1 end 2', 'b c start 3 end 4'],
    ['head,relation,tail,start,end\na,x,b,1999,2001', 'a b x start 1999 end 2001'],
    ['from,to,node_a,node_b\n2001,2003,a,b', 'a b from 2001 to 2003'],
    ['from,to,from_name,to_name\n1,2,A,B\n2,1,B,A', '1 2 from_name A to_name B', '2 1 from_name B to_name A'],
    ['from,to,from_name,to_name\n2001,2003,A,B\n2003,2004,B,A', 'A B from 2001 to 2003', 'B A from 2003 to 2004'],
    ['start,end,w\na,b,1', 'a b w 1'],
    ['start,end\n1,2\n2,3', '1 2', '2 3'],
    ['from,to,w\n1,10,0.5\n2,11,1', '1 10 w 0.5', '2 11 w 1'],
    ['start,end,w\n1,2,1\n2,3,1\n3,1,1', '1 2 w 1', '2 3 w 1', '3 1 w 1'],
    ['id,from,to\n7,a,b', 'a b'],
    ['~id,~from,~to\n7,1,2', '1 2'],
    ['id,node1,node2,weight\n7,a,b,2', 'a b weight 2'],
    ['id,gene_a,gene_b\n7,a,b', 'a b'],
    ['u,v,id\na,b,7', 'a b'],
    ['node_x,node_y,w\n1,2,5\n2,3,6', '1 2 w 5', '2 3 w 6']
  ]
  for (const [text, ...edges] of cases) t.same((await edgesOf(text)).edges, edges, text)
  for (const text of [
    'employee,project,start,end\nann,x,2001,2003\nbob,y,2003,2004',
    'employee,project,from,to\nann,x,2001,2003\nbob,y,2003,2004',
    'text,start,end\na,0,10\nb,10,20\nc,20,30',
    'who,start,end\nann,2001-01-05,2001-02-01\nbob,2001-02-01,2001-03-01',
    'id,person,friend\n1,ann,bob\n2,bob,cid\n3,cid,ann',
    'ID,Source Node,Dest\n1,ann,bob\n2,bob,cid',
    'id,from,to\n1,101,205\n2,101,307',
    'place,node_x,node_y\nrome,1.5,2.5\noslo,2.5,3.5',
    '1,101,5\n2,101,3\n3,102,1\n4,103,2',
    'start,end\n10:00,10:05\n10:05,10:10',
    '2020-01-01,2020-01-02\n2020-01-02,2020-01-03',
    'from,to\n13.10,52.1\n13.11,52.2',
    'time,value\n1,2\n2,3',
    'user,active,admin\na,true,false\nb,false,true\nc,true,true\n'
  ]) {
    const { faults } = await edgesOf(text)
    t.same(codesOf(faults), ['ends-unclear'], text)
  }
  for (const [text, losses] of [
    ['id,label,from,to\n1,a,2001,2003\n2,b,2003,2004', {}],
    ['id,label,start,end\n1,a,0,5\n2,b,5,9', {}],
    ['id,label,from,to\n1,a,,\n2,b,,', {}],
    ['id,ok,done\n1,yes,no\n2,no,yes', {}],
    ['id,name,country,birth\n1,ann,no,se\n2,bob,se,fi', { 'header-guessed': 1 }]
  ] as const) {
    const { edges, losses: found, table } = await edgesOf(text)
    t.same([table?.kind, edges, found], ['nodes', [], losses], text)
  }
})

t.test('data rows are not headers, and columns keep their positions', async (t) => {
  const chosen = await edgesOf('2,1,5\n3,4,6', { sourceColumn: '1', targetColumn: '2' })
  t.same(chosen.edges, ['2 1 weight 5', '3 4 weight 6'])
  t.same((await edgesOf('who,2,1\na,b,c', { sourceColumn: 'who', targetColumn: '3' })).edges, ['a c 2 b'])
  const texts = await edgesOf('alice,knows,bob\ncarol,likes,dan', { sourceColumn: '1', targetColumn: '3' })
  t.same(texts.losses, { 'header-guessed': 1 }, 'a guess about the first row is reported')
  const trailing = await edgesOf('source,target,weight\n1,5,2,\n2,6,3,')
  t.same([trailing.edges, trailing.losses], [['1 5 weight 2', '2 6 weight 3'], { 'header-guessed': 1 }])
  t.same(
    (await edgesOf('source,target\n1,a,b\n2,b,c')).edges,
    ['a b column 1 1', 'b c column 1 2'],
    'a table from R has one header cell fewer'
  )
  t.same((await edgesOf('# Exported 2024, by Bob\nsource,target\na,b\nb,c')).edges, ['a b', 'b c'])
  t.same((await edgesOf('# source,target\nu,v\nv,w')).edges, ['u v', 'v w'])
})

t.test('in lists without a header, a third column of numbers is the weight, even with gaps', async (t) => {
  t.same((await edgesOf('a;b;0,5\nb;c;0,7\nc;a;0,9')).edges, ['a b weight 0.5', 'b c weight 0.7', 'c a weight 0.9'])
  t.same((await edgesOf('a,b,1\nb,c,NA\nc,a,2')).edges, ['a b weight 1', 'b c', 'c a weight 2'])
  const { content } = await read('edge-list', 'a b 0.5\nb c 1\nc d')
  t.match(content?.edges, [{ metadata: { weight: 0.5 } }, { metadata: { weight: 1 } }, { metadata: undefined }])
  t.notOk(content?.edges.some((edge) => 'relation' in edge))
  const konect = await read('edge-list', '% sym posweighted\n1 2 3 1200000000\n2 3 1 1200000001')
  t.same(konect.content?.edges[0]?.metadata, { weight: 3, 'column 4': 1200000000 }, "the weight precedes KONECT's time")
})

t.test('a Type column without directions holds relations', async (t) => {
  t.same((await edgesOf('Source,Target,Type\na,b,friend\nb,c,enemy')).edges, ['a b friend', 'b c enemy'])
  t.match((await edgesOf('Source,Target,Type\na,b,Directed\nb,c,sideways')).faults, [{ code: 'not-allowed', line: 3 }])
})

t.test('adjacency matrices are read as graphs', async (t) => {
  const matrix = async (text: string) => {
    const { content, table } = await read('csv', text)
    const edges = content?.edges.map(({ source, target, metadata }) => `${source} ${target} ${metadata?.weight ?? ''}`)
    return [table?.kind, content?.directed, content?.nodes.length, ...(edges ?? [])]
  }
  t.same(await matrix(',a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0'), ['matrix', false, 3, 'a b ', 'b c '])
  t.same(await matrix('name;a;b;c\nb;2,5;0;0\na;0;0;0\nc;0;0;1,5'), ['matrix', true, 3, 'b a 2.5', 'c c 1.5'])
  t.same(await matrix('x\ta\tb\tc\nb\t2\t0\t0\na\t0\t\tNA\nc\t0\t0\t1'), ['matrix', true, 3, 'b a 2', 'c c 1'])
  t.same(
    await matrix(',a,b,c\na,,1,2\nb,,,1\nc,,,'),
    ['matrix', false, 3, 'a b 1', 'a c 2', 'b c 1'],
    'only the upper triangle'
  )
  t.same(await matrix('0,1,1\n1,0,0\n1,0,0'), ['matrix', false, 3, '1 2 ', '1 3 '])
  t.same(await matrix('0,1,0,0\n0,0,1,0\n0,0,0,5\n1,0,0,0'), ['matrix', true, 4, '1 2 1', '2 3 1', '3 4 5', '4 1 1'])
  t.same(
    await matrix('1,2,3\n2,3,1\n3,1,2'),
    ['edges', true, 3, '1 2 3', '2 3 1', '3 1 2'],
    'a triangle of edges is not a matrix'
  )
  t.same(await matrix('0,1,2\n1,0,3\n2,3,0'), ['matrix', false, 3, '1 2 1', '1 3 2', '2 3 3'], 'a matrix without names')
  t.same(await matrix('0,a,b\na,0,1\nb,1,0'), ['matrix', false, 2, 'a b '], 'a matrix with a number in the corner')
  t.same(await matrix(',1,2\n1,0,1\n2,1,0'), ['matrix', false, 2, '1 2 '], 'a matrix with numbers as names')
  t.same(await matrix('1,2\n2,3'), ['edges', true, 3, '1 2 ', '2 3 '], 'two rows of two numbers are edges')
  t.same(
    (await matrix('"a","b","c"\n"a",0,1,0\n"b",1,0,0\n"c",0,0,0')).slice(0, 4),
    ['matrix', false, 3, 'a b '],
    'a table from R'
  )
})

t.test('matrix cells without a value, and decimal commas, are reported', async (t) => {
  const matrix = await read('csv', 'n;a;b\na;0;1,250\nb;NA;0')
  t.same(matrix.losses, { 'null-dropped': 1, 'decimal-comma': 1 })
  t.match(matrix.content?.edges, [{ source: 'a', target: 'b', metadata: { weight: 1.25 } }])
  const tabs = await read('tsv', 'n\ta\tb\na\t0\t1,5\nb\t2,250\t0')
  t.same(tabs.losses, { 'decimal-comma': 2 })
  for (const cells of ['0\t1,250\nb\t0\t0', '0\t1,5\nb\t2.5\t0']) {
    const { faults, content } = await read('tsv', `n\ta\tb\na\t${cells}`)
    t.match(faults, [{ code: 'not-allowed', line: 2, detail: /decimal comma/ }], cells)
    t.equal(content, undefined)
  }
  t.same((await read('tsv', 'n\ta\tb\na\tNA\tNA\nb\tNA\tNA')).losses, { 'null-dropped': 4 })
})

t.test('columns of numbers are read as numbers, and exceptions are reported', async (t) => {
  const weights = async (...cells: string[]) => {
    const { content, losses } = await read(
      'csv',
      ['from;to;w', ...cells.map((cell, index) => `a;b${index};${cell}`)].join('\n')
    )
    return [content?.edges.map(({ metadata }) => metadata?.w), losses]
  }
  t.same(await weights('1', 'NA', '2.5', 'NaN', 'null', '-', ''), [
    [1, undefined, 2.5, undefined, undefined, undefined, undefined],
    { 'null-dropped': 4 }
  ])
  t.same(await weights('1,5', '-2,25', '3'), [[1.5, -2.25, 3], { 'decimal-comma': 2 }])
  t.same(await weights('1.5', '2,5'), [['1.5', '2,5'], { 'number-as-text': 1 }])
  t.same(await weights('1', '2', 'many'), [['1', '2', 'many'], { 'type-widened': 2 }])
  t.same(await weights('NA', '-'), [['NA', '-'], {}], 'a column without numbers is text')
  t.same(await weights('007', '008', '9'), [['007', '008', '9'], {}], 'codes with leading zeros are text')
  const thousands = await read('csv', 'from,to,w\na,b,"1,250"\nb,c,"2,000"')
  t.same([thousands.content?.edges[0]?.metadata, thousands.losses], [{ w: '1,250' }, { 'number-as-text': 2 }])
  const halves = await read('csv', 'from,to,w\na,b,"0,250"\nb,c,"2,000"')
  t.same([halves.content?.edges[1]?.metadata, halves.losses], [{ w: 2 }, { 'decimal-comma': 2 }])
})

t.test('empty rows and spaces around cells are dropped and reported', async (t) => {
  const { edges, losses } = await edgesOf('Source, Target, w\n,,\na, b, 1\nb ,"c ", "x"\n , ,\n')
  t.same(edges, ['a b w 1', 'b c  w x'])
  t.same(losses, { 'empty-row-dropped': 2, 'spaces-dropped': 5 })
})

t.test('text that looks like a number survives in a column of numbers', async (t) => {
  const values = ['NA', "'NA", "''null", '1,5', "'1,5", '5', '-', "'-", 'nan']
  for (const others of [[], [1, 2.5], [null]]) {
    const edges = [...values, ...others].map((value) => ({ source: 'a', target: 'b', metadata: { value } }))
    const { text } = write('csv', { directed: true, nodes: [{ id: 'a' }, { id: 'b' }], edges })
    const { content } = await read('csv', text)
    t.same(content?.edges.slice(0, values.length), edges.slice(0, values.length))
  }
})

t.test('integers beyond 2^53 come back as numbers', async (t) => {
  const ends = { source: 'a', target: 'b' }
  const edges = [2 ** 60, -(2 ** 60), 5].map((n) => ({ ...ends, metadata: { n } }))
  const { text, losses } = write('csv', { directed: true, nodes: [{ id: 'a' }, { id: 'b' }], edges })
  t.same([(await read('csv', text)).content?.edges, losses], [edges, {}])
})

t.test('every fault has its line', async (t) => {
  const cases: [string, object][] = [
    ['Source,Target\na,b\n,c', { code: 'required', line: 3, detail: 'an edge has no source' }],
    ['Source,Target\na', { code: 'required', line: 2, detail: 'an edge has no target' }],
    ['Source,Target\na,b,c', { code: 'too-many-cells', line: 2 }],
    ['Source,Target\n"a,b', { code: 'malformed-csv', line: 2, column: 1 }],
    ['Source,Target\n"a"x,b', { code: 'malformed-csv', line: 2, column: 4 }],
    ['Source,Target,Type\na,b,Mutual\na,b,sideways', { code: 'not-allowed', line: 3 }],
    ['Source,Target,n,n\na,b,1,2', { code: 'duplicate-column', line: 1 }],
    ['Id,Label\na,A\na,B', { code: 'duplicate-id', line: 3, element: 'node "a"' }],
    ['alone\nx', { code: 'required', line: 1 }],
    ['\n\n', { code: 'required' }]
  ]
  for (const [text, fault] of cases) t.match((await read('csv', text)).faults, [fault], text)
})

t.test('formulas are escaped in exports and restored by imports', async (t) => {
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

t.test('a list with many numbers per line may hold coordinates, so its columns must be chosen', async (t) => {
  const corners = '90 150 140 150 140 100\n150 150 200 150 200 100\n210 150 260 150 260 100\n'
  const { faults } = await read('edge-list', corners)
  t.same(codesOf(faults), ['ends-unclear'])
  const chosen = await read('edge-list', corners, { sourceColumn: '1', targetColumn: '2' })
  t.same([chosen.faults, chosen.nodeCount, chosen.edgeCount], [[], 3, 3])
  const timed = await read('edge-list', '1 2 5 1082040961\n2 3 1 1082155839\n')
  t.same([timed.faults, timed.edgeCount], [[], 2], 'lists of ends, weight and time are read')
})

t.test('ambiguous lists are refused until the ends are chosen', async (t) => {
  const lists = {
    'a schedule': '0 1 * * * backup\n30 2 * * * clean\n',
    'contacts with a time before the ends': '20 1148 1644 Eight Nine\n40 1148 1644 Eight Nine\n',
    measurements: 'x y z\n1 2 3\n4 5 6\n',
    'measurements with values in common': 'x y z\n1 2 3\n2 5 6\n',
    'a small matrix': '0 1 0\n0 0 1\n1 0 0\n'
  }
  for (const [title, list] of Object.entries(lists)) {
    const { format, faults } = await read(undefined, list)
    t.same([format, codesOf(faults)], ['edge-list', ['ends-unclear']], title)
  }
  const matrix = await read('csv', '0,1,0\n0,0,1\n1,0,0\n')
  t.same(codesOf(matrix.faults), ['ends-unclear'])
})

t.test('a list with headings between edges is refused until the ends are chosen', async (t) => {
  const atlas = 'GRAPH 0\nNODES 0\nGRAPH 1\nNODES 2\n0 1\n'
  const { faults } = await read(undefined, atlas)
  t.same(faults, [
    {
      line: 1,
      column: 1,
      code: 'ends-unclear',
      detail:
        'has the word GRAPH before a number, so it looks like a header, not an edge. If it is an edge, choose sourceColumn and targetColumn'
    }
  ])
  const chosen = await read('edge-list', atlas, { sourceColumn: '1', targetColumn: '2' })
  t.same([chosen.faults, chosen.nodeCount, chosen.edgeCount], [[], 5, 5])
  const named = await read('edge-list', 'ann 1\nbob 2\n2 ann\n1 2\nann bob\n')
  t.same([named.faults, named.edgeCount], [[], 5], 'words that are ends of other edges are no headings')
})

t.test('the line below the header of a plain-text table is not an edge', async (t) => {
  for (const line of ['|--------|:------:|', '| - | - |', '--------+--------']) {
    const { faults, edgeCount } = await read(undefined, `| source | target |\n${line}\n| a | b |\n`)
    const detail = 'is a line of a Markdown table: save it as CSV'
    t.same([edgeCount, faults], [0, [{ line: 2, column: 1, code: 'other-format', detail }]])
  }
  const { faults, edgeCount } = await read(undefined, 'source|target\na-b|--c\n')
  t.same([faults, edgeCount], [[], 1])
})

t.test('lines of logs, programs and prose are not edges', async (t) => {
  const files = [
    '2024-01-02 10:00:00,123 INFO started\n2024-01-02 10:00:01,124 INFO done\n',
    'int a, b;\nint c, d;\n',
    'a { color: red; }\nb { color: blue; }\n',
    'Dear Sir, I write to you.\nBest regards, Bob\n',
    'limits = a, b\nusers = c, d\n',
    'numpy==1.2,<3\nscipy==1.1,!=2\n',
    '- buy milk, eggs\n- call Bob, Ann\n',
    '10.0.0.1 "GET /a, b HTTP/1.1" 200\n10.0.0.2 "GET /c, d HTTP/1.1" 200\n'
  ]
  for (const file of files) {
    const { format, faults } = await read(undefined, file)
    t.same([format, codesOf(faults)], ['csv', ['ends-unclear']], file)
  }
})

t.test('a column named id is an attribute if another id column is chosen', async (t) => {
  const { content, faults } = await read('csv', 'id,code\n1,x\n2,y\n', { idColumn: 'code' })
  t.same(faults, [])
  t.same(content?.nodes, [
    { id: 'x', metadata: { id: 1 } },
    { id: 'y', metadata: { id: 2 } }
  ])
})

t.test('an edge table loses parts of a graph and reports the losses', async (t) => {
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
