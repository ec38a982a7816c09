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
  ],
  [
    'json-npm-ls.json',
    {
      format: 'npm',
      nodes: 4,
      edges: 3,
      losses: {},
      first: [
        { id: 'app@1.0.0', label: 'app', metadata: { version: '1.0.0' } },
        { source: 'app@1.0.0', target: 'left-pad@1.3.0', relation: 'dependencies' }
      ]
    }
  ],
  [
    'json-package-lock.json',
    {
      format: 'npm',
      nodes: 5,
      edges: 5,
      losses: { 'aspects-dropped': 1 },
      first: [
        {
          id: 'app@1.0.0',
          label: 'app',
          metadata: {
            version: '1.0.0',
            workspaces: ['packages/*'],
            peerDependenciesMeta: { react: { optional: true } }
          }
        },
        { source: 'app@1.0.0', target: 'a@1.1.0', relation: 'dependencies', metadata: { range: '^1.0.0' } }
      ]
    }
  ],
  [
    'json-pnpm-list.json',
    {
      format: 'npm',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [
        { id: 'app@1.0.0', label: 'app', metadata: { version: '1.0.0', path: '/app', private: true } },
        { source: 'app@1.0.0', target: 'chalk@4.0.0', relation: 'dependencies' }
      ]
    }
  ],
  [
    'json-package.json',
    { refused: 'This is an npm package.json. Import package-lock.json or the output of npm ls --all --json instead.' }
  ],
  [
    'json-nuget-lock.json',
    { refused: 'This is a JSON object, but not a supported graph format: it has neither nodes nor edges.' }
  ],
  [
    'json-pipdeptree.json',
    {
      format: 'pipdeptree',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [
        { id: 'flask', label: 'Flask', metadata: { version: '3.0.0' } },
        { source: 'flask', target: 'click', metadata: { range: '>=8.1.3' } }
      ]
    }
  ],
  [
    'json-pipdeptree-tree.json',
    {
      format: 'pipdeptree',
      nodes: 3,
      edges: 2,
      losses: {},
      first: [
        { id: 'flask', label: 'Flask', metadata: { version: '3.0.0' } },
        { source: 'flask', target: 'jinja2', metadata: { range: '>=3.1' } }
      ]
    }
  ],
  [
    'json-dbt-manifest.json',
    {
      format: 'dbt',
      nodes: 2,
      edges: 1,
      losses: {},
      first: [{ id: 'source.p.s' }, { source: 'source.p.s', target: 'model.p.a' }]
    }
  ],
  [
    'json-dbt-exposure.json',
    {
      format: 'dbt',
      nodes: 3,
      edges: 2,
      losses: { 'aspects-dropped': 1, 'node-not-in-table': 1 },
      first: [
        {
          id: 'model.shop.orders',
          label: 'orders',
          metadata: { resource_type: 'model', raw_code: 'select 1', tags: ['daily'] }
        },
        { source: 'seed.shop.raw', target: 'model.shop.orders' }
      ]
    }
  ],
  [
    'xml-cyclonedx.xml',
    { refused: 'This is a CycloneDX bill of materials in XML. Convert it to JSON with cyclonedx-cli.' }
  ]
]
