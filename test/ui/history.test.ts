import t from 'tap'
import { nameOfChange, namesIn, valuesOfChange } from '../../ui/src/history/change-names.ts'

// The names and values in the list of differences.

t.test('changed fields have the names that the app uses, and attributes have their own', async (t) => {
  for (const [pointer, name] of [
    ['#/label', 'Label'],
    ['#/metadata/label', 'label'],
    ['#/metadata/b%20c~1d~0', 'b c/d~'],
    ['#/metadata/a/b', 'a › b'],
    ['#/metadata', 'metadata'],
    ['#/content/directed', 'Directed'],
    ['#/content/metadata/source', 'source'],
    ['#/tags/0', 'Tags › 0'],
    ['#/__proto__', '__proto__']
  ] as const) {
    t.equal(nameOfChange(pointer), name)
  }
})

t.test('changed text has quotation marks only beside other values', async (t) => {
  t.same(valuesOfChange({ from: 'Acme', to: 'Acme Corp' }), { from: 'Acme', to: 'Acme Corp' })
  t.same(valuesOfChange({ to: 'Acme' }), { to: 'Acme' })
  t.same(valuesOfChange({ from: '1', to: 1 }), { from: '"1"', to: '1' })
  t.same(valuesOfChange({ from: '', to: 'a' }), { from: '""', to: '"a"' })
  t.same(valuesOfChange({ from: { a: [1] } }), { from: '{"a":[1]}' })
})

t.test('nodes and the ends of edges are named by label, including removed nodes', async (t) => {
  const content = {
    directed: false,
    nodes: [{ id: '1', label: 'Acme' }, { id: '__proto__', label: 'Proto' }, { id: '3' }],
    edges: []
  }
  const nameOf = namesIn(content, [{ id: '9', label: 'Gone' }])
  t.equal(nameOf({ id: '1' }), 'Acme (1)')
  t.equal(nameOf({ id: '3' }), '3')
  t.equal(nameOf({ id: '9', label: 'Gone' }), 'Gone (9)')
  t.equal(nameOf({ source: '1', target: '__proto__', relation: 'owns', id: 'e1' }), 'Acme – Proto · owns · e1')
  t.equal(nameOf({ source: '9', target: '3' }), 'Gone – 3')
  t.equal(namesIn(undefined, [])({ source: '1', target: '3' }), '1 – 3')
})
