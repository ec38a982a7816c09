import t from 'tap'
import type { ImportReport, ImportTable } from '../../ui/src/api.ts'
import { nameOfGroup } from '../../ui/src/graphs/group-names.ts'
import type { Item, Table, TableGroup } from '../../ui/src/graphs/items.ts'
import { columnsOf, groupWithout, pairOf, partnersOf, shownOf } from '../../ui/src/graphs/table-groups.ts'
import { rolesIn, sampleOf } from '../../ui/src/graphs/table-sample.ts'

// Combining tables in the import dialog, without the dialog.

const report = { format: 'csv' } as ImportReport

function item(key: number, name: string, table?: Partial<ImportTable>): Item {
  const read = table && { table: { columns: [], basis: 'names' as const, kind: 'edges' as const, ...table } }
  return { key, file: new File([], name), name, report, ...read }
}

const nodes = item(1, 'nodes.csv', { kind: 'nodes', idColumn: 'id' })
const edges = item(2, 'edges.csv', { sourceColumn: 'from', targetColumn: 'to' })
const unclear = item(3, 'unclear.csv', {})
const more = item(4, 'more.csv', { sourceColumn: 'from', targetColumn: 'to' })
const guessed = item(5, 'guessed.csv', { sourceColumn: 'a', targetColumn: 'b', basis: 'content' })
const pair = { ...item(6, 'both'), parts: { nodes: [nodes], edges: [edges] } } as Item

/** Returns the keys of items, or of the tables in a group. */
const keysOf = (items: Item[]) => items.map(({ key }) => key)
const keysIn = ({ nodes, edges }: TableGroup) => keysOf([...nodes, ...edges])
const pairIn = (items: Item[]) => {
  const group = pairOf(items)
  return group && keysIn(group)
}

t.test('one node table and one edge table are combined without being asked', async (t) => {
  t.same(pairIn([edges, nodes]), [1, 2])
  t.same(pairIn([edges, nodes, unclear]), [1, 2])
  t.equal(pairIn([{ ...edges, file: new File([], 'ties-of.csv') }, nodes, more]), undefined, 'two edge tables')
  t.equal(pairIn([edges, nodes, { ...unclear, report: undefined }]), undefined, 'a file is still being inspected')
  t.equal(pairIn([{ ...edges, isApart: true }, nodes]), undefined, 'the user separated them')
  t.equal(pairIn([edges, { ...nodes, file: new File([], 'nodes.csv.gz') }]), undefined)
})

t.test('two tables that remain beside a pair are combined only if they have an id in common', async (t) => {
  const people = { ...item(11, 'people.csv', nodes.table), ids: new Set(['1001', '1002']) }
  const friends = (ids: string[]) => ({ ...item(12, 'friends.csv', edges.table), ids: new Set(ids) })
  t.equal(pairIn([pair, people, friends(['Ada', 'Bob'])]), undefined)
  t.same(pairIn([pair, people, friends(['Ada', 'Bob', '1001'])]), [11, 12])
  t.same(pairIn([people, friends(['Ada', 'Bob'])]), [11, 12], 'the only two tables')
})

t.test('several tables are combined by the names of their files', async (t) => {
  const [aNodes, bNodes] = [item(11, 'a-nodes.csv', nodes.table), item(12, 'B_vertices.csv', nodes.table)]
  const [aEdges, bEdges] = [item(13, 'a edges.csv', edges.table), item(14, 'b-edge-list.csv', edges.table)]
  t.same(pairIn([aEdges, aNodes, more]), [11, 13])
  t.same(pairIn([aNodes, aEdges, bNodes, bEdges]), [11, 13])
  t.same(pairIn([bEdges, aEdges, bNodes]), [12, 14])
  t.equal(pairIn([aNodes, { ...aNodes, key: 15 }, aEdges]), undefined, 'two node tables with the same name')
})

t.test('several tables are combined by ids if their names do not match', async (t) => {
  const people = { ...item(11, 'people.csv', nodes.table), ids: new Set(['a', 'b', 'c', 'd']) }
  const friends = { ...item(12, 'friends.csv', edges.table), ids: new Set(['a', 'b', 'x']) }
  const trades = { ...more, ids: new Set(['x', 'y', 'a', 'b']) }
  t.same(pairIn([people, trades, friends]), [11, 12])
  t.equal(pairIn([people, { ...trades, ids: people.ids }, friends]), undefined, 'both edge tables match')
  t.equal(pairIn([people, more, edges]), undefined, 'the ids are not known')
})

t.test(
  'a table with a proposed id column is combined with edges that have the same ids or a matching name',
  async (t) => {
    const proposed = { ...item(11, 'people.csv', { idColumn: 'person_id' }), ids: new Set(['a', 'b']) }
    t.same(pairIn([proposed, { ...edges, ids: new Set(['a', 'b', 'c']) }]), [11, 2])
    t.same(pairIn([proposed, { ...edges, file: new File([], 'people-ties.csv') }]), [11, 2])
    t.equal(pairIn([proposed, { ...edges, ids: new Set(['x', 'y', 'a']) }]), undefined)
    t.same(columnsOf({ nodes: [proposed], edges: [edges] } as TableGroup), { idColumn: 'person_id' })
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

t.test('further tables leave a pair alone, and can form another', async (t) => {
  const nodes2 = { ...nodes, key: 7, ids: new Set(['a']) }
  const more2 = { ...more, ids: new Set(['a', 'b', 'c']) }
  t.equal(pairIn([nodes, edges, pair, more2]), undefined)
  t.same(pairIn([nodes, edges, pair, more2, nodes2]), [7, 4])
  t.same(keysOf(shownOf([nodes, more, edges, pair])), [4, 6])
})

t.test('a table can be combined with a table of the other kind, or join a group', async (t) => {
  const all = [nodes, edges, unclear, more, guessed, item(8, 'matrix.csv', { kind: 'matrix' }), item(9, 'graph.gml')]
  const partners = (items: Item[], one: Item) =>
    partnersOf(items, one).map(({ partner, group }) => [partner.key, keysIn(group)])
  t.same(partners(all, edges), [
    [1, [1, 2]],
    [5, [5, 2]]
  ])
  t.same(partners(all, nodes), [
    [2, [1, 2]],
    [4, [1, 4]],
    [5, [1, 5]]
  ])
  t.same(partners([...all, pair], more), [
    [6, [1, 2, 4]],
    [5, [5, 4]]
  ])
  const people = item(10, 'people.csv', { kind: 'nodes', idColumn: 'id' })
  t.same(partners([nodes, edges, pair, people], people), [[6, [1, 10, 2]]])
  t.same(partners([...all, pair], pair), [])
})

t.test('a table joins a group only if the same columns can be chosen for it', async (t) => {
  const group = (parts: Partial<Record<keyof TableGroup, Item[]>>) =>
    ({ ...pair, parts: { ...pair.parts, ...parts } }) as Item
  const joined = (one: Item, parts: Parameters<typeof group>[0]) =>
    partnersOf([...Object.values(parts).flat(), nodes, group(parts), one], one).map(({ group }) => [
      keysIn(group),
      columnsOf(group)
    ])
  const alike = { ...guessed, key: 11 }
  const other = item(12, 'other.csv', { sourceColumn: 'x', targetColumn: 'y', basis: 'choice' })
  t.same(joined(alike, { edges: [guessed] }), [[[1, 5, 11], { sourceColumn: 'a', targetColumn: 'b' }]])
  t.same(joined(other, { edges: [guessed] }), [], 'its source column has another name')
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
    return found && { ids: [...found.ids], rows: found.sample.rows.length, roles: rolesIn(found.sample, read) }
  }
  const rows = Array.from({ length: 9 }, (_, index) => `n${index},m${index},tie,1\n`).join('')
  const ends = { sourceColumn: 'to', targetColumn: 'from' }
  t.match(await start(`from,to,relation,weight\n${rows}`, ends), {
    rows: 4,
    roles: ['target', 'source', 'relation', 'attribute']
  })
  t.same(await start('id,label,from\n1,Ann,se\n', { kind: 'nodes', idColumn: 'id' }), {
    ids: ['1'],
    rows: 1,
    roles: ['id', 'label', 'attribute']
  })
  const untitled = { columns: ['column 1', 'column 2'], sourceColumn: 'column 1', targetColumn: 'column 2' }
  t.same(await start('a,b\nb,c\n', untitled), { ids: ['a', 'b', 'c'], rows: 2, roles: ['source', 'target'] })
  t.equal(await start('# a comment\nid\n1\n', { columns: ['id', 'x'] }), undefined, 'the columns differ')
})
