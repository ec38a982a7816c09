/**
 * The building blocks of JSON formats that are only imported. See Grammar in cases.ts; the pieces common to all JSON formats
 * are added.
 */
// biome-ignore format: packed lines
export const jsonKinds: Record<string, { frames: [start: string, end: string][]; pieces: string[] }> = {
  neo4j: {
    frames: [
      ['{"results":[{"columns":["n"],"data":[', '{"row":[1]}]}]}'],
      ['{"type":"node","id":"0","labels":[],"properties":{}}\n', ''],
      ['[{"n":{"identity":0,"labels":[],"properties":{}}},', '0]']
    ],
    pieces: [
      '{"graph":{"nodes":[{"id":"#","labels":[],"properties":{}}],"relationships":[]}},',
      '{"type":"node","id":"#","labels":["A"],"properties":{"name":"n"}}\n',
      '{"identity":#,"start":0,"end":#,"type":"T","properties":{}},', '{"row":["a","#"]},'
    ]
  },
  adjacency: {
    frames: [
      ['{"directed":false,"nodes":[{"id":0}],"adjacency":[[', '{"id":0}]]}'],
      ['{"directed":true,"graph":[],"nodes":[', '{"id":0}],"adjacency":[]}'],
      ['{"nodes":[{"id":0}],"adjacency":[', '[]]}']
    ],
    pieces: [
      '{"id":#},', '{"id":0,"key":#},', '[{"id":#}],'
    ]
  },
  cyclonedx: {
    frames: [
      ['{"bomFormat":"CycloneDX","components":[', '{"bom-ref":"z"}]}'],
      ['{"bomFormat":"CycloneDX","dependencies":[', '{"ref":"z"}]}'],
      ['{"bomFormat":"x","components":[{"name":"a","components":[', '{"name":"z"}]}]}']
    ],
    pieces: [
      '{"bom-ref":"#","name":"n"},', '{"ref":"a","dependsOn":["#"]},', '{"name":"a","components":[', ']},',
      '{"ref":"#","provides":["a","b"]},'
    ]
  },
  spdx: {
    frames: [
      ['{"spdxVersion":"SPDX-2.3","packages":[', '{"SPDXID":"z"}]}'],
      ['{"spdxVersion":"SPDX-2.3","relationships":[', '{}]}'],
      ['{"@context":"https://spdx.org/rdf/3.0.1/","@graph":[', '{"spdxId":"z"}]}']
    ],
    pieces: [
      '{"SPDXID":"#","name":"n"},', '{"spdxElementId":"a","relatedSpdxElement":"#","relationshipType":"CONTAINS"},',
      '{"spdxId":"#"},', '{"from":"a","to":["#"]},'
    ]
  },
  npm: {
    frames: [
      ['{"dependencies":{', '"z":{"version":"1"}}}'],
      ['{"lockfileVersion":3,"packages":{"":{"dependencies":{"a":"1"}},', '"node_modules/z":{}}}'],
      ['{"lockfileVersion":3,"packages":{"":{"dependencies":{', '"z":"1"}}}}']
    ],
    pieces: [
      '"a#":{"version":"1"},', '"a":{"version":"1","dependencies":{', '}},',
      '"node_modules/a#":{"version":"1","dependencies":{"a":"1"}},', 'node_modules/a/', '"a#":"1",'
    ]
  },
  pipdeptree: {
    frames: [
      ['[{"package":{"key":"a","installed_version":"1"},"dependencies":[', '{"key":"z"}]}]'],
      ['[', '{"key":"a","package_name":"a","installed_version":"1","dependencies":[]}]']
    ],
    pieces: [
      '{"key":"a#"},', '{"key":"a","dependencies":[', ']},',
      '{"package":{"key":"a#"},"dependencies":[{"key":"a","required_version":"1"}]},'
    ]
  },
  dbt: {
    frames: [
      ['{"sources":{},"parent_map":{},"nodes":{', '"z":{}}}'],
      ['{"nodes":{},"sources":{},"parent_map":{', '"z":["a"]}}']
    ],
    pieces: [
      '"m#":{"name":"n"},', '"m#":["a"],', '"m":["a","b"],'
    ]
  },
  canvas: {
    frames: [
      ['{"nodes":[', '{"id":"z"}],"edges":[{"fromNode":"z","toNode":"z"}]}'],
      ['{"nodes":[{"id":"z"}],"edges":[', '{"fromNode":"z","toNode":"z"}]}']
    ],
    pieces: [
      '{"id":"#","type":"text","text":"x","x":1,"y":2,"width":3,"height":4},',
      '{"id":"#","fromNode":"z","toNode":"z","toEnd":"none"},'
    ]
  },
  vosviewer: {
    frames: [
      ['{"network":{"items":[', '{"id":1}]}}'],
      ['{"network":{"items":[{"id":0}],"links":[', '{"source_id":0,"target_id":0}]}}']
    ],
    pieces: [
      '{"id":#,"label":"x","weights":{"a":1}},', '{"source_id":0,"target_id":#,"strength":1},',
      '{"id":0,"scores":{"a#":1}},'
    ]
  },
  'gephi-lite': {
    frames: [
      ['{"type":"gephi-lite","graphDataset":{"fullGraph":{"nodes":[', '{"key":"z"}]}}}'],
      ['{"type":"gephi-lite","graphDataset":{"nodeData":{', '"z":{}},"fullGraph":{"nodes":[{"key":"z"}],"edges":[]}}}']
    ],
    pieces: [
      '{"key":"#"},', '{"key":"#","source":"z","target":"z"},', '"#":{"label":"x"},'
    ]
  }
}
