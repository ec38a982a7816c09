import { cyclonedx } from './dependencies/cyclonedx.ts'
import { dbt } from './dependencies/dbt.ts'
import { mavenTree } from './dependencies/maven-tree.ts'
import { npm } from './dependencies/npm.ts'
import { pipdeptree } from './dependencies/pipdeptree.ts'
import { spdx } from './dependencies/spdx.ts'
import { drawIo } from './diagrams/draw-io.ts'
import { mermaid } from './diagrams/mermaid.ts'
import { adjacency } from './json/adjacency.ts'
import { canvas } from './json/canvas.ts'
import { cx1 } from './json/cx1.ts'
import { cx2 } from './json/cx2.ts'
import { cytoscape } from './json/cytoscape.ts'
import { gephiLite } from './json/gephi-lite.ts'
import { jsonGraphFormat } from './json/json-graph-format.ts'
import { neo4j } from './json/neo4j.ts'
import { nodeLink } from './json/node-link.ts'
import { records } from './json/records.ts'
import { vosviewer } from './json/vosviewer.ts'
import { metis } from './networks/metis.ts'
import { pajek } from './networks/pajek.ts'
import { ucinet } from './networks/ucinet.ts'
import { vna } from './networks/vna.ts'
import type { Format, WritableFormat } from './shared/format.ts'
import { markOf } from './shared/text.ts'
import { csv, tsv } from './tables/csv.ts'
import { edgeList } from './tables/edge-list.ts'
import { gdf } from './tables/gdf.ts'
import { sif } from './tables/sif.ts'
import { dot } from './text/dot.ts'
import { gml } from './text/gml.ts'
import { nTriples, turtle } from './text/rdf.ts'
import { tgf } from './text/tgf.ts'
import { xlsx } from './workbook/xlsx.ts'
import { gexf } from './xml/gexf.ts'
import { graphml } from './xml/graphml.ts'
import { xgmml } from './xml/xgmml.ts'

/** All formats, in the order in which they are tried. */
export const formats: readonly Format[] = [
  neo4j,
  adjacency,
  dbt,
  canvas,
  nodeLink,
  jsonGraphFormat,
  cytoscape,
  cx2,
  cx1,
  cyclonedx,
  spdx,
  npm,
  pipdeptree,
  vosviewer,
  gephiLite,
  records,
  graphml,
  gexf,
  xgmml,
  drawIo,
  gml,
  dot,
  pajek,
  gdf,
  ucinet,
  vna,
  mermaid,
  turtle,
  nTriples,
  mavenTree,
  tgf,
  metis,
  xlsx,
  csv,
  sif,
  tsv,
  edgeList
]

/** The formats that graphs can be exported to. */
export const writableFormats = formats.filter(isWritable)

export const mediaTypes = [...new Set(formats.map(({ mediaType }) => mediaType))]
export const writableMediaTypes = writableFormats.map(({ mediaType }) => mediaType)

function isWritable(format: Format): format is WritableFormat {
  return format.write !== undefined
}

/** Returns the format with this name, such as `graphml`. */
export function formatNamed(name: string): Format | undefined {
  return formats.find((format) => format.name === name)
}

/** Returns the format with this name, if graphs can be exported to it. */
export function writableFormatNamed(name: string): WritableFormat | undefined {
  return writableFormats.find((format) => format.name === name)
}

/**
 * Returns the formats with the longest extension that matches the file name: several for `.json`. `.gz` or `.zst` may follow the
 * extension.
 */
export function formatsOfFile(file: string): Format[] {
  const name = file.toLowerCase().replace(/\.(?:gz|zst)$/, '')
  const matches = formats.flatMap((format) =>
    format.endings.filter((ending) => name.endsWith(ending)).map((ending) => ({ format, length: ending.length }))
  )
  const longest = Math.max(0, ...matches.map(({ length }) => length))
  return matches.filter(({ length }) => length === longest).map(({ format }) => format)
}

/** Returns the first candidate that recognises the text, or undefined. */
export function recognise(text: string, candidates: readonly Format[] = formats): Format | undefined {
  return candidates.find((format) => format.recognises(text))
}

/**
 * Decodes a file for format detection, without its byte order mark and leading white space. Encodings other than UTF-16 contain
 * ASCII, which is enough for detection.
 */
export function textToRecognise(bytes: Buffer, charset = ''): string {
  const utf16 = /^utf-16(?:le|be)?$/i.test(charset) ? charset : undefined
  const encoding = markOf(bytes) ?? utf16 ?? 'utf-8'
  const decoded = encoding === 'utf-8' ? bytes.toString('utf8') : new TextDecoder(encoding).decode(bytes)
  return decoded.replace(/^\uFEFF?\s*/, '')
}
