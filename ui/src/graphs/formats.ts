import type { paths } from '../../../clients/typescript/src/generated.ts'
import { Problem, Unreachable } from '../api.ts'
import { fileNameOf, lossesOf } from './file-headers.ts'

/** The media types of graph files. */
export type MediaType = keyof paths['/api/graphs/{id}/content']['get']['responses'][200]['content']

/** The names of the formats, by media type. Omitting one is a type error. */
export const formats: Record<MediaType, string> = {
  'application/vnd.jgf+json': 'JSON Graph Format',
  'application/json': 'Node-link JSON (networkx, d3)',
  'application/vnd.cytoscape+json': 'Cytoscape.js JSON',
  'application/vnd.cx2+json': 'CX2 (Cytoscape, NDEx)',
  'application/graphml+xml': 'GraphML',
  'application/gexf+xml': 'GEXF (Gephi)',
  'text/x-gml': 'GML',
  'text/vnd.graphviz': 'DOT (Graphviz)',
  'text/x-pajek': 'Pajek',
  'text/vnd.mermaid': 'Mermaid flowchart',
  'text/csv': 'CSV',
  'text/tab-separated-values': 'TSV'
}
export const mediaTypes = Object.keys(formats) as MediaType[]

/** The names of the formats that can be imported, by media type. */
export const importFormats: Record<string, string> = {
  ...formats,
  'application/vnd.cx+json': 'CX, version 1 (Cytoscape 3, NDEx)',
  'application/xgmml+xml': 'XGMML (Cytoscape)',
  'text/x-gdf': 'GDF',
  'text/x-sif': 'SIF (Cytoscape)',
  'text/x-edge-list': 'List of edges',
  'text/turtle': 'Turtle (RDF)',
  'application/n-triples': 'N-Triples (RDF)',
  'text/x-maven-tree': 'Maven dependency tree',
  'text/x-metis': 'METIS',
  'text/x-tgf': 'TGF (yEd, Maven)',
  'text/x-ucinet': 'UCINET DL',
  'text/x-vna': 'VNA (NetDraw)',
  'application/vnd.jgraph.mxfile': 'draw.io'
}

/** A graph as a file, with the file name and a list of what the format could not store. */
export type GraphFile = Awaited<ReturnType<typeof fetchFile>>

/** Fetches the graph as a file. */
export function downloadGraph(id: number, mediaType: MediaType) {
  return fetchFile(`/api/graphs/${id}/content`, { headers: { accept: mediaType } })
}

/** Fetches a file. Throws Problem or Unreachable. */
export async function fetchFile(path: string, request: RequestInit) {
  const response = await fetch(path, request).catch((cause: unknown) => {
    throw new Unreachable('unreachable', { cause })
  })
  if (!response.ok) throw new Problem(response.status, await response.json().catch(() => ({})))
  return {
    blob: await response.blob(),
    name: fileNameOf(response.headers.get('content-disposition') ?? ''),
    losses: lossesOf(response.headers.get('graphstead-loss') ?? '')
  }
}
