import fc from 'fast-check'
import t from 'tap'
import { contentChecker, contentOf, jsonNow } from '../../graph/content/content.ts'
import { patchContent } from '../../graph/diff/patch.ts'
import type { Edge, GraphContent, Node as GraphNode } from '../../ui/src/api.ts'
import { faultsOf, guessKind, kindsByName, metadataOf, rowsOf } from '../../ui/src/edit/attribute-rows.ts'
import { changesBetween, sizeOf, withChanges } from '../../ui/src/edit/changes.ts'
import { areDecided, type Decisions, decided, differencesOf, keptEdges } from '../../ui/src/edit/differences.ts'
import { beginEdit, edit, lastAddedEdge, redo, undo } from '../../ui/src/edit/edit-history.ts'
import {
  freshId,
  idForLabel,
  withEdge,
  withEdgeLike,
  withNode,
  withoutEdges,
  withoutNodes
} from '../../ui/src/edit/edits.ts'
import { merge } from '../../ui/src/edit/merge.ts'
import { patchOf } from '../../ui/src/edit/patch.ts'
import { areSameElements, isEditable, valueIn, withValues } from '../../ui/src/edit/values.ts'
import type { Side } from '../../ui/src/shared/side.ts'

// The web app's editing logic, without rendering any pages.

const check = contentChecker({ maxNodes: 1000, maxEdges: 1000, bodyLimit: 1024 * 1024 })

const start: GraphContent = {
  directed: false,
  nodes: [{ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: '__proto__' }],
  edges: [
    { source: 'a', target: 'b' },
    { id: 'e', source: 'a', target: 'b' },
    { source: 'b', target: 'c', relation: 'knows' },
    { source: 'c', target: 'a', directed: true },
    { source: '__proto__', target: 'a' }
  ]
}

/** A step of an edit, described by numbers so that it applies to any content. */
type Step = { what: 'node' | 'edge' | 'no node' | 'no edge' | 'new node' | 'new edge'; at: number; other: number }
const steps = (most: number) =>
  fc.array(
    fc.record<Step>({
      what: fc.constantFrom('node', 'edge', 'no node', 'no edge', 'new node', 'new edge'),
      at: fc.nat(9),
      other: fc.nat(9)
    }),
    { maxLength: most }
  )

function take(content: GraphContent, { what, at, other }: Step, label: string): GraphContent {
  const { nodes, edges } = content
  const [node, edge] = [at % (nodes.length || 1), at % (edges.length || 1)]
  const [one, another] = [nodes[node], nodes[other % (nodes.length || 1)]]
  if (what === 'new node') return withNode(content, { id: freshId(content, label), label })
  if (what === 'new edge' && one && another) return withEdge(content, { source: one.id, target: another.id, label })
  if (what === 'node' && one) return withNode(content, { ...one, label: `${label} ${other}` }, node)
  if (what === 'no node' && one) return withoutNodes(content, new Set([node]))
  const old = edges[edge]
  if (!old) return content
  if (what === 'edge') return withEdge(content, { ...old, relation: `${label} ${other}` }, edge)
  return what === 'no edge' ? withoutEdges(content, new Set([edge])) : content
}

const after = (steps: Step[], label: string) => steps.reduce((content, step) => take(content, step, label), start)

/** Returns the content with its elements sorted. */
const asSets = ({ nodes, edges, ...fields }: GraphContent) => ({
  ...fields,
  nodes: nodes.map((node) => JSON.stringify(sorted(node))).sort(),
  edges: edges.map((edge) => JSON.stringify(sorted(edge))).sort()
})
const sorted = (element: object) => Object.fromEntries(Object.entries(element).sort(([a], [b]) => (a < b ? -1 : 1)))

t.test('changes turn one state into the other, in the app and on the server', async (t) => {
  let whole = 0
  fc.assert(
    fc.property(steps(8), (steps) => {
      const edited = after(steps, 'x')
      const changes = changesBetween(start, edited)
      t.same(asSets(withChanges(start, changes)), asSets(edited))
      const known = new Set<object>([...start.nodes, ...start.edges])
      t.same(
        changes.putNodes,
        edited.nodes.filter((node) => !known.has(node)),
        'the changes contain only the differences'
      )
      t.same(
        changes.putEdges,
        edited.edges.filter((edge) => !known.has(edge))
      )
      const patch = patchOf(start, changes)
      if (!patch) {
        whole++
        return
      }
      const bytes = Buffer.from(JSON.stringify({ version: 1, ...patch }))
      const { stored } = patchContent(start, bytes, { version: 1, isNamed: undefined }, check, 1024 * 1024)
      t.same(asSets(contentOf(jsonNow(stored.body)) as GraphContent), asSets(edited))
    }),
    { numRuns: 300 }
  )
  t.ok(whole < 100, `${whole} of 300 edits required the whole content`)
})

t.test('only parallel edges without ids require sending the whole content', async (t) => {
  const parallel: GraphContent = { ...start, edges: [...start.edges, { source: 'b', target: 'a', label: 'again' }] }
  t.equal(patchOf(parallel, changesBetween(parallel, withoutEdges(parallel, new Set([0])))), undefined)
  t.same(patchOf(parallel, changesBetween(parallel, withoutEdges(parallel, new Set([1])))), {
    nodes: { put: [], remove: [] },
    edges: { put: [], remove: ['e'] }
  })
  const another = withEdge(start, { source: 'a', target: 'b', label: 'again' })
  t.equal(patchOf(start, changesBetween(start, another)), undefined)
  const changed = withEdge(start, { source: 'a', target: 'b', label: 'Ab' }, 0)
  t.same(patchOf(start, changesBetween(start, changed)), {
    nodes: { put: [], remove: [] },
    edges: { put: [{ source: 'a', target: 'b', label: 'Ab' }], remove: [] }
  })
})

t.test('merging keeps the changes made by both sides', async (t) => {
  const theirs = withNode(withEdge(start, { source: 'a', target: 'c' }), { id: 'b', label: 'Bea' }, 1)
  const yours = withoutEdges(withNode(start, { id: 'a', label: 'Ann' }, 0), new Set([2]))
  t.same(merge(start, theirs, yours), {
    content: {
      ...start,
      nodes: [{ id: 'a', label: 'Ann' }, { id: 'b', label: 'Bea' }, { id: 'c' }, { id: '__proto__' }],
      edges: [...start.edges.toSpliced(2, 1), { source: 'a', target: 'c' }]
    },
    conflicts: []
  })
  t.same(merge(start, start, yours), { content: yours, conflicts: [] })
  t.same(merge(start, theirs, start), { content: theirs, conflicts: [] })
  t.same(merge(start, yours, yours), { content: yours, conflicts: [] })
})

t.test('an element changed by both sides is a conflict', async (t) => {
  const theirs = withNode(start, { id: 'a', label: 'Anna' }, 0)
  const node = { id: 'a', label: 'Ann' }
  const yours = withNode(start, node, 0)
  const conflict = { key: 'node a', old: { id: 'a' }, theirs: { id: 'a', label: 'Anna' }, yours: node, edited: node }
  t.same(merge(start, theirs, yours), { content: theirs, conflicts: [conflict] })
  const choose = (side: Side) => merge(start, theirs, yours, new Map([[conflict.key, side]]))
  t.same(choose('theirs'), { content: theirs, conflicts: [] })
  t.same(choose('yours'), { content: yours, conflicts: [] })
})

t.test('values of an element that only one side changed are merged without a conflict', async (t) => {
  const before = { id: 'a', label: 'A', x: 1, metadata: { zip: '1', name: 'a', old: true } }
  const content: GraphContent = { ...start, nodes: [before, ...start.nodes.slice(1)] }
  const theirs = withNode(content, { id: 'a', label: 'A', x: 1, metadata: { zip: '2', name: 'a', new: [1] } }, 0)
  const yours = withNode(content, { id: 'a', label: 'Ann', metadata: { zip: '1', name: 'b', old: true } }, 0)
  const both = { id: 'a', label: 'Ann', metadata: { zip: '2', name: 'b', new: [1] } }
  t.same(merge(content, theirs, yours), { content: withNode(content, both, 0), conflicts: [] })

  const edge = { id: 'e', source: 'a', target: 'b', relation: 'r', metadata: { since: 1, until: 2 } }
  const edges: GraphContent = { ...start, edges: [edge] }
  const put = (metadata: object): GraphContent => ({ ...start, edges: [{ ...edge, metadata: { ...metadata } }] })
  t.same(merge(edges, put({ since: 0, until: 2 }), put({ since: 1, until: 3 })), {
    content: put({ since: 0, until: 3 }),
    conflicts: []
  })
})

t.test('a node that both sides moved goes to your place, and one that only they moved to theirs', async (t) => {
  const content = { directed: false, nodes: [{ id: 'a', x: 1, y: 1 }], edges: [] }
  const at = (x: number, y: number, label?: string) =>
    withNode(content, { id: 'a', x, y, ...(label !== undefined && { label }) }, 0)
  t.same(merge(content, at(2, 2), at(3, 3)), { content: at(3, 3), conflicts: [] })
  t.same(merge(content, at(2, 2), at(1, 1, 'Ann')), { content: at(2, 2, 'Ann'), conflicts: [] })
})

t.test('a conflict is decided value by value', async (t) => {
  const before = { id: 'a', label: 'A', metadata: { team: 'red', size: 1 } }
  const content: GraphContent = { ...start, nodes: [before, { id: 'b' }, { id: 'c' }, { id: '__proto__' }] }
  const theirs = withNode(content, { id: 'a', label: 'Anna', metadata: { team: 'blue', size: 1, new: [1] } }, 0)
  const yours = withNode(content, { id: 'a', label: 'Ann', x: 1, metadata: { team: 'green', size: 1 } }, 0)
  const { conflicts } = merge(content, theirs, yours)
  const [conflict] = conflicts
  if (!conflict) throw new Error('there is no conflict')
  t.same(differencesOf(conflict), [
    { key: 'label', name: 'label', old: 'A', theirs: 'Anna', yours: 'Ann' },
    { key: 'metadata.team', name: 'team', old: 'red', theirs: 'blue', yours: 'green' }
  ])
  const keys = ['label', 'metadata.team']
  const choose = (...sides: Side[]) =>
    new Map([['node a', new Map(sides.map((side, index) => [keys[index] as string, side]))]])
  t.equal(areDecided(conflicts, choose('yours')), false)
  const decide = (...sides: Side[]) => {
    const decisions = choose(...sides)
    t.equal(areDecided(conflicts, decisions), true)
    const made = decided(conflicts, decisions, yours)
    return merge(content, theirs, made.content, made.sides)
  }
  const merged = (label: string, team: string) => ({
    content: withNode(content, { id: 'a', label, metadata: { team, size: 1, new: [1] }, x: 1 }, 0),
    conflicts: []
  })
  t.same(decide('theirs', 'theirs'), merged('Anna', 'blue'))
  t.same(decide('yours', 'yours'), merged('Ann', 'green'))
  t.same(decide('yours', 'theirs'), merged('Ann', 'blue'))

  const removed = merge(content, withoutNodes(content, new Set([0])), yours).conflicts
  t.same(removed.map(differencesOf), [[{ key: '', name: '', old: before, theirs: undefined, yours: yours.nodes[0] }]])
  for (const side of ['theirs', 'yours'] as const) {
    const { sides } = decided(removed, new Map([['node a', new Map([['', side]])]]), yours)
    t.same([...sides], [['node a', side]])
  }
})

t.test('a node that one side removes and the other connects is a conflict', async (t) => {
  const without = withoutNodes(start, new Set([2]))
  const connected = withEdge(start, { source: 'b', target: 'c', relation: 'likes' })
  for (const [theirs, yours] of [
    [connected, without],
    [without, connected]
  ] as const) {
    const { conflicts } = merge(start, theirs, yours)
    t.same(
      conflicts.map(({ key }) => key),
      ['node c']
    )
    const choose = (side: Side) => merge(start, theirs, yours, new Map([['node c', side]])).content
    const [keeping, removing] = theirs === connected ? (['theirs', 'yours'] as const) : (['yours', 'theirs'] as const)
    t.same(asSets(choose(removing)), asSets(without))
    t.ok(choose(keeping).nodes.some(({ id }) => id === 'c'))
    t.ok(choose(keeping).edges.some(({ relation }) => relation === 'likes'))
  }
})

t.test('a removed node that is kept gets back the edges that were removed with it', async (t) => {
  const renamed = withNode(start, { id: 'a', label: 'Ann' }, 0)
  const removed = withoutNodes(start, new Set([0]))
  for (const [theirs, yours, keeping] of [
    [removed, renamed, 'yours'],
    [renamed, removed, 'theirs']
  ] as const) {
    const { conflicts } = merge(start, theirs, yours)
    t.same(
      conflicts.map(({ key, ends }) => [key, ends]),
      [['node a', ['b', 'b', 'c', '__proto__']]]
    )
    const { content } = merge(start, theirs, yours, new Map([['node a', keeping]]))
    t.same(asSets(content), asSets(renamed))
    const dropping = keeping === 'yours' ? 'theirs' : 'yours'
    t.same(asSets(merge(start, theirs, yours, new Map([['node a', dropping]])).content), asSets(removed))
  }

  // Edges that the other side has removed or moved, and those to nodes that are dropped, stay away.
  const theirs = withoutNodes(withEdge(start, { id: 'e', source: 'b', target: 'c' }, 1), new Set([0, 3]))
  const named = withNode(renamed, { id: '__proto__', label: 'Proto' }, 3)
  const yours = withoutEdges(named, new Set([3]))
  const { conflicts } = merge(start, theirs, yours)
  const decide = (side: Side): Decisions =>
    new Map(conflicts.map(({ key }) => [key, new Map([['', key === 'node a' ? 'yours' : side]])]))
  const countsOf = (decisions: Decisions) => conflicts.map((conflict) => keptEdges(conflict, conflicts, decisions))
  t.same(countsOf(decide('yours')), [2, 1])
  t.same(countsOf(decide('theirs')), [1, 1])
  const merged = (side: Side) =>
    merge(
      start,
      theirs,
      yours,
      new Map<string, Side>([
        ['node a', 'yours'],
        ['node __proto__', side]
      ])
    ).content
  const edges = [...theirs.edges, { source: 'a', target: 'b' }]
  t.same(asSets(merged('theirs')), asSets({ ...theirs, nodes: yours.nodes.slice(0, 3), edges }))
  const both = [...edges, { source: '__proto__', target: 'a' }]
  t.same(asSets(merged('yours')), asSets({ ...theirs, nodes: yours.nodes, edges: both }))
})

t.test('changes to edges without ids are merged by the affected edges', async (t) => {
  const [first, ...others] = start.edges as [Edge, ...Edge[]]
  const changed = (label: string) => withEdge(start, { ...first, label }, 0)
  const choose = (theirs: GraphContent, yours: GraphContent, side: Side) => {
    const { conflicts } = merge(start, theirs, yours)
    t.equal(conflicts.length, 1)
    return merge(start, theirs, yours, new Map([[conflicts[0]?.key ?? '', side]]))
  }
  for (const [theirs, yours] of [
    [changed('theirs'), changed('yours')],
    [withoutEdges(start, new Set([0])), changed('yours')],
    [changed('theirs'), withoutEdges(start, new Set([0]))]
  ] as const) {
    t.same(choose(theirs, yours, 'theirs'), { content: theirs, conflicts: [] })
    const { content, conflicts } = choose(theirs, yours, 'yours')
    t.same([asSets(content), conflicts], [asSets(yours), []])
  }
  t.same(merge(start, changed('same'), changed('same')), { content: changed('same'), conflicts: [] })
  const two: GraphContent = { ...start, edges: [first, { ...first, label: 'second' }, ...others] }
  t.same(merge(two, withoutEdges(two, new Set([0])), withoutEdges(two, new Set([1]))), {
    content: { ...start, edges: others },
    conflicts: []
  })
})

t.test('a repeated save after a lost response adds nothing twice', async (t) => {
  fc.assert(
    fc.property(steps(8), (steps) => {
      const edited = after(steps, 'x')
      t.same(merge(start, structuredClone(edited), edited), { content: structuredClone(edited), conflicts: [] })
    }),
    { numRuns: 200 }
  )
})

t.test('edges without ids between the same nodes take linear time', async (t) => {
  const parallel = (count: number, label?: string): GraphContent => ({
    directed: true,
    nodes: [{ id: 'a' }, { id: 'b' }],
    edges: Array.from({ length: count }, () => ({ source: 'a', target: 'b', ...(label && { label }) }))
  })
  /** Returns the times for the changes and the merge, in milliseconds. */
  const timesOf = (count: number): [changes: number, merge: number] => {
    const [before, theirs, yours] = [parallel(count), parallel(count, 'theirs'), parallel(count, 'yours')]
    const start = performance.now()
    changesBetween(before, yours)
    const between = performance.now()
    merge(before, theirs, yours)
    return [between - start, performance.now() - between]
  }
  timesOf(20_000)
  const rounds = Array.from({ length: 6 }, () => [timesOf(20_000), timesOf(80_000)] as const)
  for (const [which, name] of ['changes', 'merge'].entries()) {
    const ratios = rounds.map(([few, many]) => (many[which] ?? 0) / (few[which] ?? 0))
    // A ratio of 4 is linear, and 16 is quadratic. Other programs may slow down individual rounds.
    t.ok(Math.min(...ratios) < 10, `${name}: ${ratios.map((ratio) => ratio.toFixed(1))}`)
  }
})

t.test("a decision for the other side's changes is kept, regardless of other decisions", async (t) => {
  const theirs = withEdge(start, { id: 'e', source: 'a', target: 'b', label: 'theirs' }, 1)
  const yours = withoutNodes(start, new Set([1]))
  const { conflicts } = merge(start, theirs, yours)
  t.same(
    conflicts.map(({ key }) => key),
    ['edge e', 'node b']
  )
  const chosen = new Map<string, Side>([
    ['edge e', 'yours'],
    ['node b', 'theirs']
  ])
  const { content } = merge(start, theirs, yours, chosen)
  t.ok(content.nodes.some(({ id }) => id === 'b'))
  t.notOk(content.edges.some(({ id }) => id === 'e'))
})

t.test('the merged content is valid after any edits of two people, and every conflict can be decided', async (t) => {
  fc.assert(
    fc.property(steps(5), steps(5), fc.constantFrom<Side>('theirs', 'yours'), (some, others, side) => {
      const [theirs, yours] = [after(some, 'x'), after(others, 'y')]
      let chosen = new Map<string, Side>()
      for (let round = 0; ; round++) {
        const { content, conflicts } = merge(start, theirs, yours, chosen)
        t.same(check(content).faults, [])
        if (conflicts.length === 0) break
        if (round === 3) return t.fail('the conflicts never end')
        chosen = new Map([...chosen, ...conflicts.map(({ key }) => [key, side] as const)])
      }
    }),
    { numRuns: 500 }
  )
})

t.test('steps can be undone and redone', async (t) => {
  const [one, two] = [withoutEdges(start, new Set([0])), withoutNodes(start, new Set([0]))]
  let history = edit(edit(beginEdit(start, 3), one), two)
  t.equal(undo(undo(undo(history))).present, start)
  history = redo(undo(history))
  t.equal(history.present, two)
  history = edit(undo(history), start)
  t.equal(redo(history).present, start, 'a new step replaces the undone one')
  t.equal(sizeOf(changesBetween(start, one), start), 1)
  let many = beginEdit(start, 1)
  for (let step = 0; step < 150; step++) many = edit(many, withNode(start, { id: 'a', x: step }, 0))
  t.equal(many.past.length, 100)
})

t.test('changes are counted by element, and nodes that only moved together as one', async (t) => {
  const content: GraphContent = {
    directed: true,
    nodes: [{ id: 'a', label: 'Ann', metadata: { age: 3 } }, { id: 'b', x: 1, y: 1 }, { id: 'c' }],
    edges: [
      { source: 'a', target: 'b' },
      { source: 'a', target: 'b' }
    ]
  }
  const [a, b, c] = content.nodes as [GraphNode, GraphNode, GraphNode]
  const count = (changed: Partial<GraphContent>) => sizeOf(changesBetween(content, { ...content, ...changed }), content)
  const moved = [{ ...a, metadata: { age: 3 }, x: 1, y: 2 }, { ...b, x: 5 }, c]
  t.equal(count({ nodes: moved }), 1)
  t.equal(
    count({
      nodes: [
        { ...a, label: 'Anna' },
        { ...b, x: 5 },
        { ...c, y: 3 }
      ]
    }),
    2
  )
  const added = { id: 'd', x: 1, y: 1 }
  t.equal(count({ nodes: [...content.nodes, added] }), 1)
  t.equal(count({ nodes: [...content.nodes, { id: 'd' }, { id: 'e' }] }), 2)
  t.equal(count({ nodes: [{ ...a, x: 1, y: 2 }, b, { ...c, x: 3, y: 4 }, added] }), 1, 'which places the others')
  t.equal(count({ nodes: [{ ...a, x: 1, y: 2 }, { ...b, x: 5 }, c, added] }), 2)
  const [one, two] = content.edges as [Edge, Edge]
  t.equal(count({ edges: [{ ...one, relation: 'knows' }, two] }), 1)
  t.equal(count({ edges: [one] }), 1)
  t.equal(
    count({
      edges: [
        { ...one, label: 'x' },
        { ...two, label: 'y' },
        { source: 'b', target: 'a' }
      ]
    }),
    3
  )
})

t.test('an edge like the one added last has its relation and direction', async (t) => {
  let history = edit(beginEdit(start, 3), withEdge(start, { ...start.edges[4], relation: 'own' } as Edge, 4))
  t.equal(lastAddedEdge(history), undefined, 'a changed edge is not new')
  const ends = { source: 'b', target: 'a' }
  history = edit(history, withEdgeLike(history.present, ends, lastAddedEdge(history)))
  t.same(history.present.edges.at(-1), ends)
  const added = { ...ends, relation: 'likes', directed: true, label: 'own' }
  history = edit(history, withEdge(history.present, added, 5))
  t.equal(lastAddedEdge(history), added)
  const next = { source: 'c', target: 'b' }
  t.same(withEdgeLike(start, next, added).edges.at(-1), { ...next, relation: 'likes', directed: true })
  t.equal(lastAddedEdge(undo(undo(history))), undefined)
})

t.test('the id of a new node follows its label, with a number if another node has this id', async (t) => {
  t.equal(idForLabel(start, ' Ann '), 'Ann')
  t.equal(idForLabel(start, 'a'), 'a 2')
  t.equal(idForLabel(withNode(start, { id: 'a 2' }), 'a'), 'a 3')
  const long = 'x'.repeat(255)
  t.equal(idForLabel(start, `${long}y`), long)
  t.equal(idForLabel(withNode(start, { id: long }), `${long}y`), `${'x'.repeat(253)} 2`)
})

t.test('attributes keep their types', async (t) => {
  const metadata = JSON.parse('{"a":"1","b":2.5,"c":true,"d":null,"e":[1,{"x":"y"}],"__proto__":"own"}')
  t.same(Object.entries(metadataOf(rowsOf(metadata)) ?? {}), Object.entries(metadata))
  t.equal(metadataOf([]), undefined)
  const row = (name: string, kind: 'text' | 'number' | 'json', text: string, key: number) => ({ key, name, kind, text })
  t.same(
    [
      ...faultsOf([
        row('', 'text', 'x', 0),
        row('a', 'number', '1e3', 1),
        row('a', 'text', '', 2),
        row('b', 'number', ' ', 3),
        row('c', 'number', 'Infinity', 4),
        row('d', 'json', '{', 5)
      ])
    ],
    [
      [0, 'empty'],
      [2, 'twice'],
      [3, 'number'],
      [4, 'number'],
      [5, 'json']
    ]
  )
})

t.test('the type of a new attribute follows its value, and the names and types in other elements', async (t) => {
  const guesses = {
    number: ['0', '-12', '46.5', '123456789012345'],
    boolean: ['true', 'false'],
    json: ['[1, 2]', '{"a": null}'],
    text: ['', '007', '1,5', '1234567890123456', '1e3', 'True', '[1', 'old']
  }
  for (const [kind, texts] of Object.entries(guesses)) for (const text of texts) t.equal(guessKind(text), kind, text)
  const kinds = kindsByName([
    { id: 'a', metadata: { zip: '1010', age: 46 } },
    { id: 'b', metadata: JSON.parse('{"age":"old","__proto__":true,"list":[1]}') }
  ])
  t.same(
    [...kinds],
    [
      ['zip', 'text'],
      ['age', 'number'],
      ['__proto__', 'boolean'],
      ['list', 'json']
    ]
  )
  t.equal(guessKind('1020', kinds.get('zip')), 'text')
  t.equal(guessKind('47', kinds.get('age')), 'number')
  t.equal(guessKind('old', kinds.get('age')), 'text')
})

t.test('a new row is ignored until the user fills it in', async (t) => {
  const blank = { key: 1, name: '', kind: 'text' as const, text: '', isGuessed: true }
  t.equal(faultsOf([blank]).size, 0)
  t.same(metadataOf([...rowsOf({ a: 1 }), blank]), { a: 1 })
  t.equal(metadataOf([blank]), undefined)
  t.same([...faultsOf([{ ...blank, text: 'x' }])], [[1, 'empty']])
})

t.test('setting a value on many elements keeps the objects that already have it', async (t) => {
  const content: GraphContent = {
    directed: true,
    nodes: [
      { id: 'a', label: 'A', metadata: { size: 1 } },
      { id: 'b', metadata: { size: 2, team: 'red' } },
      { id: 'c', x: 1, y: 2 }
    ],
    edges: [{ source: 'a', target: 'b', relation: 'knows' }]
  }
  const sized = withValues(content, 'node', [0, 1, 2], 'metadata.size', 2)
  t.same(
    sized.nodes.map(({ metadata }) => metadata),
    [{ size: 2 }, { size: 2, team: 'red' }, { size: 2 }]
  )
  t.equal(sized.nodes[1], content.nodes[1])
  t.equal(sized.edges, content.edges)
  t.equal(withValues(sized, 'node', [0, 1, 2], 'metadata.size', 2), sized, 'the content is unchanged')
  t.same(withValues(content, 'node', [0], 'metadata.size', undefined).nodes[0], { id: 'a', label: 'A' })
  t.same(withValues(content, 'node', [0], 'label', undefined).nodes[0], { id: 'a', metadata: { size: 1 } })
  t.same(withValues(content, 'edge', [0], 'relation', 'likes').edges, [{ source: 'a', target: 'b', relation: 'likes' }])

  const [strange] = withValues(content, 'node', [2], 'metadata.__proto__', 'text').nodes.slice(2)
  t.same(Object.entries(strange?.metadata ?? {}), [['__proto__', 'text']])
  t.equal(valueIn(strange, 'metadata.__proto__'), 'text')
  t.equal(valueIn(content.nodes[0], 'metadata.toString'), undefined)
  t.same(
    ['id', 'source', 'degree', 'relation', 'label', 'metadata.id'].map((key) => isEditable('node', key)),
    [false, false, false, false, true, true]
  )
  t.equal(isEditable('edge', 'relation'), true)
})

t.test('elements count as the same with other values, but not in another order or with other ends', async (t) => {
  const [a, b] = [{ id: 'a' }, { id: 'b' }]
  t.equal(areSameElements([a, b], [{ ...a, label: 'A' }, b]), true)
  t.equal(areSameElements([a, b], [b, a]), false)
  t.equal(areSameElements([a, b], [a]), false)
  t.equal(areSameElements([a], undefined), false)
  const edge = { source: 'a', target: 'b' }
  t.equal(areSameElements([edge], [{ ...edge, relation: 'knows' }]), true)
  t.equal(areSameElements([edge], [{ source: 'b', target: 'a' }]), false)
})
