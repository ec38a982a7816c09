import t from 'tap'
import { read } from '../support/formats.ts'

t.test('a flowchart of Mermaid is read', async (t) => {
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

t.test('faulty flowcharts are refused', async (t) => {
  const codes = async (text: string) => {
    return (await read('mermaid', text)).faults.map(({ code, line, column }) => [code, line, column])
  }
  t.same(await codes('sequenceDiagram\nA->>B: x'), [['malformed', 1, 1]])
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
