import t from 'tap'
import type { GraphContent } from '../../ui/src/api.ts'
import { columnTypeOf, decimalIn, valueOfCell } from '../../ui/src/paste/cell-types.ts'
import { doubleColumns, guessRoles, rowKindOf } from '../../ui/src/paste/column-roles.ts'
import { type PastedTable, readTable } from '../../ui/src/paste/pasted-table.ts'
import { planOf } from '../../ui/src/paste/plan.ts'
import { write } from '../support/formats.ts'

// Pasting tables during an edit, without the dialog.

/** Parses a valid table. */
function read(text: string): PastedTable {
  const table = readTable(text)
  if (typeof table === 'string') throw new Error(table)
  return table
}

/** Plans a table whose columns are detected by name. */
function plan(content: GraphContent, text: string) {
  const table = read(text)
  return planOf(content, table, guessRoles(table))
}

const content: GraphContent = {
  directed: true,
  nodes: [{ id: 'a', label: 'A', metadata: { size: 1, team: 'red' } }, { id: 'b' }, { id: '__proto__' }],
  edges: [
    { source: 'a', target: 'b', relation: 'knows', metadata: { weight: 1 } },
    { source: 'a', target: 'b', relation: 'likes' },
    { id: 'e3', source: 'b', target: '__proto__', directed: false }
  ]
}

t.test('tables copied from spreadsheets and CSV are accepted, and other text is rejected', async (t) => {
  t.same(read('id\tname\r\na\t"two\nlines, ""quoted"""\r\n\t\r\nb\t x \r\n'), {
    header: ['id', 'name'],
    hasTitles: true,
    rows: [
      { number: 2, cells: ['a', 'two\nlines, "quoted"'] },
      { number: 4, cells: ['b', 'x'] }
    ],
    delimiter: '\t'
  })
  t.equal(read('id;size\na;1,5\n').delimiter, ';')
  t.equal(read('source,target\na,b').delimiter, ',')
  t.equal(readTable('id\n'), 'empty')
  t.equal(readTable('id,name\na,"open\n'), 'quotes')
  t.equal(readTable(`id\n${'a\n'.repeat(20_001)}`), 'rows')
  t.equal(read(`id\n${'a\n'.repeat(20_000)}`).rows.length, 20_000)
  t.equal(readTable(`${'a\t'.repeat(200)}\nb\tc`), 'columns')
  t.equal(readTable('a'.repeat(2_000_001)), 'characters')
})

t.test('a first row without known titles is data, unless the user decides otherwise', async (t) => {
  const hasTitles = (text: string) => read(text).hasTitles
  for (const text of ['id\na', 'Name,Team\nx,y', 'From\tTo\na\tb', 'x,km\na,1.5\nb,NA', 'metadata.a,b\nx,y']) {
    t.equal(hasTitles(text), true, text)
  }
  for (const text of ['citing,cited\na,b', 'Caller\tCallee\na\tb', 'node1,node2\na,b'])
    t.equal(hasTitles(text), true, text)
  for (const text of [
    'Carol\nDan\nErin',
    'Carol,Dan,friend\nDan,Erin,child',
    'Carol,Dan\nDan,Erin',
    '1,2\n2,3',
    'Carol,1\nDan,2',
    'Carol'
  ]) {
    t.equal(hasTitles(text), false, text)
  }
  t.same(read('Carol,Dan\nDan,Erin,5'), {
    header: ['column 1', 'column 2', 'column 3'],
    hasTitles: false,
    rows: [
      { number: 1, cells: ['Carol', 'Dan'] },
      { number: 2, cells: ['Dan', 'Erin', '5'] }
    ],
    delimiter: ','
  })
  const titled = readTable('Carol\nDan', true)
  t.match(titled, { header: ['Carol'], hasTitles: true })
  t.match(readTable('id\na', false), { header: ['column 1'], hasTitles: false })
  t.equal(readTable('Carol', true), 'empty')
  t.equal(readTable(`a\n${'a,'.repeat(200)}`, false), 'columns')
})

t.test('a list without titles contains node ids or labels, and two columns contain edges', async (t) => {
  const list = plan(content, 'Carol\na\nA2\nCarol\n')
  t.same([list.nodes, list.byLabel, list.faults], [{ added: 2, changed: 0, same: 1 }, 0, [{ row: 4, code: 'twice' }]])
  t.same(list.content.nodes.slice(3), [{ id: 'Carol' }, { id: 'A2' }])
  const labels = plan(content, 'A\nB\n')
  t.same([labels.nodes, labels.byLabel], [{ added: 1, changed: 0, same: 1 }, 1])
  t.same(plan(content, 'id\nA\n').nodes, { added: 1, changed: 0, same: 0 }, 'below a title there are only ids')
  const pairs = plan(content, 'a,Carol,5\nCarol,b,6\n')
  t.same(
    [pairs.nodes, pairs.edges],
    [
      { added: 1, changed: 0, same: 0 },
      { added: 2, changed: 0, same: 0 }
    ]
  )
  t.same(pairs.content.edges.at(-1), { source: 'Carol', target: 'b', metadata: { 'column 3': 6 } })
})

t.test('endpoints have the same names as in imports of files', async (t) => {
  const rolesOf = (text: string) => guessRoles(read(text))
  t.same(rolesOf('citing,cited,year\na,b,1999'), ['source', 'target', 'attribute'])
  t.same(rolesOf('callee,caller\nb,a'), ['target', 'source'])
  t.same(rolesOf('from,to,source_id,target_id\na,b,c,d'), ['attribute', 'attribute', 'source', 'target'])
})

t.test('edges may name their ends by a label that no other node has, unless it is an id', async (t) => {
  const named: GraphContent = {
    directed: false,
    nodes: [
      { id: 'node 1', label: 'Alice' },
      { id: 'node 2', label: 'Bob' },
      { id: 'Eve', label: 'Twin' },
      { id: 'node 4', label: 'Twin' },
      { id: 'node 5', label: 'Eve' },
      { id: 'node 6', label: '__proto__' }
    ],
    edges: [{ source: 'node 1', target: 'node 2', relation: 'knows' }]
  }
  const { nodes, edges, byLabel, content } = plan(
    named,
    'source,target,relation\nBob,Alice,knows\nAlice,Carol,\nBob,Twin,\nEve,__proto__,\n'
  )
  t.same(
    { nodes, edges, byLabel },
    { nodes: { added: 2, changed: 0, same: 0 }, edges: { added: 3, changed: 0, same: 1 }, byLabel: 3 }
  )
  t.same(content.nodes.slice(6), [{ id: 'Carol' }, { id: 'Twin' }])
  t.same(content.edges.slice(1), [
    { source: 'node 1', target: 'Carol' },
    { source: 'node 2', target: 'Twin' },
    { source: 'Eve', target: 'node 6' }
  ])
})

t.test('cells get the same types as in a CSV import', async (t) => {
  const numbers = ['1.234,5', '-2', 'NA', '#¡VALOR!', '']
  t.equal(columnTypeOf(numbers, ';'), 'number')
  t.equal(decimalIn(numbers, ';'), ',')
  t.same(
    numbers.map((cell) => valueOfCell(cell, 'number', ',')),
    [1234.5, -2, undefined, undefined, undefined]
  )
  t.equal(decimalIn(['1,250', '3'], ','), undefined)
  t.equal(columnTypeOf(['1,250', '3'], ','), 'text')
  t.equal(columnTypeOf(['007', '3'], ','), 'text')
  t.equal(columnTypeOf(['', ''], ','), 'text')
  t.equal(columnTypeOf(['true', 'FALSE'], ','), 'boolean')
  t.equal(valueOfCell('True', 'boolean'), true)
  t.equal(valueOfCell("'=SUM(1)", 'text'), '=SUM(1)')
  t.equal(valueOfCell("it's", 'text'), "it's")
})

t.test('columns are detected by name; the user chooses missing or ambiguous ones', async (t) => {
  const rolesOf = (header: string, row = header) => guessRoles(read(`${header}\n${row}`))
  t.same(rolesOf('Id,Label,size,x,y'), ['id', 'label', 'attribute', 'x', 'y'])
  t.same(rolesOf('Source,Target,Type,Id,Label,weight', 'a,b,Directed,1,x,2'), [
    'source',
    'target',
    'direction',
    'id',
    'label',
    'attribute'
  ])
  t.same(rolesOf('from,to,type,x', 'a,b,road,1'), ['source', 'target', 'relation', 'attribute'])
  t.same(rolesOf('name,,id,ID'), ['attribute', 'none', 'id', 'attribute'])
  t.equal(rowKindOf(['id', 'attribute']), 'node')
  t.equal(rowKindOf(['id', 'source', 'target']), 'edge')
  for (const roles of [['label'], ['id', 'id'], ['source', 'id'], ['source', 'target', 'label', 'label']] as const) {
    t.equal(rowKindOf(roles), undefined, roles.join())
  }
})

t.test('rows change existing nodes or add new ones, and empty cells change nothing', async (t) => {
  const {
    content: after,
    nodes,
    edges,
    faults
  } = plan(
    content,
    'id\tlabel\tsize\tteam\tmetadata.label\nb\tB\t2\t\t\na\t\t1\tred\t\n__proto__\tP\t\tblue\tx\nnew\t\t\t\t\n'
  )
  t.same(
    { nodes, edges, faults },
    {
      nodes: { added: 1, changed: 2, same: 1 },
      edges: { added: 0, changed: 0, same: 0 },
      faults: []
    }
  )
  t.same(after, {
    ...content,
    nodes: [
      content.nodes[0],
      { id: 'b', label: 'B', metadata: { size: 2 } },
      { id: '__proto__', label: 'P', metadata: { team: 'blue', label: 'x' } },
      { id: 'new' }
    ]
  })
  t.equal(after.nodes[0], content.nodes[0], 'an unchanged element remains the same object')
  t.equal(after.edges, content.edges)
})

t.test(
  'rows identify edges by id, or by ends and relation; parallel edges match in order; missing ends are added',
  async (t) => {
    const named = plan(content, 'source,target,relation,weight\na,b,likes,5\na,b,knows,1\na,b,hates,2\nb,c,knows,3\n')
    t.same(
      [named.nodes, named.edges, named.faults],
      [{ added: 1, changed: 0, same: 0 }, { added: 2, changed: 1, same: 1 }, []]
    )
    t.same(named.content.edges, [
      content.edges[0],
      { source: 'a', target: 'b', relation: 'likes', metadata: { weight: 5 } },
      content.edges[2],
      { source: 'a', target: 'b', relation: 'hates', metadata: { weight: 2 } },
      { source: 'b', target: 'c', relation: 'knows', metadata: { weight: 3 } }
    ])
    t.same(named.content.nodes.at(-1), { id: 'c' })

    const turns = plan(content, 'source,target,weight\na,b,7\na,b,8\na,b,9\n__proto__,b,1\nb,a,1\n')
    t.same(
      turns.content.edges.map(({ metadata }) => metadata?.weight),
      [7, 8, 1, 9, 1],
      'undirected edges match either order of ends, directed ones only theirs'
    )
    t.same(turns.edges, { added: 2, changed: 3, same: 0 })

    const byId = plan(content, 'id,source,target,type\ne3,a,__proto__,Directed\nfresh,a,a,\n')
    t.same(byId.content.edges.slice(2), [
      { id: 'e3', source: 'a', target: '__proto__', directed: true },
      { id: 'fresh', source: 'a', target: 'a' }
    ])
  }
)

t.test('a row adds an edge if it is unclear which of several it means, or if the user decides so', async (t) => {
  const table = read('source,target,weight\na,b,7')
  const outcomeOf = (edges: GraphContent['edges'], addsEdges?: boolean) => {
    const { content: after, ...outcome } = planOf({ ...content, edges }, table, guessRoles(table), addsEdges)
    return [after.edges.map(({ metadata }) => metadata?.weight), outcome.byEnds, outcome.addsEdges]
  }
  const [first, second] = content.edges as [GraphContent['edges'][0], GraphContent['edges'][0]]
  t.strictSame(outcomeOf([first]), [[7], 1, false])
  t.strictSame(outcomeOf([first], true), [[1, 7], 1, true])
  t.strictSame(outcomeOf([first, second]), [[1, undefined, 7], 1, true])
  t.strictSame(outcomeOf([first, second], false), [[7, undefined], 1, false])
  t.strictSame(outcomeOf([]), [[7], 0, false])
})

t.test('rows match edges exactly in any order; without a relation column, any relation matches', async (t) => {
  const weightsOf = (edges: GraphContent['edges'], text: string) => {
    const { content: after, edges: counts } = plan({ ...content, edges }, text)
    return [after.edges.map(({ id, relation, metadata }) => [id, relation, metadata?.weight]), counts.added]
  }
  const parallel = [
    { source: 'a', target: 'b', relation: 'likes' },
    { source: 'a', target: 'b' }
  ]
  t.strictSame(
    weightsOf(parallel, 'source,target,relation,weight\na,b,,2\na,b,likes,1'),
    [
      [
        [undefined, 'likes', 1],
        [undefined, undefined, 2]
      ],
      0
    ],
    'an empty relation is treated as missing'
  )
  t.strictSame(weightsOf([{ source: 'a', target: 'b', relation: 'likes' }], 'source,target,relation,weight\na,b,,2'), [
    [
      [undefined, 'likes', undefined],
      [undefined, undefined, 2]
    ],
    1
  ])
  t.strictSame(weightsOf(parallel, 'source,target,weight\na,b,2\na,b,1'), [
    [
      [undefined, 'likes', 2],
      [undefined, undefined, 1]
    ],
    0
  ])
  const withId = [
    { id: 'e1', source: 'a', target: 'b' },
    { source: 'b', target: 'a', directed: false }
  ]
  t.strictSame(
    weightsOf(withId, 'id,source,target,weight\n,a,b,2\n,a,b,3\ne1,a,b,1'),
    [
      [
        ['e1', undefined, 1],
        [undefined, undefined, 2],
        [undefined, undefined, 3]
      ],
      1
    ],
    'an edge that a later row names by id is reserved for that row'
  )
  t.strictSame(
    weightsOf(withId.slice(1), 'source,target,weight\na,b,2\nb,a,3'),
    [
      [
        [undefined, undefined, 2],
        [undefined, undefined, 3]
      ],
      1
    ],
    'an undirected edge is matched only once'
  )
})

t.test('faults name their rows, counting the header as row 1', async (t) => {
  t.same(plan(content, `id,label,x\na,,\n,lost,\nb,,1\na,again,\nc,,,4\n${'i'.repeat(256)},,\nd,,far`).faults, [
    { row: 3, code: 'id' },
    { row: 6, code: 'cells' },
    { row: 7, code: 'length' },
    { row: 8, code: 'number' },
    { row: 5, code: 'twice' }
  ])
  t.same(plan(content, 'source,target,type\na,,\na,b,Directed\na,b,sideways').faults, [
    { row: 2, code: 'ends' },
    { row: 4, code: 'direction' }
  ])
})

t.test('a cell of the wrong type is a fault of its row and column', async (t) => {
  const { faults } = plan(content, 'id,Team,size,team\na,x,1,x\nb,x,big,x\n__proto__,x,007,x')
  t.same(faults, [
    { row: 3, code: 'type', column: 'size' },
    { row: 4, code: 'type', column: 'size' }
  ])
})

t.test('two columns for the same attribute are rejected until one is ignored', async (t) => {
  const table = read('source,target,Weight,weight,Team,team,__proto__\na,b,2,3,x,y,z')
  const roles = guessRoles(table)
  t.same(doubleColumns(table.header, roles), ['Weight', 'weight'])
  const { content: same, edges, faults } = planOf(content, table, roles)
  t.equal(same, content)
  t.same([edges, faults], [{ added: 0, changed: 0, same: 0 }, []])
  const left = roles.with(2, 'none')
  t.equal(doubleColumns(table.header, left), undefined)
  t.same(
    planOf(content, table, left, false).content.edges[0]?.metadata,
    JSON.parse('{"weight":3,"Team":"x","team":"y","__proto__":"z"}')
  )
})

t.test('attributes keep their type, and a cell of another type is a fault of its row', async (t) => {
  const typed = (metadata: Record<string, unknown>): GraphContent => ({
    ...content,
    nodes: [{ id: 'a', metadata }, { id: 'b', metadata }, { id: 'c' }]
  })
  const outcomeOf = (before: GraphContent, cells: string[], delimiter = '\t') => {
    const rows = cells.map((cell, index) => `${'abc'[index]}${delimiter}${cell}`)
    const { content: after, faults } = plan(before, `id${delimiter}v\n${rows.join('\n')}`)
    return [after.nodes.map(({ metadata }) => metadata?.v), faults.map(({ row, code }) => `${row} ${code}`)]
  }
  const text = typed({ v: '5551234' })
  t.strictSame(outcomeOf(text, ['5551234', '5551235', 'true']), [['5551234', '5551235', 'true'], []])
  t.equal(plan(text, 'id,v\na,5551234').content.nodes[0], text.nodes[0], 'the element remains the same object')
  t.strictSame(outcomeOf(typed({ v: 1 }), ['2', 'many', '007']), [
    [2, 1, undefined],
    ['3 type', '4 type']
  ])
  t.strictSame(outcomeOf(typed({ v: 1 }), ['NA', '', '1,5']), [[1, 1, 1.5], []])
  t.strictSame(outcomeOf(typed({ v: 1 }), ['2.5', '', '1,250']), [[2.5, 1, undefined], ['4 type']])
  t.strictSame(outcomeOf(typed({ v: true }), ['FALSE', '1', 'true']), [[false, true, true], ['3 type']])
  t.strictSame(outcomeOf(typed({ v: [1] }), ['[1,2]', '5', '{']), [
    [[1, 2], [1], undefined],
    ['3 type', '4 type']
  ])

  // If values have several types, the cells determine the type, but a cell that shows the current value changes nothing.
  const mixed: GraphContent = {
    ...content,
    nodes: [
      { id: 'a', metadata: { v: 1 } },
      { id: 'b', metadata: { v: 'x' } },
      { id: 'c', metadata: { v: null } }
    ]
  }
  t.strictSame(outcomeOf(mixed, ['1', 'x', 'null']), [[1, 'x', null], []])
  t.strictSame(outcomeOf(mixed, ['1', '2', '3']), [[1, 2, 3], []])
  t.strictSame(outcomeOf(mixed, ['2', 'y', 'null']), [['2', 'y', null], []])
})

t.test('pasting a CSV export changes nothing', async (t) => {
  const renamed = { Weight: 2, type: 'x', Source: 'y', 'metadata.x': 'z', '=sum': true, predicate: 'p', nodeId: 'n' }
  const exported: GraphContent = {
    ...content,
    edges: [
      ...content.edges,
      {
        source: 'b',
        target: 'a',
        label: '=B',
        metadata: { weight: 1, zip: '123', list: [1], ...JSON.parse('{"__proto__":"q"}') }
      },
      { source: 'b', target: 'b', relation: '-r', metadata: renamed }
    ]
  }
  for (const format of ['csv', 'tsv']) {
    for (const { directed, edges } of [exported, { ...exported, directed: false }, content]) {
      const before: GraphContent = { ...exported, directed, edges }
      const { content: after, ...outcome } = plan(before, write(format, before).text)
      t.strictSame(outcome, {
        nodes: { added: 0, changed: 0, same: 0 },
        edges: { added: 0, changed: 0, same: edges.length },
        byLabel: 0,
        byEnds: edges.filter(({ id }) => id === undefined).length,
        addsEdges: false,
        faults: []
      })
      t.strictSame(after, before)
      t.ok(
        after.edges.every((edge, index) => edge === edges[index]),
        'the elements remain the same objects'
      )
    }
  }
})

t.test('the time is linear in the size of the table, even if all edges are parallel', async (t) => {
  const size = 20_000
  const many: GraphContent = {
    directed: false,
    nodes: [{ id: 'a' }, { id: 'b' }],
    edges: Array.from({ length: size }, () => ({ source: 'a', target: 'b' }))
  }
  const table = read(`source,target,weight\n${'b,a,1\n'.repeat(size)}`)
  const start = performance.now()
  const { edges } = planOf(many, table, guessRoles(table))
  t.same(edges, { added: 0, changed: size, same: 0 })
  // A quadratic algorithm would take minutes.
  t.ok(performance.now() - start < 5000)
})

t.test('plans for the same content index its edges only once', async (t) => {
  let reads = 0
  const edges = content.edges.map(
    (edge) =>
      new Proxy(edge, {
        get: (edge, name) => {
          reads++
          return Reflect.get(edge, name)
        }
      })
  )
  const counted: GraphContent = { ...content, edges }
  for (const header of ['source,target,weight', 'source,target,relation']) plan(counted, `${header}\nc,d,1`)
  const before = reads
  t.ok(before > edges.length)
  for (const header of ['source,target,weight', 'source,target,relation']) plan(counted, `${header}\nd,c,2`)
  t.equal(reads, before)
})
