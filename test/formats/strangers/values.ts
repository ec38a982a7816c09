import type { Stranger } from './stranger.ts'

/** Numbers, words and encodings from other countries, and the error values of spreadsheets. */
export const values: Stranger[] = [
  [
    'pajek-decimal-comma.net',
    {
      format: 'pajek',
      nodes: 2,
      edges: 1,
      losses: { 'decimal-comma': 7 },
      first: [
        { id: '1', label: 'a', x: 0.1, y: -0.2, z: 0.5 },
        { source: '1', target: '2', metadata: { weight: 1.5 } }
      ]
    }
  ],
  [
    'csv-de-quelle-ziel.csv',
    {
      format: 'csv',
      nodes: 3,
      edges: 2,
      losses: { 'decimal-comma': 1 },
      first: [{ id: 'München' }, { source: 'München', target: 'Köln', metadata: { weight: 1.5 } }]
    }
  ],
  [
    'csv-type-german.csv',
    { format: 'csv', nodes: 3, edges: 2, losses: {}, first: [{ id: 'a' }, { source: 'a', target: 'b' }] }
  ],
  [
    'csv-fr-source-cible.csv',
    {
      format: 'csv',
      nodes: 3,
      edges: 2,
      losses: { 'decimal-comma': 1 },
      first: [{ id: 'Paris' }, { source: 'Paris', target: 'Lyon', metadata: { weight: 1.5 } }]
    }
  ],
  ['csv-ja-sjis.csv', { faults: [['malformed-encoding', 1]] }],
  [
    'csv-excel-errors.csv',
    {
      format: 'csv',
      nodes: 4,
      edges: 3,
      losses: { 'null-dropped': 2 },
      first: [{ id: 'a' }, { source: 'a', target: 'b' }]
    }
  ],
  [
    'csv-thousands-space.csv',
    {
      format: 'csv',
      nodes: 3,
      edges: 2,
      losses: { 'thousands-separator': 2 },
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { Count: 1234 } }]
    }
  ],
  [
    'csv-swiss-apostrophe.csv',
    {
      format: 'csv',
      nodes: 3,
      edges: 2,
      losses: { 'thousands-separator': 2 },
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { Betrag: 1234.5 } }]
    }
  ]
]
