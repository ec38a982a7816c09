import t from 'tap'
import { read, write } from '../support/formats.ts'

const graph = async (text: string) => {
  const { content, faults, losses, name } = await read('dot', text)
  const edges = content?.edges.map(({ source, target }) => `${source}>${target}`)
  return { content, faults, losses, name, nodes: content?.nodes.map(({ id }) => id), edges }
}

t.test('ids, strings, comments and operators are read', async (t) => {
  const { nodes, edges, name } = await graph(`# preprocessor
    /* a -> b */ DIGRAPH "my \\"graph\\"" { // comment
    a->b -> -1.5; "x y"; "con" + "cat" /* and */ + "enated"
    "line\\
continued" _b1 ; é -> "a\\n" }`)
  t.equal(name, 'my "graph"')
  t.same(nodes, ['a', 'b', '-1.5', 'x y', 'concatenated', 'linecontinued', '_b1', 'é', 'a\\n'])
  t.same(edges, ['a>b', 'b>-1.5', 'é>a\\n'])
})

t.test('a # begins a comment anywhere outside strings', async (t) => {
  const { nodes, edges } = await graph('digraph {\n  # first\n  a -> b;  # second -> third\n\t#\n "c#" -> d#e\n -> f }')
  t.same(nodes, ['a', 'b', 'c#', 'd', 'f'])
  t.same(edges, ['a>b', 'c#>d', 'd>f'])
})

t.test('nodes separated by commas share edges and attributes', async (t) => {
  t.same((await graph('digraph { a, b -> c, d; }')).edges, ['a>c', 'a>d', 'b>c', 'b>d'])
  t.same((await graph('digraph { A -> {B, C} [label=mobile] }')).edges, ['A>B', 'A>C'])
  t.same((await graph('strict digraph { a, a -> b, b }')).edges, ['a>b'])
  const { content, nodes } = await graph('digraph { a:p, b [v=1] e, f; edge [w=2]; a:p, b -> c:q, d -> e [y=3] }')
  t.same(nodes, ['a', 'b', 'e', 'f', 'c', 'd'])
  t.same(
    content?.nodes.map(({ metadata }) => metadata),
    [{ v: 1 }, { v: 1 }, undefined, undefined, undefined, undefined]
  )
  t.same(
    content?.edges.map(({ source, target, metadata }) => [source, target, metadata]),
    [
      ['a', 'c', { tailport: 'p', headport: 'q', y: 3, w: 2 }],
      ['a', 'd', { tailport: 'p', y: 3, w: 2 }],
      ['b', 'c', { headport: 'q', y: 3, w: 2 }],
      ['b', 'd', { y: 3, w: 2 }],
      ['c', 'e', { tailport: 'q', y: 3, w: 2 }],
      ['d', 'e', { y: 3, w: 2 }]
    ]
  )
})

t.test('subgraphs can be ends of edges and are flattened', async (t) => {
  const { edges, nodes, losses } = await graph(
    'digraph { {a b} -> {c; d} -> e; subgraph cluster_x { label="X"; f -> g } ; subgraph s { h; {i} } -> j; subgraph s -> k }'
  )
  t.same(edges, ['a>c', 'a>d', 'b>c', 'b>d', 'c>e', 'd>e', 'f>g', 'h>j', 'i>j', 'h>k', 'i>k'])
  t.same(nodes, ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k'])
  t.same(losses, { 'subgraph-flattened': 2 })
})

t.test('a strict graph merges repeated edges, and edges with the same key are merged', async (t) => {
  const { content, losses } = await graph('strict graph { a -- b [w=1]; b -- a [w=2 v=3]; a -- a; a -- a }')
  t.equal(content?.directed, false)
  t.same(content?.edges, [
    { source: 'a', target: 'b', metadata: { w: 2, v: 3 } },
    { source: 'a', target: 'a' }
  ])
  t.same(losses, { 'edge-merged': 2 })
  t.same((await graph('digraph { a -> b; a -> b; a -> b [key=k]; a -> b [key=k]; b -> a [key=k] }')).edges, [
    'a>b',
    'a>b',
    'a>b',
    'b>a'
  ])
})

t.test('defaults apply to later elements in the same braces', async (t) => {
  const { content } = await graph(
    'digraph { rankdir=LR; graph [label="L"]; a; node [shape=box, w=1]; b; { node [shape=oval] c } d [w="1"]; edge [color=red]; a -> b [color=blue style]; b -> c }'
  )
  t.match(content, {
    label: 'L',
    metadata: { rankdir: 'LR' },
    nodes: [
      { id: 'a', metadata: undefined },
      { id: 'b', metadata: { shape: 'box', w: 1 } },
      { id: 'c', metadata: { shape: 'oval', w: 1 } },
      { id: 'd', metadata: { shape: 'box', w: '1' } }
    ],
    edges: [{ metadata: { color: 'blue', style: true } }, { metadata: { color: 'red' } }]
  })
})

t.test('attributes after a subgraph are ignored, and those inside it apply only to it', async (t) => {
  const { content } = await graph('digraph { {a} [x=1]; subgraph s { label=S; b } x = "y" }')
  t.same(content?.nodes, [{ id: 'a' }, { id: 'b' }])
  t.same(content?.metadata, { x: 'y' })
})

t.test('ports, HTML labels, positions and directions are read', async (t) => {
  const { content, losses } = await graph(
    `digraph { a [label=<<b>bold</b> &amp; <br/>more>, pos="1,2.5!", width=.75, zip=007, xlabel=<x>]; b [label="\\N\\nis\\l"]
     a:p:ne -> b:w [id=5 dir=none]; a -> b [tailport=q] }`
  )
  t.same(content?.nodes, [
    {
      id: 'a',
      label: 'bold & \nmore',
      x: 1,
      y: 2.5,
      metadata: { htmlLabel: '<b>bold</b> &amp; <br/>more', width: 0.75, zip: '007', xlabel: '<x>' }
    },
    { id: 'b', label: 'b\nis\n' }
  ])
  t.match(content?.edges, [
    { id: '5', directed: false, metadata: { tailport: 'p:ne', headport: 'w' } },
    { metadata: { tailport: 'q' } }
  ])
  t.same(losses, { 'text-changed': 1, 'visual-dropped': 1 })
})

t.test('every fault has its line and column', async (t) => {
  const cases: [string, object][] = [
    ['digraph { a -> b=c }', { code: 'malformed-dot', column: 17 }],
    ['hello', { code: 'malformed-dot', line: 1, column: 1 }],
    ['digraph {\n  a -> }', { code: 'malformed-dot', line: 2, column: 8 }],
    ['digraph { a -- b }', { code: 'malformed-dot', detail: 'is -- in a digraph, which uses ->' }],
    ['graph { a -> b }', { detail: 'is -> in a graph, which uses --' }],
    ['digraph { a ', { detail: 'is the end of the file, but a closing } is missing', column: 13 }],
    ['digraph { "a }', { detail: 'is an unterminated string', column: 11 }],
    ['digraph { a [label=<<b>] }', { detail: 'is an unterminated HTML string' }],
    ['digraph { /* a }', { detail: 'is an unterminated comment' }],
    ['digraph { a [x=] }', { code: 'malformed-dot', column: 16 }],
    ['digraph { a } digraph { b }', { code: 'several-graphs', column: 15 }],
    ['digraph { a } b', { code: 'malformed-dot', detail: 'comes after the end of the graph' }],
    [`digraph ${'{'.repeat(200)}`, { code: 'too-deep' }],
    ['digraph { a ! b }', { column: 13 }],
    ['digraph { a, -> b }', { code: 'malformed-dot', column: 14 }],
    ['digraph { a, {b} }', { code: 'malformed-dot', column: 14 }],
    ['digraph { {a}, b }', { code: 'malformed-dot', column: 14 }],
    ['digraph { a [color=#f00];\n}', { code: 'malformed-dot', line: 2, column: 1 }]
  ]
  for (const [text, fault] of cases) t.match((await read('dot', text)).faults, [fault], text.slice(0, 60))
})

t.test('Graphviz can read the export', async (t) => {
  const { text, losses } = write(
    'dot',
    {
      directed: false,
      label: 'L',
      metadata: { rankdir: 'LR' },
      nodes: [
        { id: 'a"b', label: 'two\nlines \\', x: 1, y: 2, metadata: { n: 1e21, m: 1e-7, node: true, dir: 'C:\\' } },
        { id: 'c' }
      ],
      edges: [
        { source: 'a"b', target: 'c' },
        { id: 'e', source: 'c', target: 'c', directed: true, metadata: { weight: 2 } }
      ]
    },
    { name: 'my graph' }
  )
  t.equal(
    text,
    `digraph "my graph" {
  label="L";
  rankdir="LR";
  "a\\"b" [pos="1,2", label="two\\nlines \\\\", n=1000000000000000000000.0, m=0.0000001, "node"=true, dir="C:\\\\"];
  "c";
  "a\\"b" -> "c" [dir="none"];
  "c" -> "c" [id="e", weight=2];
}
`
  )
  t.same(losses, { 'text-changed': 1 })
})

t.test('styles are written with the attributes and shapes of Graphviz, and read back without them', async (t) => {
  const styled = {
    directed: true,
    nodes: [
      { id: 'a', metadata: { color: '#ff0000', shape: 'round-rectangle', size: 35, height: 18 } },
      { id: 'b', metadata: { color: 'red', style: 'filled', shape: 'circle', width: 2, height: 3, size: 4 } },
      { id: 'c', metadata: { color: 'high', fillcolor: 'high', shape: 'cloud', height: 180 } }
    ],
    edges: [
      { source: 'a', target: 'b', metadata: { color: '#0000ff', thickness: 2.5, shape: 'long-dash' } },
      { source: 'a', target: 'c', metadata: { thickness: 2, penwidth: 3, shape: 'double', style: 'dotted' } }
    ]
  }
  const { text, losses } = write('dot', styled)
  t.same(losses, { 'text-changed': 1, 'attribute-renamed': 1 }, 'the name of a shape, and a height')
  t.equal(
    text,
    `digraph "g" {
  "a" [color="#ff0000", shape="box", size=35, "metadata.height"=18, style="filled", fillcolor="#ff0000", width=0.4861, height=0.25];
  "b" [color="red", style="filled", shape="circle", width=2, height=3, size=4];
  "c" [color="high", fillcolor="high", shape="cloud", height=180];
  "a" -> "b" [color="#0000ff", thickness=2.5, shape="long-dash", penwidth=2.5, style="dashed"];
  "a" -> "c" [thickness=2, penwidth=3, shape="double", style="dotted"];
}
`
  )
  const { content } = await read('dot', text)
  const [first, ...others] = styled.nodes
  t.same(content, { ...styled, nodes: [{ ...first, metadata: { ...first?.metadata, shape: 'box' } }, ...others] })
})

t.test('the attribute charset names the encoding of text that is not UTF-8', async (t) => {
  const label = async (charset: string, text: string) => {
    const file = Buffer.concat([
      Buffer.from(`graph { graph [charset="${charset}"]; a [label="`),
      Buffer.from(text, 'hex'),
      Buffer.from('"] }')
    ])
    const { content, losses } = await read('dot', file)
    return [content?.nodes[0]?.label, losses]
  }
  t.same(await label('latin-1', 'e1e2e3e4e5e6e7'), ['áâãäåæç', {}])
  t.same(await label('big-5', 'a4a4'), ['中', {}])
  t.same(await label('latin1', 'c3a4'), ['ä', {}], 'valid UTF-8')
})
