import type { paths } from '../../../clients/typescript/src/generated.ts'
import { type ImportReport, Problem, Unreachable } from '../api.ts'
import { fileNameOf, lossesOf } from './file-headers.ts'

/** The media types of graph files. */
export type MediaType = keyof paths['/api/graphs/{id}/content']['get']['responses'][200]['content']

/** The display names of the formats that can be imported, by name. Omitting one is a type error. */
export const formats: Record<ImportReport['format'], string> = {
  jgf: 'JSON Graph Format',
  'node-link': 'Node-link JSON (networkx, d3)',
  cytoscape: 'Cytoscape.js JSON',
  cx2: 'CX2 (Cytoscape, NDEx)',
  graphml: 'GraphML',
  gexf: 'GEXF (Gephi)',
  gml: 'GML',
  dot: 'DOT (Graphviz)',
  pajek: 'Pajek',
  xlsx: 'Excel',
  csv: 'CSV',
  tsv: 'TSV',
  cx: 'CX, version 1 (Cytoscape 3, NDEx)',
  neo4j: 'Neo4j JSON',
  adjacency: 'Adjacency JSON (networkx)',
  cyclonedx: 'CycloneDX JSON',
  spdx: 'SPDX JSON',
  npm: 'npm JSON (npm ls, package-lock.json)',
  pipdeptree: 'pipdeptree JSON',
  dbt: 'dbt manifest',
  canvas: 'JSON Canvas (Obsidian)',
  vosviewer: 'VOSviewer JSON',
  'gephi-lite': 'Gephi Lite workspace',
  records: 'JSON records (pandas, ArangoDB)',
  xgmml: 'XGMML (Cytoscape)',
  gdf: 'GDF',
  sif: 'SIF (Cytoscape)',
  'edge-list': 'List of edges',
  turtle: 'Turtle (RDF)',
  'n-triples': 'N-Triples (RDF)',
  mermaid: 'Mermaid flowchart',
  'maven-tree': 'Maven dependency tree',
  metis: 'METIS',
  tgf: 'TGF (yEd, Maven)',
  ucinet: 'UCINET DL',
  vna: 'VNA (NetDraw)',
  drawio: 'draw.io'
}

/** The display names of the formats that graphs can be exported to, by media type. Omitting one is a type error. */
export const exportFormats: Record<MediaType, string> = {
  'application/vnd.jgf+json': formats.jgf,
  'application/json': formats['node-link'],
  'application/vnd.cytoscape+json': formats.cytoscape,
  'application/vnd.cx2+json': formats.cx2,
  'application/graphml+xml': formats.graphml,
  'application/gexf+xml': formats.gexf,
  'text/x-gml': formats.gml,
  'text/vnd.graphviz': formats.dot,
  'text/x-pajek': formats.pajek,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': formats.xlsx,
  'text/vnd.mermaid': formats.mermaid,
  'text/csv': formats.csv,
  'text/tab-separated-values': formats.tsv
}
export const mediaTypes = Object.keys(exportFormats) as MediaType[]

/** A graph as a file, with the file name and a list of what the format could not store. */
export type GraphFile = Awaited<ReturnType<typeof fetchFile>>

/** Fetches the graph as a file. */
export function downloadGraph(id: number, mediaType: MediaType) {
  return fetchFile(`/api/graphs/${id}/content`, { headers: { accept: mediaType } })
}

/** Fetches a file. Throws Problem or Unreachable. */
export async function fetchFile(path: string, request: RequestInit) {
  const response = await fetch(path, request).catch((cause: unknown) => {
    throw new Unreachable({ cause })
  })
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})))
  return {
    blob: await response.blob(),
    name: fileNameOf(response.headers.get('content-disposition') ?? ''),
    losses: lossesOf(response.headers.get('graphstead-loss') ?? '')
  }
}
