import { deepEqual } from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writableFormatNamed } from '../graph/formats/index.ts'
import { Losses } from '../graph/formats/shared/losses.ts'
import type { GraphContent } from '../schemas/graph-content.ts'

// Checks that Mermaid parses Graphstead's flowcharts into the same ids, labels and edges. Mermaid and jsdom, which it needs in
// place of a browser, must be installed in the folder given as an argument. Prints the number of passed checks.

interface Diagram {
  db: {
    getVertices(): Map<string, { id: string; text: string }>
    getEdges(): { start: string; end: string; text: string; type: string }[]
  }
}
interface Mermaid {
  initialize(options: object): void
  mermaidAPI: { getDiagramFromText(text: string): Promise<Diagram> }
}

const load = createRequire(join(process.argv[2] as string, 'x.js'))
const { JSDOM } = load('jsdom') as { JSDOM: new (html: string) => { window: { document: unknown } } }
const { window } = new JSDOM('')
Object.assign(globalThis, { window, document: window.document })
const entry = pathToFileURL(join(process.argv[2] as string, 'node_modules/mermaid/dist/mermaid.core.mjs')).href
const { default: mermaid } = (await import(entry)) as { default: Mermaid }
mermaid.initialize({ startOnLoad: false })

const keywords =
  'end graph flowchart subgraph style linkStyle class classDef click href call interpolate direction default accTitle _self _blank _parent _top'
const affixes = ['', 'é', '1', 'a.', 'a-', '1-', '_', ' ', '-', '東']
const ids = [
  ...keywords.split(' ').flatMap((word) => affixes.flatMap((affix) => [affix + word, word + affix])),
  ...[
    'o',
    'x',
    'a b',
    'a..b',
    '日本語',
    'Ünïcödé',
    'שלום',
    '🜁',
    '"',
    '@',
    'a@b',
    'e1',
    '%%{init: {}}%%',
    '-->',
    'constructor',
    '²'
  ]
]
const labels = [
  ...[
    '"quoted"',
    '#quot;',
    'a;b',
    '<b>x</b>',
    '&amp;',
    '`code`',
    '50%%{x}',
    'a|b',
    '[x] (y) {z}',
    'style a:#b;',
    ' x ',
    'a\nb'
  ],
  ...['end', '-->', '%% no', 'שלום', '🜁', '\\', 'classDef a:b#c; d', '---', 'x:#35;y']
]

/** Returns the text that Mermaid shows. Mermaid encodes entities using rare characters, and decodes them when rendering. */
function shown(text: string) {
  const { document } = window as unknown as { document: Document }
  const element = document.createElement('p')
  element.innerHTML = text
    .replaceAll('ﬂ°°', '&#')
    .replaceAll('ﬂ°', '&')
    .replaceAll('¶ß', ';')
    .replaceAll(/<br\s*\/?>/g, '\n')
  return element.textContent
}

/** Returns the ids that a flowchart uses, in the order of the nodes. */
function written(text: string, content: GraphContent) {
  const lines = text
    .split('\n')
    .slice(1)
    .filter((line) => !line.startsWith('  %%'))
  return content.nodes.map((_, index) => /^ {2}([^\s[(]+)/.exec(lines[index] as string)?.[1] as string)
}

let passed = 0
for (const [index, id] of ids.entries()) {
  const label = labels[index % labels.length] as string
  const content: GraphContent = {
    directed: true,
    nodes: [{ id, label }, { id: 'plain' }, { id: `${id}2`, metadata: { shape: 'circle' } }],
    edges: [
      { id: 'e1', source: id, target: 'plain', label },
      { source: 'plain', target: `${id}2`, directed: false },
      { source: id, target: id }
    ]
  }
  const text = [...(writableFormatNamed('mermaid')?.write({ name: 'g', content }, new Losses()) ?? [])].join('')
  const names = written(text, content)
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text)
  deepEqual(
    [...db.getVertices().values()].map(({ id, text }) => [id, shown(text)]),
    content.nodes.map(({ id, label }, index) => [names[index], label ?? id]),
    text
  )
  deepEqual(
    db.getEdges().map(({ start, end, text, type }) => [start, end, shown(text), type]),
    [
      [names[0], names[1], label, 'arrow_point'],
      [names[1], names[2], '', 'arrow_open'],
      [names[0], names[0], '', 'arrow_point']
    ],
    text
  )
  passed++
}
console.log(`${passed} flowcharts passed`)
