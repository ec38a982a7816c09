import t from 'tap'
import type { ImportReport, ImportTable } from '../../ui/src/api.ts'
import type { Item, TablePair } from '../../ui/src/graphs/items.ts'
import { nameOfPair } from '../../ui/src/graphs/pair-names.ts'
import { columnsOf, nodeTablesFor, pairOf, shownOf } from '../../ui/src/graphs/table-pair.ts'

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
const pair = { ...item(6, 'both'), parts: { nodes, edges } } as Item

/** Returns the keys of items, or of the tables in a pair. */
const keysOf = (items: Item[]) => items.map(({ key }) => key)
const pairIn = (items: Item[]) => {
  const { nodes, edges } = pairOf(items) ?? {}
  return nodes && edges && [nodes.key, edges.key]
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
    t.same(columnsOf({ nodes: proposed, edges } as TablePair), { idColumn: 'person_id' })
  }
)

t.test('a pair is named after the common part of the file names, or after the node file', async (t) => {
  const named = (nodesName: string, edgesName: string) =>
    nameOfPair({ nodes: item(1, nodesName, nodes.table), edges: item(2, edgesName, edges.table) } as TablePair)
  t.equal(named('trade-nodes.csv', 'trade-edges.csv'), 'trade')
  t.equal(named('thirds-nodes.csv', 'ties.csv'), 'thirds')
  t.equal(named('a-nodes.csv', 'a-edges.csv'), 'a')
  t.equal(named('map-cities.csv', 'rails.csv'), 'map-cities')
  t.equal(named('nodes.csv', 'friends.csv'), 'friends')
})

t.test('further tables leave a pair alone, and can form another', async (t) => {
  const nodes2 = { ...nodes, key: 7, ids: new Set(['a']) }
  const more2 = { ...more, ids: new Set(['a', 'b', 'c']) }
  t.equal(pairIn([nodes, edges, pair, more2]), undefined)
  t.same(pairIn([nodes, edges, pair, more2, nodes2]), [7, 4])
  t.same(keysOf(shownOf([nodes, more, edges, pair])), [4, 6])
})

t.test('an edge table can be combined with any table that can list nodes and is in no other pair', async (t) => {
  const all = [nodes, edges, unclear, more, guessed, item(8, 'matrix.csv', { kind: 'matrix' }), item(9, 'graph.gml')]
  t.same(keysOf(nodeTablesFor(all, edges)), [1, 5])
  t.same(keysOf(nodeTablesFor([...all, pair], more)), [5], 'the node table is taken')
  t.same(keysOf(nodeTablesFor([...all, pair], pair)), [1, 5], 'the pair can keep its node table')
  t.same(keysOf(nodeTablesFor(all, nodes)), [])
})
