import type { Stranger } from './stranger.ts'

const RECORDS =
  'These are JSON records, but no two of their members are recognised as the source and target of an edge. If they are edges, choose the format records, and specify the endpoints with sourceColumn and targetColumn.'

/** JSON from other programs. */
export const json: Stranger[] = [
  [
    'json-array-of-edges.json',
    {
      format: 'records',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { weight: 1 } }]
    }
  ],
  [
    'json-lines.jsonl',
    {
      format: 'records',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { weight: 1 } }]
    }
  ],
  [
    'json-arangodb.jsonl',
    {
      format: 'records',
      nodes: 3,
      edges: 2,
      losses: { 'node-not-in-table': 1 },
      first: [
        { id: 'people/ann', label: 'Ann', metadata: { _key: 'ann', _rev: '_a' } },
        {
          id: 'knows/7',
          source: 'people/ann',
          target: 'people/bob',
          relation: 'knows',
          metadata: { _key: '7', _rev: '_c', since: 1999 }
        }
      ]
    }
  ],
  ['json-records-no-ends.json', { refused: RECORDS }],
  [
    'json-neo4j-http.json',
    {
      format: 'neo4j',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '1', label: 'A', metadata: { labels: ['Person'] } },
        { id: '9', source: '1', target: '2', relation: 'KNOWS', metadata: { since: 1999 } }
      ]
    }
  ],
  [
    'json-apoc.jsonl',
    {
      format: 'neo4j',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '0', label: 'Adam', metadata: { labels: ['User'], age: 42 } },
        { id: '0', source: '0', target: '1', relation: 'KNOWS', metadata: { since: 1993 } }
      ]
    }
  ],
  [
    'json-neo4j-browser.json',
    {
      format: 'neo4j',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '4:x:0', label: 'A', metadata: { labels: ['Person'] } },
        { id: '5:x:0', source: '4:x:0', target: '4:x:1', relation: 'KNOWS' }
      ]
    }
  ],
  [
    'json-neo4j-rows.json',
    {
      format: 'neo4j',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { weight: 2 } }]
    }
  ],
  [
    'json-networkx-adjacency.json',
    {
      format: 'adjacency',
      nodes: 2,
      edges: 1,
      losses: { 'id-as-text': 4 },
      first: [{ id: '1' }, { source: '1', target: '2', metadata: { weight: 3 } }]
    }
  ],
  [
    'json-adjacency-multi.json',
    {
      format: 'adjacency',
      nodes: 2,
      edges: 4,
      losses: {},
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { weight: 1, key: 0 } }]
    }
  ],
  [
    'json-obsidian.canvas',
    {
      format: 'canvas',
      nodes: 3,
      edges: 1,
      losses: {},
      first: [
        { id: 'a1', label: 'Idea', x: 125, y: -30, metadata: { type: 'text', width: 250, height: 60 } },
        { id: 'e1', source: 'a1', target: 'b2', label: 'leads to', metadata: { fromSide: 'right', toSide: 'left' } }
      ]
    }
  ],
  [
    'json-canvas-undirected.canvas',
    {
      format: 'canvas',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        {
          id: 'a',
          label: 'https://example.org',
          x: 0,
          y: 0,
          metadata: { type: 'link', width: 200, height: 100, color: '4' }
        },
        { id: 'e', source: 'a', target: 'b', directed: false, metadata: { toEnd: 'none' } }
      ]
    }
  ],
  [
    'json-vosviewer.json',
    {
      format: 'vosviewer',
      nodes: 2,
      edges: 1,
      losses: { 'id-as-text': 4 },
      first: [
        { id: '1', label: 'bibliometrics', x: 0.1, y: 0.2, metadata: { cluster: 1, 'weight<Links>': 3 } },
        { source: '1', target: '2', metadata: { weight: 5 } }
      ]
    }
  ],
  [
    'json-vosviewer-online.json',
    {
      format: 'vosviewer',
      nodes: 2,
      edges: 1,
      losses: { 'aspects-dropped': 1 },
      first: [
        { id: 'x', label: 'Eck', metadata: { 'score<Year>': 2010.5 } },
        { source: 'x', target: 'y' }
      ]
    }
  ],
  [
    'json-gephi-lite.gephi-lite.json',
    {
      format: 'gephi-lite',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: 'a', label: 'A', x: 1, y: 2 },
        { id: 'e', source: 'a', target: 'b', metadata: { weight: 1 } }
      ]
    }
  ],
  [
    'json-gephi-lite-undirected.gephi-lite.json',
    {
      format: 'gephi-lite',
      nodes: 2,
      edges: 1,
      losses: { 'visual-dropped': 2 },
      first: [
        { id: '1', label: 'One', x: 5, y: 6, metadata: { size: 3 } },
        { source: '1', target: '2' }
      ]
    }
  ],
  [
    'json-excalidraw.excalidraw',
    {
      refused:
        'This is an Excalidraw drawing. Excalidraw cannot export its arrows as edges: list them in a CSV file instead.'
    }
  ],
  ['json-obo-graphs.json', { refused: 'This is OBO Graphs JSON. Export the relations that represent edges as CSV.' }],
  ['json-graphson1.json', { refused: 'This is TinkerPop GraphSON 1. Export the graph as GraphML instead.' }],
  [
    'json-kumu.json',
    {
      refused: 'This is a Kumu project. Export it from Kumu as a spreadsheet, and save the sheet of connections as CSV.'
    }
  ],
  ['json-single-quotes.json', { refused: 'This is a Python dictionary, not JSON. Write it with json.dump in Python.' }],
  [
    'misc-numpy-print.txt',
    { refused: 'This is a printed NumPy array. Save it as CSV, for example with numpy.savetxt and the delimiter ",".' }
  ]
]
