import type { Stranger } from './stranger.ts'

/** Lists of dependencies. */
export const dependencies: Stranger[] = [
  [
    'json-cyclonedx.json',
    {
      format: 'cyclonedx',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: 'pkg:npm/a@1', label: 'a' },
        { source: 'pkg:npm/a@1', target: 'pkg:npm/b@1', relation: 'dependsOn' }
      ]
    }
  ],
  [
    'json-cyclonedx-nested.json',
    {
      format: 'cyclonedx',
      nodes: 5,
      edges: 3,
      losses: { 'aspects-dropped': 1, 'node-not-in-table': 1 },
      first: [
        { id: 'app', label: 'shop', metadata: { type: 'application', version: '2.0' } },
        { source: 'app', target: 'pkg:maven/g/lib@1.0', relation: 'dependsOn' }
      ]
    }
  ],
  [
    'json-spdx.json',
    {
      format: 'spdx',
      nodes: 4,
      edges: 3,
      losses: { 'aspects-dropped': 1 },
      first: [
        { id: 'SPDXRef-DOCUMENT', label: 'shop' },
        { source: 'SPDXRef-DOCUMENT', target: 'SPDXRef-shop', relation: 'DESCRIBES' }
      ]
    }
  ],
  [
    'json-spdx3.json',
    {
      format: 'spdx',
      nodes: 2,
      edges: 1,
      losses: { 'aspects-dropped': 1 },
      first: [
        { id: 'urn:shop', label: 'shop', metadata: { type: 'software_Package', creationInfo: '_:info' } },
        {
          source: 'urn:shop',
          target: 'urn:lib',
          relation: 'dependsOn',
          metadata: { type: 'Relationship', spdxId: 'urn:r1', creationInfo: '_:info' }
        }
      ]
    }
  ]
]
