import type { Stranger } from './stranger.ts'

/** Files in formats that can also be written. */
export const graphs: Stranger[] = [
  [
    'graphml-xml-in-data.graphml',
    {
      format: 'graphml',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: 'n0', metadata: { person: '<p:person><p:name>Ada</p:name><p:role>chair</p:role></p:person>' } },
        { source: 'n0', target: 'n1' }
      ]
    }
  ],
  [
    'json-networkx-nan.json',
    {
      format: 'node-link',
      nodes: 2,
      edges: 1,
      losses: { 'id-as-text': 4, 'null-dropped': 3 },
      first: [{ id: '0' }, { source: '0', target: '1' }]
    }
  ],
  [
    'gexf-one-nan-column.gexf',
    {
      format: 'gexf',
      nodes: 3,
      edges: 1,
      losses: { 'number-as-text': 1 },
      first: [
        { id: 'a', metadata: { pr: 0.25 } },
        { source: 'a', target: 'b' }
      ]
    }
  ],
  [
    'graphml-double-nan.graphml',
    {
      format: 'graphml',
      nodes: 3,
      edges: 1,
      losses: { 'number-as-text': 2 },
      first: [
        { id: 'n0', metadata: { pagerank: 0.25 } },
        { source: 'n0', target: 'n1' }
      ]
    }
  ],
  [
    'cx2-lists.cx2',
    {
      format: 'cx2',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '1', label: 'TP53', metadata: { alias: ['P53', 'LFS1'], scores: [0.5, 1], flags: [true, false] } },
        { id: '1', source: '1', target: '2', relation: 'binds', metadata: { pmids: [11, 22] } }
      ]
    }
  ],
  [
    'cx-deep-provenance.cx',
    {
      format: 'cx',
      nodes: 2,
      edges: 1,
      losses: { 'aspects-dropped': 1 },
      first: [
        { id: '1', label: 'A' },
        { id: '3', source: '1', target: '2', relation: 'binds' }
      ]
    }
  ],
  [
    'cx-string-ids.cx',
    {
      format: 'cx',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '1', label: 'A' },
        { id: '3', source: '1', target: '2' }
      ]
    }
  ],
  [
    'dot-hash-comment-indented.gv',
    { format: 'dot', nodes: 2, edges: 1, losses: {}, first: [{ id: 'a' }, { source: 'a', target: 'b' }] }
  ],
  [
    'dot-nodelist-comma.gv',
    { format: 'dot', nodes: 4, edges: 4, losses: {}, first: [{ id: 'a' }, { source: 'a', target: 'c' }] }
  ],
  [
    'dot-subgraph-comma-list.dot',
    {
      format: 'dot',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [{ id: 'A' }, { source: 'A', target: 'B', label: 'mobile' }]
    }
  ],
  [
    'json-utf16-powershell.json',
    { format: 'node-link', nodes: 2, edges: 1, losses: {}, first: [{ id: 'ä' }, { source: 'ä', target: 'b' }] }
  ],
  [
    'json-huge-int-ids.json',
    {
      format: 'node-link',
      nodes: 2,
      edges: 1,
      losses: { 'id-as-text': 4 },
      first: [{ id: '1234567890123456789' }, { source: '1234567890123456789', target: '1234567890123456790' }]
    }
  ],
  [
    'graphml-neo4j-undeclared-labels.graphml',
    {
      format: 'graphml',
      nodes: 2,
      edges: 1,
      losses: { 'key-undeclared': 2 },
      first: [
        { id: 'n29', metadata: { labels: ':Page:Old', title: 'Langs' } },
        { id: 'e7', source: 'n29', target: 'n30', label: 'LINKS' }
      ]
    }
  ],
  [
    'gexf-mutual-loop.gexf',
    {
      format: 'gexf',
      nodes: 2,
      edges: 3,
      losses: { 'edge-per-direction': 1 },
      first: [{ id: 'a' }, { id: '1', source: 'a', target: 'b', metadata: { weight: 3 } }]
    }
  ],
  [
    'json-react-flow.json',
    {
      format: 'node-link',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '1', label: 'Start', x: 250, y: -5, metadata: { type: 'input' } },
        { id: 'e1-2', source: '1', target: '2', label: 'go', metadata: { animated: true } }
      ]
    }
  ],
  [
    'misc-edges.xlsx',
    {
      format: 'xlsx',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { weight: 1 } }]
    }
  ],
  [
    'misc-zip-neo4j-many.zip',
    {
      format: 'csv',
      nodes: 2,
      edges: 1,
      losses: { 'id-replaced': 4 },
      first: [
        { id: 'P:1', label: 'A', metadata: { labels: 'Person' } },
        { source: 'P:1', target: 'M:1', relation: 'ACTED_IN' }
      ]
    }
  ]
]
