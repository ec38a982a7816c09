import { walkJson } from '../../content/json-text.ts'
import { isLines, topNames } from './json-file.ts'

// Describes text files that contain no graph, or a graph in an unsupported format.

const PACKAGE = 'This is an npm package.json. Import package-lock.json or the output of npm ls --all --json instead.'
const OPENAPI = 'This is an OpenAPI document.'
const JSON_LD = 'This is JSON-LD. Convert it to Turtle or N-Triples.'
const GEOJSON = 'This is a GeoJSON map.'

/** Kinds of JSON objects, identified by members that must all be present. The first match wins. */
const objects: [members: string[], sentence: string][] = [
  [
    ['elements', 'connections'],
    'This is a Kumu project. Export it from Kumu as a spreadsheet, and save the sheet of connections as CSV.'
  ],
  [
    ['elements', 'type'],
    'This is an Excalidraw drawing. Excalidraw cannot export its arrows as edges: list them in a CSV file instead.'
  ],
  [
    ['columns', 'index', 'data'],
    'This table was written by pandas with orient="split". Write it with orient="records" instead.'
  ],
  [['nbformat', 'cells'], 'This is a Jupyter notebook.'],
  [['openapi', 'info'], OPENAPI],
  [['swagger', 'info'], OPENAPI],
  [['features', 'type'], GEOJSON],
  [['geometry', 'type'], GEOJSON],
  [['coordinates', 'type'], GEOJSON],
  [['arcs', 'objects'], 'This is a TopoJSON map.'],
  [['lockfileVersion', 'workspaces'], 'This is a Bun lockfile. Import the output of npm ls --all --json instead.'],
  [['lockfileVersion'], 'This is an npm lockfile.'],
  [['compilerOptions'], 'This is a TypeScript configuration file.'],
  [['runs', 'version'], 'This is a SARIF analysis report.'],
  [['@context'], JSON_LD],
  [['@graph'], JSON_LD],
  [['name', 'version', 'dependencies'], PACKAGE],
  [['name', 'version', 'devDependencies'], PACKAGE],
  [['name', 'version', 'license'], PACKAGE],
  [['name', 'version', 'main'], PACKAGE],
  [['outE'], 'This is TinkerPop GraphSON. Export the graph as GraphML instead.'],
  [['inE'], 'This is TinkerPop GraphSON. Export the graph as GraphML instead.'],
  [['graph'], 'This is TinkerPop GraphSON 1. Export the graph as GraphML instead.'],
  [['graphs'], 'This is OBO Graphs JSON. Export the relations that represent edges as CSV.'],
  [['children'], 'This is a hierarchy, as used by D3. Save its nodes and links as node-link JSON.'],
  [['$schema', 'properties'], 'This is a JSON Schema.'],
  [['$schema', 'marks'], 'This is a Vega chart.'],
  [['$schema', 'mark'], 'This is a Vega chart.']
]

/** The number of characters to examine. */
const HEAD = 100_000

const RECORDS =
  'These are JSON records, but no two of their members are recognised as the source and target of an edge. If they are edges, choose the format records, and specify the endpoints with sourceColumn and targetColumn.'

/** A header and a row name in quotes, separated by spaces. */
const WRITE_TABLE = /^"[^"\n]*"(?: "[^"\n]*")+\r?\n"[^"\n]*" /

/** Describes JSON, and text that begins like it, if it is known not to be a graph. Returns undefined for other files. */
export function foreignJsonName(text: string): string | undefined {
  if (!/^[[{"]/.test(text)) return undefined
  if (WRITE_TABLE.test(text)) return 'This table was written by write.table in R. Use write.csv instead.'
  const { isArray, names } = topNames(text.slice(0, HEAD))
  if (isArray && names.size > 0) return RECORDS
  const found = isArray ? undefined : objects.find(([members]) => members.every((member) => names.has(member)))
  if (found) return found[1]
  if (isLines(text)) return RECORDS
  // Text in brackets or quotes is often not JSON.
  if (walkJson(text, undefined, true) !== undefined) return undefined
  return text.startsWith('{')
    ? 'This is a JSON object, but not a supported graph format: it has neither nodes nor edges.'
    : 'This is JSON, but not a supported graph format.'
}

const PARTITION = 'This is a partition, which assigns nodes to modules. Import the network that it belongs to.'

/** Text files that could be mistaken for tables, identified by how they begin. */
const beginnings: [beginning: RegExp, sentence: string][] = [
  [
    /^\[?\s{0,20}\{\s{0,20}'[^'\n]{0,200}'\s{0,20}:/,
    'This is a Python dictionary, not JSON. Write it with json.dump in Python.'
  ],
  [
    /^\[\[[\d\s.eE+-]{1,1000}\]\s{0,20}\[/,
    'This is a printed NumPy array. Save it as CSV, for example with numpy.savetxt and the delimiter ",".'
  ],
  [/^##fileformat=VCF/, 'This is VCF, a list of genetic variants.'],
  [/^#NEXUS\b/i, 'This is NEXUS. Export the tree as GraphML or CSV.'],
  [
    /^[\w-]+ v\d[^\n]*\n[│├└|`]/,
    'This is the output of cargo tree. Import a bill of materials from cargo-cyclonedx instead.'
  ],
  [
    /^(?:@[\w.-]+\/)?[\w.-]+@\d[^\n]*\n[│├└|`+]/,
    'This is the output of npm ls. Import the output of npm ls --all --json instead.'
  ],
  [
    /^[+\\]--- (?:project :|[\w.-]+:)/m,
    'This is a Gradle dependency tree. Import a bill of materials from the CycloneDX Gradle plugin instead.'
  ],
  // A line with one vertex, and lines with its neighbours and weights.
  [
    /^# ?[^\s#]+\r?\n[^\s#]+(?:[ \t]+[\d.eE+-]+)?\r?\n(?:[^\s#]+(?:[ \t]+[\d.eE+-]+)?\r?\n)*# ?[^\s#]+\r?\n/,
    'This is LGL. Read it in igraph, and save it as GraphML.'
  ],
  [/^@startuml\b/, 'This is PlantUML.'],
  [/^LEDA\.GRAPH\b/, 'This is a LEDA graph. Convert it to GraphML or GML.'],
  [/^>>(?:graph6|sparse6|digraph6)<</, 'This is graph6 or sparse6. Convert it to GraphML with networkx.'],
  [/^(?:;[^\n]*\n)*\((?:tlp|nodes)\s/, 'This is a Tulip TLP file. Export the graph as GML or GEXF.'],
  [/^\[[a-z][\w .:-]*\][ \t]*[\r\n]/i, 'This is a settings file, such as INI or TOML.'],
  // Infomap writes .clu and .tree.
  [/^(?:#[^\n]*\n)*#[ \t]*(?:state|node)_id[ \t]+module\b/, PARTITION],
  [/^(?:#[^\n]*\n)*(?:#[ \t]*path[ \t]+flow[ \t]+name\b|\d+(?::\d+)+[ \t]+[\d.e+-]+[ \t]+")/, PARTITION],
  [/^format-version:/, 'This is OBO. Export the relations that represent edges as CSV.'],
  [/^@article\{|^@book\{|^@inproceedings\{/i, 'This is BibTeX.'],
  [
    /^(?:[\w.-]+[ \t]*=[^\n]*\n|#[^\n]*\n|\s)*\[\[[a-z][\w.-]*\]\][ \t]*[\r\n]/i,
    'This is TOML. Save its edges as CSV or JSON.'
  ],
  [
    /^(?:(?:\/\/[^\n]*\n|\s)*(?:CREATE|MERGE|MATCH)\s*\([\s\w`]*(?:[:{]|\)\s*<?-)|:begin\s|UNWIND\s+\[)/,
    'This is Cypher. Run it in Neo4j, and export the graph as GraphML with apoc.export.graphml.all.'
  ],
  [
    /^(?:--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/|[\s;])*(?:(?:CREATE|DROP)\s+(?:TEMP(?:ORARY)?\s+)?(?:TABLE|DATABASE|SCHEMA)\s|INSERT\s+INTO\s|BEGIN(?:\s+TRANSACTION)?;\s*\n|PRAGMA\s+\w+\s*=|SET\s+\w+\s*=|USE\s+(?:\[|[\w`]+;\s*\n))/i,
    'This is SQL. Load it into a database, and export the table of edges as CSV.'
  ]
]

/** A tree in Newick format begins with a leaf in parentheses, and ends with a semicolon. */
const NEWICK = /^(?:\[[^\]\n]*\]\s*)?\(+(?:'[^'\n]*'|[^\s(),:;']*)(?::[\d.eE+-]+)?,/
const TREE =
  'This is a tree in Newick format. Read it in R with ape, convert it with as.igraph, and save it as GraphML with write_graph.'

/** Describes text whose beginning rules out a table or a supported graph format. Returns undefined for other text. */
export function foreignTextName(text: string): string | undefined {
  const head = text.slice(0, HEAD)
  const found = beginnings.find(([beginning]) => beginning.test(head))
  if (found) return found[1]
  if (isOfValues(head)) return VALUES
  return NEWICK.test(head) && /\)[^(),;]*;\s*(?:\(|$)/.test(head) ? TREE : undefined
}

const VALUES =
  'This is a Pajek partition or vector, with a value for each vertex. Import the network that it belongs to.'

/** Returns whether the text is a Pajek .clu or .vec file: one number per line, but not just the vertex numbers. */
function isOfValues(text: string) {
  const [first = '', ...lines] = text.trim().split(/[\r\n]+/)
  if (!/^\*vertices[ \t]+\d+$/i.test(first.trim())) return false
  // The last line may be cut off.
  const values = lines
    .slice(0, text.length === HEAD ? -1 : undefined)
    .map((line) => (line.trim() === '' ? Number.NaN : Number(line)))
  return values.every((value) => !Number.isNaN(value)) && values.some((value, index) => value !== index + 1)
}

/** Descriptions of files by media type, or by the part of the type before the slash, as for images. */
const mediaTypes: ReadonlyMap<string, string> = new Map([
  ['application/geo+json', GEOJSON],
  ['application/vnd.geo+json', GEOJSON],
  ['application/topo+json', 'This is a TopoJSON map.'],
  ['application/ld+json', JSON_LD],
  ['application/x-ipynb+json', 'This is a Jupyter notebook.'],
  ['application/vnd.oai.openapi', OPENAPI],
  ['application/vnd.oai.openapi+json', OPENAPI],
  ['application/schema+json', 'This is a JSON Schema.'],
  ['application/pdf', 'This is a PDF.'],
  ['application/postscript', 'This is PostScript.'],
  ['application/rtf', 'This is a text document. Save its table as CSV.'],
  ['application/msword', 'This is a Word document. Save its table as CSV.'],
  ['application/vnd.ms-excel', 'This is an Excel workbook from before 2007 (.xls). Save it as .xlsx.'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'This is a LibreOffice spreadsheet (.ods). Save it as .xlsx.'],
  ['application/rdf+xml', 'This is RDF/XML. Convert it to Turtle or N-Triples.'],
  ['application/vnd.google-earth.kml+xml', 'This is a map.'],
  ['application/yaml', 'This is YAML.'],
  ['text/html', 'This is an HTML page.'],
  ['text/markdown', 'This is Markdown.'],
  ['image/*', 'This is an image.'],
  ['video/*', 'This is an audio or video file.'],
  ['audio/*', 'This is an audio or video file.']
])

/** Describes files of this media type if they are known not to contain a graph. */
export function foreignMediaTypeName(type: string): string | undefined {
  return mediaTypes.get(type) ?? mediaTypes.get(`${type.slice(0, type.indexOf('/'))}/*`)
}
