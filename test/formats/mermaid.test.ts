import t from 'tap'
import type { GraphContent } from '../../schemas/graph-content.ts'
import { read, write } from '../support/formats.ts'

t.test('a Mermaid flowchart is read', async (t) => {
  const { format, content, losses } = await read(
    undefined,
    `---
title: x
---
%% a comment
flowchart LR
  subgraph one [First one]
    A["Say #quot;hi#quot;<br/>now"] & B((c)) --> C{x} -- yes it is --> D
  end
  C -.->|no| E[/a/]; E --- F[\\b/]
  F <--> A
  F ==> G@{ shape: cyl, label: "Data" }
  G e1@--> H
  e1@{ animate: true }
  classDef big fill:#f00
  H:::big ~~~ A
  end1 --x a-b`
  )
  t.equal(format, 'mermaid')
  t.same(losses, { 'edge-per-direction': 1, 'subgraph-flattened': 1, 'visual-dropped': 4 })
  t.same(content, {
    directed: true,
    nodes: [
      { id: 'A', label: 'Say "hi"\nnow', metadata: { subgraph: 'First one' } },
      { id: 'B', label: 'c', metadata: { shape: 'circle', subgraph: 'First one' } },
      { id: 'C', label: 'x', metadata: { shape: 'diamond', subgraph: 'First one' } },
      { id: 'D', metadata: { subgraph: 'First one' } },
      { id: 'E', label: 'a', metadata: { shape: 'lean-right' } },
      { id: 'F', label: 'b', metadata: { shape: 'inv-trapezoid' } },
      { id: 'G', label: 'Data', metadata: { shape: 'cyl' } },
      { id: 'H' },
      { id: 'end1' },
      { id: 'a-b' }
    ],
    edges: [
      { source: 'A', target: 'C' },
      { source: 'B', target: 'C' },
      { source: 'C', target: 'D', label: 'yes it is' },
      { source: 'C', target: 'E', label: 'no' },
      { source: 'E', target: 'F', directed: false },
      { source: 'F', target: 'A' },
      { source: 'A', target: 'F' },
      { source: 'F', target: 'G' },
      { id: 'e1', source: 'G', target: 'H' },
      { source: 'end1', target: 'a-b' }
    ]
  })
})

t.test('braces and bars in quoted text, classes, descriptions and titled subgraphs are read', async (t) => {
  const { format, content, losses } = await read(
    undefined,
    `graph >
  accDescr {
    two lines
    of text
  }
  A:::foo-->C; style A fill:#f9f; C --> A
  accTitle: a; b
  D@{ shape: docs, label: "a } brace" } -->|"a | b"| A
  subgraph one [Title One]
    C
  end
  one --> A`
  )
  t.equal(format, 'mermaid')
  t.same(losses, { 'subgraph-flattened': 1, 'visual-dropped': 4 })
  t.same(content, {
    directed: true,
    nodes: [
      { id: 'A' },
      { id: 'C', metadata: { subgraph: 'Title One' } },
      { id: 'D', label: 'a } brace', metadata: { shape: 'docs' } },
      { id: 'one', label: 'Title One' }
    ],
    edges: [
      { source: 'A', target: 'C' },
      { source: 'C', target: 'A' },
      { source: 'D', target: 'A', label: 'a | b' },
      { source: 'one', target: 'A' }
    ]
  })
  const long = `graph LR\nstyle ${'x'.repeat(8e6)}${'""'.repeat(4e6)}; A --> B`
  t.equal((await read('mermaid', long)).edgeCount, 1, 'no statement is too long')
  t.same((await read('mermaid', 'graph LR\nA@{ label: "a } --> B')).faults[0]?.code, 'malformed')
})

t.test('faulty flowcharts are refused', async (t) => {
  const codes = async (text: string) => {
    return (await read('mermaid', text)).faults.map(({ code, line, column }) => [code, line, column])
  }
  t.same(await codes('%% a\nsequenceDiagram\nA->>B: x'), [['not-allowed', 2, 1]])
  t.same(await codes('graph TD\nA --> '), [['malformed', 2, 7]], 'a link without a target')
  t.same(await codes('graph TD\nA["x" y]'), [['malformed', 2, 2]], 'text after a quoted text')
  t.same(await codes('graph TD\nA -- text B'), [['malformed', 2, 5]], 'a link that does not end')
  t.same(await codes('graph TD\nA B'), [['malformed', 2, 3]])
  const all = Array.from({ length: 1000 }, (_, index) => `n${index}`).join(' & ')
  t.same(
    (await read('mermaid', `graph TD\n${all} --> ${all}`)).faults.map(({ code }) => code),
    ['too-many-edges'],
    'a million edges'
  )
})

t.test('a graph is written so that Mermaid reads the same ids, labels and edges', async (t) => {
  const content: GraphContent = {
    directed: true,
    nodes: [
      { id: 'front-end', label: 'a "b" #1; <c>\n50%%{ `d` |' },
      { id: 'end', metadata: { shape: 'circle' } },
      { id: 'x y', label: '' },
      { id: '_top' },
      { id: '東京' }
    ],
    edges: [
      { id: 'e1', source: 'front-end', target: 'end', label: 'style: #f' },
      { source: 'end', target: 'x y', directed: false },
      { source: '_top', target: '_top' }
    ]
  }
  const { text, losses } = write('mermaid', content)
  t.equal(
    text,
    `flowchart TD
  front-end["a #quot;b#quot; #35;1; #lt;c#gt;<br/>50#37;%{ #96;d#96; #124;"]
  %% Graphstead: id of _end: "end"
  _end(("end"))
  %% Graphstead: id of x_y: "x y"
  x_y[" "]
  %% Graphstead: id of __top: "_top"
  __top["_top"]
  東京
  front-end e1@-->|"style#58; #35;f"| _end
  _end --- x_y
  __top --> __top
`
  )
  t.same(losses, { 'id-replaced': 3 })
  t.same((await read('mermaid', text)).content, content)
})
