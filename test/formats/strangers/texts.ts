import type { Stranger } from './stranger.ts'

/** Texts of other programs: networkx, RDF, Maven, Mermaid, draw.io, UCINET and METIS. */
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
  ]
]
