import type { Stranger } from './stranger.ts'

/** Text formats of other programs: networkx, RDF, Maven, Mermaid, draw.io, UCINET and METIS. */
export const texts: Stranger[] = [
  [
    'misc-edgelist-dict.edgelist',
    {
      format: 'edge-list',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { weight: 1 } }]
    }
  ],
  [
    'misc-ntriples.nt',
    {
      format: 'n-triples',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: 'http://ex.org/a' },
        { source: 'http://ex.org/a', target: 'http://ex.org/b', relation: 'foaf:knows' }
      ]
    }
  ],
  [
    'misc-turtle.ttl',
    {
      format: 'turtle',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: 'http://ex.org/a' },
        { source: 'http://ex.org/a', target: 'http://ex.org/b', relation: 'foaf:knows' }
      ]
    }
  ],
  [
    'misc-maven-tree.txt',
    {
      format: 'maven-tree',
      nodes: 4,
      edges: 3,
      losses: {},
      first: [
        { id: 'com.example:app:jar:1.0' },
        { source: 'com.example:app:jar:1.0', target: 'org.slf4j:slf4j-api:jar:1.7', relation: 'compile' }
      ]
    }
  ],
  [
    'misc-tgf-maven.tgf',
    {
      format: 'tgf',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '-1437051', label: 'com.example:app:jar:1.0' },
        { source: '-1437051', target: '88163816', label: 'compile' }
      ]
    }
  ],
  [
    'misc-tgf.tgf',
    {
      format: 'tgf',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '1', label: 'First node' },
        { source: '1', target: '2', label: 'Edge between the two' }
      ]
    }
  ],
  [
    'misc-mermaid.mmd',
    {
      format: 'mermaid',
      nodes: 3,
      edges: 3,
      losses: {},
      first: [
        { id: 'A', label: 'Start' },
        { source: 'A', target: 'B' }
      ]
    }
  ],
  [
    'misc-drawio.drawio',
    {
      format: 'drawio',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: '2', label: 'A' },
        { id: '4', source: '2', target: '3' }
      ]
    }
  ],
  [
    'ucinet-edgelist1.dl',
    {
      format: 'ucinet',
      nodes: 3,
      edges: 2,
      losses: { 'isolated-node-dropped': 1 },
      first: [{ id: 'ann' }, { source: 'ann', target: 'bob', metadata: { weight: 1 } }]
    }
  ],
  [
    'ucinet-sna-write-dl.dl',
    {
      format: 'ucinet',
      nodes: 4,
      edges: 2,
      losses: {},
      first: [{ id: 'ann' }, { source: 'ann', target: 'bob', metadata: { weight: 1 } }]
    }
  ],
  [
    'vna.vna',
    {
      format: 'vna',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: 'Holly', metadata: { gender: 'female' } },
        { source: 'Holly', target: 'Brazey', metadata: { friends: 1, weight: 2 } }
      ]
    }
  ],
  [
    'misc-metis.graph',
    { format: 'metis', nodes: 3, edges: 2, losses: {}, first: [{ id: '1' }, { source: '1', target: '2' }] }
  ],
  ['misc-toml.toml', { refused: 'This is TOML. Save its edges as CSV or JSON.' }],
  ['misc-dump.sql', { refused: 'This is SQL. Load it into a database, and export the table of edges as CSV.' }],
  [
    'misc-newick.nwk',
    {
      refused:
        'This is a tree in Newick format. Read it in R with ape, convert it with as.igraph, and save it as GraphML with write_graph.'
    }
  ],
  ['ogc-gml.gml', { refused: 'This is a map in the OGC Geography Markup Language. It contains no graph.' }],
  [
    'misc-cypher.cypher',
    { refused: 'This is Cypher. Run it in Neo4j, and export the graph as GraphML with apoc.export.graphml.all.' }
  ],
  [
    'misc-git-lfs-pointer.graphml',
    { refused: 'This is a Git LFS pointer, not the file itself. Run git lfs pull, then import the file.' }
  ],
  ['tab-r-write-table-matrix.txt', { refused: 'This table was written by write.table in R. Use write.csv instead.' }],
  ['csv-adjacency-list.csv', { faults: [['ends-unclear', 1]] }]
]
