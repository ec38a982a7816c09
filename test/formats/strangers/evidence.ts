import type { Stranger } from './stranger.ts'

const UNCLEAR = { faults: [['ends-unclear', 1]] }

/** Tables that are not graphs, two tables in one file, and partitions. */
export const evidence: Stranger[] = [
  ['nograph-before-after.csv', UNCLEAR],
  ['nograph-columns-a-to-j.csv', UNCLEAR],
  ['nograph-counts.csv', UNCLEAR],
  ['nograph-field-plots-row-col.csv', UNCLEAR],
  ['nograph-ora-counts.tsv', UNCLEAR],
  ['nograph-r-rownames-age.csv', UNCLEAR],
  ['nograph-title-album.csv', UNCLEAR],
  [
    'csv-two-blocks.csv',
    {
      format: 'csv',
      nodes: 3,
      edges: 2,
      losses: { 'node-not-in-table': 1 },
      first: [
        { id: 'a', label: 'Ann', metadata: { Size: 3 } },
        { source: 'a', target: 'b', metadata: { weight: 1 } }
      ]
    }
  ],
  [
    'csv-repeated-header.csv',
    {
      format: 'csv',
      nodes: 3,
      edges: 2,
      losses: { 'header-repeated': 1 },
      first: [{ id: 'a' }, { source: 'a', target: 'b', metadata: { weight: 1 } }]
    }
  ],
  [
    'csv-source-destination-labels.csv',
    {
      format: 'csv',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [{ id: '1' }, { source: '1', target: '2', metadata: { 'Source Label': 'Ann', 'Target Label': 'Ann' } }]
    }
  ],
  [
    'pathway-commons.sif',
    {
      format: 'tsv',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [
        {
          id: 'A1BG',
          metadata: {
            PARTICIPANT_TYPE: 'ProteinReference',
            PARTICIPANT_NAME: 'A1BG protein',
            UNIFICATION_XREF: 'uniprot:P1',
            RELATIONSHIP_XREF: 'hgnc:1'
          }
        },
        {
          source: 'A1BG',
          target: 'A2M',
          relation: 'controls-expression-of',
          metadata: {
            INTERACTION_DATA_SOURCE: 'pid',
            INTERACTION_PUBMED_ID: '11;12',
            PATHWAY_NAMES: 'x',
            MEDIATOR_IDS: 'm1;m2'
          }
        }
      ]
    }
  ],
  [
    'causal-path.sif',
    {
      format: 'sif',
      nodes: 3,
      edges: 3,
      losses: {},
      first: [
        { id: 'AKT1' },
        {
          source: 'AKT1',
          target: 'GSK3B',
          relation: 'phosphorylates',
          metadata: { mediators: 'http://pc2/Catalysis_1 http://pc2/Catalysis_2', sites: 'S9;S21' }
        }
      ]
    }
  ],
  [
    'nograph-infomap.clu',
    { refused: 'This is a partition, which assigns nodes to modules. Import the network that it belongs to.' }
  ]
]
