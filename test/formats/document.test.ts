import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { formats, writableFormats } from '../../graph/formats/index.ts'
import { lossMeanings } from '../../graph/formats/shared/losses.ts'
import type { GraphContent } from '../../schemas/graph-content.ts'
import { read, write } from '../support/formats.ts'

// docs/formats.md lists what each conversion between two formats preserves. Its tables are generated from these conversions:
// `UPDATE=1 npm test -- test/formats/document.test.ts` rewrites them.

const path = join(import.meta.dirname, '../../docs/formats.md')

/** A graph with all features. Its ids are unordered, and some nodes have no edges. */
const everything: GraphContent = {
  directed: false,
  label: 'Everything',
  metadata: { year: 1862 },
  nodes: [
    {
      id: 'b',
      label: 'Ünïcödé "quoted"\nin two lines',
      x: 1.5,
      y: -2,
      z: 3,
      metadata: { text: 'x', number: 1.5, flag: true, nested: { list: [1, 2] }, list: ['p', 'q'] }
    },
    { id: 'a', x: 1, y: 2, metadata: { text: '007', number: 2, flag: false, mixed: 'text' } },
    { id: 'alone', metadata: { mixed: 5 } }
  ],
  edges: [
    {
      id: 'e1',
      source: 'a',
      target: 'b',
      relation: 'knows',
      label: 'an edge',
      metadata: { weight: 2.5, text: 'y', flag: true }
    },
    { source: 'b', target: 'a', directed: true, metadata: { weight: 1, nested: { n: 1 } } },
    { source: 'a', target: 'b', metadata: { weight: 3 } },
    { source: 'a', target: 'a' }
  ]
}

/** Returns the distinct values of elements. An edge split in two counts once. */
function all<T>(elements: readonly T[], of: (element: T) => unknown) {
  const found = elements.map(of).filter((value) => value !== undefined)
  return [...new Set(found.map((value) => JSON.stringify(value)))].sort()
}

/** The features of a graph, each with a function that extracts it. */
const features: [name: string, of: (graph: GraphContent) => unknown][] = [
  ['nodes without edges', ({ nodes }) => nodes.length],
  ['order of nodes', ({ nodes }) => nodes.slice(0, 2).map(({ id }) => id)],
  ['ids of nodes', ({ nodes, edges }) => [all(nodes.slice(0, 2), ({ id }) => id), all(edges, ({ source }) => source)]],
  ['ids of edges', ({ edges }) => all(edges, ({ id }) => id)],
  ['labels of nodes', ({ nodes }) => all(nodes, ({ label }) => label)],
  ['labels of edges', ({ edges }) => all(edges, ({ label }) => label)],
  ['positions (x, y)', ({ nodes }) => all(nodes, ({ x, y }) => [x, y])],
  ['depth (z)', ({ nodes }) => all(nodes, ({ z }) => z)],
  [
    'parallel edges and loops',
    ({ edges }) => [edges.length > 3, edges.some(({ source, target }) => source === target)]
  ],
  ['directed and undirected edges', (graph) => graph.edges.map(({ directed }) => directed ?? graph.directed)],
  ['relations of edges', ({ edges }) => all(edges, ({ relation }) => relation)],
  ['weights', ({ edges }) => all(edges, ({ metadata }) => metadata?.weight)],
  ['text of nodes', ({ nodes }) => all(nodes, ({ metadata }) => metadata?.text)],
  ['numbers of nodes', ({ nodes }) => all(nodes, ({ metadata }) => metadata?.number)],
  ['booleans of nodes', ({ nodes }) => all(nodes, ({ metadata }) => metadata?.flag)],
  ['text of edges', ({ edges }) => all(edges, ({ metadata }) => metadata?.text)],
  ['booleans of edges', ({ edges }) => all(edges, ({ metadata }) => metadata?.flag)],
  ['values of several types under one name', ({ nodes }) => all(nodes, ({ metadata }) => metadata?.mixed)],
  ['nested values', ({ nodes, edges }) => all([...nodes, ...edges], ({ metadata }) => metadata?.nested)],
  ['attributes of the graph', ({ label, metadata }) => [label, metadata?.year]],
  ['lists of text', ({ nodes }) => all(nodes, ({ metadata }) => metadata?.list)]
]

async function through(format: string, graph: GraphContent): Promise<GraphContent> {
  const { content, faults } = await read(format, write(format, graph).bytes)
  if (!content) throw new Error(`${format}: ${JSON.stringify(faults)}`)
  return content
}

/** Returns whether each feature is the same in both graphs. */
function kept(before: GraphContent, after: GraphContent) {
  return features.map(([, of]) => JSON.stringify(of(before)) === JSON.stringify(of(after)))
}

function table(head: string[], rows: string[][]) {
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')
}

t.test('docs/formats.md lists what each conversion preserves', async (t) => {
  const survivors = new Map<string, GraphContent>()
  for (const { name } of writableFormats) survivors.set(name, await through(name, everything))

  const holds = features.map(([feature], index) => [
    feature,
    ...writableFormats.map(({ name }) => (kept(everything, survivors.get(name) as GraphContent)[index] ? '✓' : '–'))
  ])
  const fromTo: string[][] = []
  for (const { name: from, title } of writableFormats) {
    const graph = survivors.get(from) as GraphContent
    const cells: string[] = []
    for (const { name: to } of writableFormats) {
      const lost = kept(graph, await through(to, graph)).flatMap((isKept, index) => (isKept ? [] : [String(index + 1)]))
      cells.push(lost.length === 0 ? '✓' : lost.join(' '))
    }
    fromTo.push([`**${title}**`, ...cells])
  }
  const parts: Record<string, string> = {
    formats: table(
      ['format', 'name', 'media type', 'file endings', ''],
      formats.map(({ title, name, mediaType, endings, write }) => [
        title,
        `\`${name}\``,
        `\`${mediaType}\``,
        endings.map((ending) => `\`${ending}\``).join(' '),
        write ? '' : 'import only'
      ])
    ),
    holds: table(
      ['', ...writableFormats.map(({ name }) => name)],
      holds.map(([feature = '', ...cells], index) => [`${index + 1}. ${feature}`, ...cells])
    ),
    'from-to': table(['from \\ to', ...writableFormats.map(({ name }) => name)], fromTo),
    losses: table(
      ['code', 'counts'],
      Object.entries(lossMeanings)
        .sort()
        .map(([code, meaning]) => [`\`${code}\``, meaning])
    )
  }
  const document = readFileSync(path, 'utf8')
  const written = document.replace(/(<!-- (\S+) -->\n)[\s\S]*?(<!-- \/\2 -->)/g, (all, start, part, end) =>
    parts[part] === undefined ? all : `${start}${parts[part]}\n${end}`
  )
  for (const part of Object.keys(parts)) t.ok(document.includes(`<!-- ${part} -->`), part)
  if (process.env.UPDATE) writeFileSync(path, written)
  else t.equal(document, written, 'UPDATE=1 rewrites it')
})
