import t from 'tap'
import type { ImportReport, ImportTable } from '../../ui/src/api.ts'
import { nameOfGroup } from '../../ui/src/graphs/group-names.ts'
import type { Item, Table, TableGroup } from '../../ui/src/graphs/items.ts'
import { archiveOf, columnsOf } from '../../ui/src/graphs/table-archive.ts'
import { groupOf, groupWithColumns, groupWithout, partnersOf, shownOf } from '../../ui/src/graphs/table-groups.ts'
import { matchOf } from '../../ui/src/graphs/table-matches.ts'
import { rolesIn, sampleOf } from '../../ui/src/graphs/table-sample.ts'
import { read } from '../support/formats.ts'

// Combining tables in the import dialog, without the dialog.

const report = { format: 'csv' } as ImportReport

function item(key: number, name: string, table?: Partial<ImportTable>): Item {
  const read = table && { table: { columns: [], basis: 'names' as const, kind: 'edges' as const, ...table } }
  return { key, file: new File([], name), name, report, ...read }
}

/** Returns an item in which each column has these values. */
const withValues = (one: Item, ...values: string[][]): Item => ({ ...one, values: values.map((each) => new Set(each)) })

const ends = { columns: ['from', 'to'], sourceColumn: 'from', targetColumn: 'to' }
const nodes = item(1, 'nodes.csv', { kind: 'nodes', columns: ['id'], idColumn: 'id' })
const edges = item(2, 'edges.csv', ends)
const unclear = item(3, 'unclear.csv', { columns: ['a', 'b', 'c'], basis: undefined })
const more = item(4, 'more.csv', ends)
const guessed = item(5, 'guessed.csv', { columns: ['a', 'b'], sourceColumn: 'a', targetColumn: 'b', basis: 'content' })
const pair = { ...item(6, 'both'), parts: { nodes: [nodes], edges: [edges] } } as Item

/** Returns the keys of items, or of the tables in a group. */
const keysOf = (items: Item[]) => items.map(({ key }) => key)
const keysIn = ({ nodes, edges }: TableGroup) => keysOf([...nodes, ...edges])
const matchIn = (items: Item[]) => {
  const match = matchOf(items)
  return match && keysIn(match.parts)
}

t.test('one node table and one edge table are combined without being asked', async (t) => {
  t.same(matchIn([edges, nodes]), [1, 2])
  t.same(matchIn([edges, nodes, unclear]), [1, 2])
  t.equal(matchIn([{ ...edges, file: new File([], 'ties-of.csv') }, nodes, more]), undefined, 'two edge tables')
  t.equal(matchIn([edges, nodes, { ...unclear, report: undefined }]), undefined, 'a file is still being inspected')
  t.equal(matchIn([{ ...edges, isApart: true }, nodes]), undefined, 'the user separated them')
  t.equal(matchIn([edges, { ...nodes, file: new File([], 'nodes.csv.gz') }]), undefined)
})

t.test('two tables that remain beside a pair are combined only if they have an id in common', async (t) => {
  const people = withValues(item(11, 'people.csv', nodes.table), ['1001', '1002'])
  const friends = (...ids: string[]) => withValues(item(12, 'friends.csv', edges.table), ids, ['Ada', 'Bob'])
  t.equal(matchIn([pair, people, friends()]), undefined)
  t.same(matchIn([pair, people, friends('1001')]), [11, 12])
  t.same(matchIn([people, friends()]), [11, 12], 'the only two tables')
})

t.test('several tables are combined by the names of their files', async (t) => {
  const [aNodes, bNodes] = [item(11, 'a-nodes.csv', nodes.table), item(12, 'B_vertices.csv', nodes.table)]
  const [aEdges, bEdges] = [item(13, 'a edges.csv', edges.table), item(14, 'b-edge-list.csv', edges.table)]
  t.same(matchIn([aEdges, aNodes, more]), [11, 13])
  t.same(matchIn([aNodes, aEdges, bNodes, bEdges]), [11, 13])
  t.same(matchIn([bEdges, aEdges, bNodes]), [12, 14])
  t.same(matchIn([aNodes, aEdges, { ...aEdges, key: 15 }]), [11, 13, 15], 'two edge tables with the same name')
  t.equal(matchIn([aNodes, { ...aNodes, key: 15 }, aEdges]), undefined, 'two node tables with the same name')
})

t.test('a node table is combined with all edge tables whose ends are its ids', async (t) => {
  const people = withValues(item(11, 'people.csv', nodes.table), ['a', 'b', 'c', 'd'])
  const friends = withValues(item(12, 'friends.csv', ends), ['a', 'b'], ['x'])
  const trades = withValues(more, ['x', 'y'], ['a', 'b'])
  t.same(matchIn([people, trades, friends]), [11, 12])
  t.same(matchIn([people, withValues(trades, ['a'], ['b', 'x']), friends]), [11, 4, 12])
  t.equal(matchIn([people, { ...people, key: 15 }, friends]), undefined, 'both node tables match')
  t.equal(matchIn([people, more, edges]), undefined, 'the ids are not known')

  const parts = { nodes: [people], edges: [friends] } as TableGroup
  const group = { ...pair, parts } as Item
  const later = withValues(item(16, 'later.csv', ends), ['c'], ['d'])
  t.same(matchIn([people, friends, group, later]), [11, 12, 16], 'a later table joins the group')
  t.equal(matchIn([people, friends, group, { ...later, isApart: true }]), undefined)
})

t.test('the columns whose values are all node ids are the ends of edges', async (t) => {
  const people = withValues(item(11, 'people.csv', nodes.table), ['1', '2', '3'])
  const edgesIn = (...values: string[][]) => edgesOf(withValues(unclear, ...values))
  const edgesOf = (table: Item) =>
    matchOf([people, table, withValues(edges, ['1'], ['2'])])?.parts.edges.map(({ table }) => [
      table.sourceColumn,
      table.targetColumn,
      table.basis
    ])
  const named = ['from', 'to', 'names']
  t.same(edgesIn(['x'], ['1', '2'], ['3']), [['b', 'c', 'content'], named])
  t.same(edgesIn(['1', '2'], ['3'], ['1']), [['a', 'b', 'content'], named], 'the third may be a rank')
  const weighted = item(3, 'unclear.csv', { columns: ['Weight', 'b', 'c'], basis: undefined })
  t.same(edgesOf(withValues(weighted, ['1'], ['1', '2'], ['3'])), [['b', 'c', 'content'], named])
  t.same(edgesIn(['1', '2'], ['3', '4'], ['x']), [named], 'one value is not an id')
})

t.test(
  'a table with a proposed id column is combined with edges that have the same ids or a matching name',
  async (t) => {
    const proposed = withValues(
      item(11, 'people.csv', { columns: ['person_id'], idColumn: 'person_id', basis: undefined }),
      ['a', 'b']
    )
    t.same(matchIn([proposed, withValues(edges, ['a', 'b'], ['c'])]), [11, 2])
    t.same(matchIn([proposed, { ...edges, file: new File([], 'people-ties.csv') }]), [11, 2])
    t.equal(matchIn([proposed, withValues(edges, ['x'], ['y', 'a'])]), undefined)
  }
)

t.test('a group is named after the common part of the file names, or after the node file', async (t) => {
  const named = (nodesName: string, ...edgesNames: string[]) =>
    nameOfGroup({
      nodes: [item(1, nodesName, nodes.table)],
      edges: edgesNames.map((name) => item(2, name, edges.table))
    } as TableGroup)
  t.equal(named('trade-nodes.csv', 'trade-edges.csv'), 'trade')
  t.equal(named('thirds-nodes.csv', 'ties.csv'), 'thirds')
  t.equal(named('a-nodes.csv', 'a-edges.csv'), 'a')
  t.equal(named('map-cities.csv', 'rails.csv'), 'map-cities')
  t.equal(named('nodes.csv', 'friends.csv'), 'friends')
  t.equal(named('map-cities.csv', 'map-roads.csv', 'map-rails.csv'), 'map')
})

t.test('tables of other nodes leave a pair alone, and can form another', async (t) => {
  const nodes2 = withValues({ ...nodes, key: 7 }, ['a'])
  const more2 = withValues(more, ['a', 'b'], ['c'])
  t.equal(matchIn([nodes, edges, pair, more2]), undefined)
  t.same(matchIn([nodes, edges, pair, more2, nodes2]), [7, 4])
  t.same(keysOf(shownOf([nodes, more, edges, pair])), [4, 6])
})

t.test('a table can be combined with a table of the other kind, or join a group', async (t) => {
  const all = [nodes, edges, unclear, more, guessed, item(8, 'matrix.csv', { kind: 'matrix' }), item(9, 'graph.gml')]
  const partners = (items: Item[], one: Item) =>
    partnersOf(items, one).map((partner) => [partner.key, keysIn(groupOf(one, partner) as TableGroup)])
  t.same(partners(all, edges), [
    [1, [1, 2]],
    [3, [3, 2]],
    [5, [5, 2]]
  ])
  t.same(partners(all, nodes), [
    [2, [1, 2]],
    [3, [1, 3]],
    [4, [1, 4]],
    [5, [1, 5]]
  ])
  t.same(partners([...all, pair], more), [
    [6, [1, 2, 4]],
    [3, [3, 4]],
    [5, [5, 4]]
  ])
  t.same(partners([...all, pair], unclear), [
    [6, [1, 2, 3]],
    [4, [3, 4]],
    [5, [5, 3]]
  ])
  const people = item(10, 'people.csv', { kind: 'nodes', columns: ['id'], idColumn: 'id' })
  t.same(partners([nodes, edges, pair, people], people), [[6, [1, 10, 2]]])
  t.same(partners([...all, pair], pair), [])
})

t.test('of two tables whose columns were guessed, the one whose ids are most ends lists the nodes', async (t) => {
  let compared = 0
  class Values extends Set<string> {
    override has(value: string) {
      compared += 1
      return super.has(value)
    }
  }
  const table = (key: number, ...values: string[][]): Item => ({
    ...guessed,
    key,
    values: values.map((each) => new Values(each))
  })
  const [people, friends] = [table(11, ['a', 'b', 'c'], ['x', 'y', 'z']), table(12, ['a', 'b'], ['b', 'c'])]
  compared = 0
  t.same(keysOf(partnersOf([people, friends], people)), [12])
  t.same(keysOf(partnersOf([people, friends], friends)), [11])
  t.equal(compared, 0, 'ids are compared only once the user combines the tables')
  t.same(keysIn(groupOf(people, friends) as TableGroup), [11, 12])
  t.same(keysIn(groupOf(friends, people) as TableGroup), [11, 12])
})

t.test('a group is imported with the columns that were chosen for each of its tables', async (t) => {
  const table = (name: string, content: string | Buffer<ArrayBuffer>, read: Partial<ImportTable>) =>
    ({ ...item(1, name, read), file: new File([content], name) }) as Table
  const people = table('people.csv', 'id,"the ""name"""\n1,Ann\n2,Bob\n', {
    kind: 'nodes',
    columns: ['id', 'the "name"'],
    idColumn: 'the "name"',
    basis: 'choice'
  })
  const others = table('others.csv', 'id\nEve\n', { kind: 'nodes', columns: ['id'], idColumn: 'id' })
  const chosen = (...columns: string[]) => ({ columns, sourceColumn: 'b', targetColumn: 'a', basis: 'choice' as const })
  const untitled = { ...chosen('column 1', 'column 2', 'column 3'), sourceColumn: 'column 2', targetColumn: 'column 1' }
  const repeated = { ...chosen('a', 'b', 'a'), targetColumn: 'column 3' }
  const edges = [
    table('named.csv', 'from;to;km\nAnn;Bob;7\n', { ...ends, columns: ['from', 'to', 'km'] }),
    table('quoted.csv', '# by hand\r\na;"w;x";b\r\nAnn;1;Eve\r\n', chosen('a', 'w;x', 'b')),
    table('wide.csv', Buffer.from('\ufeffa\tb\nAnn\tJosé\n', 'utf16le'), chosen('a', 'b')),
    table('old.csv', Buffer.from('a,b,größe\nAnn,Bob,1\n', 'latin1'), chosen('a', 'b', 'größe')),
    table('comment.csv', '# a,b\nAnn,Bob\n', chosen('a', 'b')),
    table('rows.csv', 'a,b\n1,Ann,Eve\n2,Bob,Eve\n', chosen('column 1', 'a', 'b')),
    table('repeated.csv', 'a,b,a\nx,Bob,Ann\n', repeated),
    {
      ...table('untitled.csv', 'Ann,Bob,2\n', untitled),
      values: [new Set<string>(), new Set<string>(), new Set(['2'])]
    }
  ]
  const group = { nodes: [people, others], edges }
  t.same(columnsOf(group), { idColumn: ':ID' })
  t.same(columnsOf({ nodes: [others], edges }), {})
  const archive = Buffer.from(await (await archiveOf(group, 'all')).arrayBuffer())
  const { content, faults } = await read(undefined, archive, columnsOf(group))
  t.same(faults, [])
  const [ann, bob] = [{ metadata: { id: 1 } }, { metadata: { id: 2 } }]
  t.same(content?.nodes, [{ id: 'Ann', ...ann }, { id: 'Bob', ...bob }, { id: 'Eve' }, { id: 'José' }])
  t.same(
    content?.edges.map(({ source, target, metadata }) => [source, target, metadata]),
    [
      ['Ann', 'Bob', { km: 7 }],
      ['Eve', 'Ann', { 'w;x': 1 }],
      ['José', 'Ann', undefined],
      ['Bob', 'Ann', { größe: 1 }],
      ['Bob', 'Ann', undefined],
      ['Eve', 'Ann', { 'column 1': 1 }],
      ['Eve', 'Bob', { 'column 1': 2 }],
      ['Bob', 'Ann', { a: 'x' }],
      ['Bob', 'Ann', { weight: 2 }]
    ]
  )
})

t.test('columns are changed in one table of a group', async (t) => {
  const group = groupWithColumns(pair.parts as TableGroup, edges as Table, { sourceColumn: 'to', targetColumn: 'from' })
  t.same(group.nodes, [nodes])
  t.same(group.edges, [
    { ...edges, table: { ...edges.table, sourceColumn: 'to', targetColumn: 'from', basis: 'choice' } }
  ])
})

t.test('a group remains until it has no nodes or no edges', async (t) => {
  const group = { nodes: [nodes], edges: [edges, more] } as TableGroup
  const rest = groupWithout(group, edges as Table) as TableGroup
  t.same(keysIn(rest), [1, 4])
  t.equal(groupWithout(rest, more as Table), undefined)
  t.equal(groupWithout(group, nodes as Table), undefined)
})

t.test('a preview shows the first rows, and the columns as the server has read them', async (t) => {
  const start = async (content: string, table: Partial<ImportTable>) => {
    const read = { kind: 'edges' as const, columns: content.split('\n', 1).join('').split(','), ...table }
    const found = await sampleOf(new File([content], 'a.csv'), read)
    return (
      found && {
        values: found.values.map((each) => [...each]),
        rows: found.sample.rows.length,
        roles: rolesIn(found.sample, read)
      }
    )
  }
  const rows = Array.from({ length: 9 }, (_, index) => `n${index},m${index},tie,1\n`).join('')
  const swapped = { sourceColumn: 'to', targetColumn: 'from' }
  t.match(await start(`from,to,relation,weight\n${rows}`, swapped), {
    rows: 4,
    roles: ['target', 'source', 'relation', 'attribute']
  })
  t.same(await start('id,label,from\n1,Ann,se\n', { kind: 'nodes', idColumn: 'id' }), {
    values: [['1'], ['Ann'], ['se']],
    rows: 1,
    roles: ['id', 'label', 'attribute']
  })
  t.match(await start('Name,id\nAnn,1\n', { kind: 'nodes', idColumn: 'id' }), { roles: ['label', 'id'] })
  t.match(await start('name,id\nAnn,1\n', { kind: 'nodes', idColumn: 'name' }), { roles: ['id', 'attribute'] })
  const untitled = { columns: ['column 1', 'column 2'], sourceColumn: 'column 1', targetColumn: 'column 2' }
  t.same(await start('a,b\nb,c\n', untitled), {
    values: [
      ['a', 'b'],
      ['b', 'c']
    ],
    rows: 2,
    roles: ['source', 'target']
  })
  t.equal(await start('# a comment\nid\n1\n', { columns: ['id', 'x'] }), undefined, 'the columns differ')
})
