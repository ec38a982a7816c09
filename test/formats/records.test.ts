import t from 'tap'
import { only } from '../support/engine.ts'
import { read } from '../support/formats.ts'

t.test('a list in place of an end is a fault of its record', async (t) => {
  const { faults } = await read(undefined, [
    { from: 'a', to: ['b', 'c'] },
    { from: 'a', to: 'b' }
  ])
  t.same(
    faults.map(({ code, pointer }) => [code, pointer]),
    [['wrong-type', '#/0']]
  )
})

t.test('the caller chooses the members with the ends', only('SQLite', 'readers use no database'), async (t) => {
  const file = [{ who: 'ann', whom: 'bob', Label: 'met' }]
  const { table, content } = await read('records', file, { sourceColumn: 'who', targetColumn: 'whom' })
  t.same(content?.edges, [{ source: 'ann', target: 'bob', label: 'met' }])
  t.same(table, {
    kind: 'edges',
    columns: ['who', 'whom', 'Label'],
    sourceColumn: 'who',
    targetColumn: 'whom',
    basis: 'choice'
  })
  const unknown = await read('records', file, { sourceColumn: 'who', targetColumn: 'where' })
  t.same(
    unknown.faults.map(({ code }) => code),
    ['unknown-column']
  )
  const half = await read('records', file, { sourceColumn: 'who' })
  t.same(
    half.faults.map(({ code }) => code),
    ['required']
  )
})

t.test('values that contradict the names of the ends are refused', async (t) => {
  const heights = Array.from({ length: 30 }, (_, index) => ({ parent: 60 + index / 7, child: 61 + index / 9 }))
  const { faults, table } = await read('records', heights)
  t.same(
    faults.map(({ code }) => code),
    ['ends-unclear']
  )
  t.same(table, { kind: 'edges', columns: ['parent', 'child'] })
})

t.test('faults in JSON Lines have their lines', async (t) => {
  const lines = '{"source":"a","target":"b"}\n{"source":"b"}\n\n{"weight":1}\n{"source":"c","target":"a"}\n'
  const { faults } = await read('records', lines)
  t.same(
    faults.map(({ line, code }) => [line, code]),
    [
      [4, 'required'],
      [2, 'required']
    ]
  )
  const cut = await read('records', '{"source":"a","target":"b"}\n{"source":"b",')
  t.same(
    cut.faults.map(({ line, code }) => [line, code]),
    [[2, 'malformed-json']]
  )
})

t.test('an object may contain the records', async (t) => {
  const { format, content, losses } = await read(undefined, {
    hasMore: false,
    result: [{ _id: 'e/1', _from: 'a/1', _to: 'a/2' }]
  })
  t.equal(format, 'records')
  t.same(content?.edges, [{ id: 'e/1', source: 'a/1', target: 'a/2' }])
  t.same(losses, { 'aspects-dropped': 1 })
  const { faults } = await read(undefined, { edges: [{ source: 'a', target: 'b' }, { source: 'a' }] })
  t.same(
    faults.map(({ pointer, code }) => [pointer, code]),
    [['#/edges/1', 'required']]
  )
})

t.test('an end may be an object with an id', async (t) => {
  const { faults } = await read('records', [1, { source: 'a', target: { id: 'b' }, type: 'knows', directed: false }])
  t.same(
    faults.map(({ line, code }) => [line, code]),
    [[1, 'wrong-type']]
  )
  const { content } = await read('records', [{ source: 'a', target: { id: 'b' }, type: 'knows', directed: false }])
  t.same(content?.edges, [{ source: 'a', target: 'b', directed: false, relation: 'knows' }])
})
