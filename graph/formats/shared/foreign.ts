import { rootElement } from './xml.ts'

// Describes files that Graphstead cannot read as a graph, so that the sender knows what to do.

const PICTURE = 'This is an image.'
const OFFICE =
  'This is an Office file from before 2007, such as .xls, or one with a password. Save it as .xlsx without a password.'
const WORKBOOK = 'This is a binary Excel workbook (.xlsb). Save it as .xlsx.'
const SHEET = 'This is a LibreOffice spreadsheet (.ods). Save it as .xlsx.'
const LIBRE_OFFICE = 'This is a LibreOffice document. Save its table as CSV.'
const NUMPY = 'This is a NumPy file. Save the edges as CSV.'
const VISIO = 'This is a Visio drawing. Export its edges as CSV.'
const ORA = 'This is DyNetML from ORA. Export the graph as GraphML instead.'
const MAP = 'This is a map.'
const OGC = 'This is a map in the OGC Geography Markup Language. It contains no graph.'
const R = 'This is an R data file. Save the edges as CSV.'
const MOVIE = 'This is an audio or video file.'
const UTF_32 = 'This text is in UTF-32, which is not supported. Save it in UTF-8.'
const PROGRAM = 'This is a program.'

/** Binary files, identified by their first bytes in Latin-1, at the given offset or at 0. */
const beginnings: [bytes: string, sentence: string, at?: number][] = [
  ['%PDF-', 'This is a PDF.'],
  ['\x89PNG\r\n', PICTURE],
  ['\xff\xd8\xff', PICTURE],
  ['GIF8', PICTURE],
  ['WEBP', PICTURE, 8],
  ['II*\0', PICTURE],
  ['MM\0*', PICTURE],
  ['\0\0\x01\0', PICTURE],
  ['ftyp', MOVIE, 4],
  ['WAVE', MOVIE, 8],
  ['OggS', MOVIE],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', OFFICE],
  ['SQLite format 3\0', 'This is an SQLite database. Export its table of edges as CSV.'],
  ['\x89HDF\r\n', 'This is an HDF5 file. Export its edges as CSV.'],
  ['PAR1', 'This is a Parquet file. Export it as CSV.'],
  ['ARROW1', 'This is an Arrow file. Export it as CSV.'],
  ['FEA1', 'This is a Feather file. Export it as CSV.'],
  ['\x93NUMPY', NUMPY],
  ['MATLAB 5.0 MAT-file', 'This is a MATLAB file. Export its edges as CSV.'],
  ['RDX2\n', R],
  ['RDX3\n', R],
  ['X\n\0\0\0', R],
  ['\xac\xed\0\x05', 'This is a serialized Java object. Export the graph as GraphML.'],
  ['Obj\x01', 'This is an Avro file. Export it as CSV.'],
  ['1AY&SY', 'This is a bzip2 archive. Unpack it, or compress it with gzip.', 4],
  ['\xfd7zXZ\0', 'This is an xz archive. Unpack it, or compress it with gzip.'],
  ['\x04\x22\x4d\x18', 'This is an LZ4 archive. Unpack it, or compress it with gzip.'],
  ['\x1f\x9d', 'This is a .Z file. Unpack it, or compress it with gzip.'],
  ['7z\xbc\xaf\x27\x1c', 'This is a 7z archive. Unpack it and send the graph.'],
  ['Rar!\x1a\x07', 'This is a RAR archive. Unpack it and send the graph.'],
  ['ustar', 'This is a tar archive. Unpack it and send the graph.', 257],
  [
    'version https://git-lfs',
    'This is a Git LFS pointer, not the file itself. Run git lfs pull, then import the file.'
  ],
  ['!<arch>\n', 'This is a software package.'],
  ['\x7fELF', PROGRAM],
  ['MZ\x90', PROGRAM],
  ['\xca\xfe\xba\xbe', PROGRAM],
  ['\0asm', PROGRAM],
  ['\xff\xfe\0\0', UTF_32],
  ['\0\0\xfe\xff', UTF_32],
  ['{\\rtf', 'This is a text document. Save its table as CSV.'],
  ['%!PS', 'This is PostScript.']
]

/** XML files, identified by their root element. */
const roots: ReadonlyMap<string, string> = new Map([
  ['html', 'This is an HTML page. It may be the page that describes the file instead of the file itself.'],
  ['svg', 'This is an SVG drawing.'],
  ['Workbook', 'This is an Excel workbook in XML from 2003. Save it as .xlsx.'],
  ['pathway', 'This is KEGG KGML. Import it into Cytoscape (KEGGscape) and export it as CX2 or GraphML.'],
  ['Pathway', 'This is WikiPathways GPML. Import it into Cytoscape (WikiPathways) and export it as CX2 or GraphML.'],
  ['sbml', 'This is SBML. Import it into Cytoscape (cy3sbml) and export it as CX2 or GraphML.'],
  ['entrySet', 'This is PSI-MI XML. Import it into Cytoscape and export it as CX2 or GraphML.'],
  ['RDF', 'This is RDF/XML (such as OWL or BioPAX). Convert it to Turtle or N-Triples.'],
  ['Ontology', 'This is OWL. Export the relations that represent edges as CSV.'],
  ['bom', 'This is a CycloneDX bill of materials in XML. Convert it to JSON with cyclonedx-cli.'],
  ['gxl', 'This is GXL. Convert it to DOT with gxl2gv from Graphviz.'],
  ['DynamicMetaNetwork', ORA],
  ['DynamicNetwork', ORA],
  ['VisioDocument', VISIO],
  ['kml', MAP],
  ['osm', MAP],
  ['plist', 'This is a macOS property list.'],
  ['rss', 'This is a news feed.'],
  ['feed', 'This is a news feed.']
])

/** Office documents, identified by a folder in the archive. */
const office: [folder: string, sentence: string][] = [
  ['xl/', WORKBOOK],
  ['word/', 'This is a Word document. Save its table as CSV.'],
  ['ppt/', 'This is a presentation.'],
  ['visio/', VISIO]
]

/** Other documents that are zip archives, identified by an entry. */
const documents: [entry: RegExp, sentence: string][] = [
  [/^CytoscapeSession-/, 'This is a Cytoscape session. Export the network from Cytoscape as CX2, XGMML or GraphML.'],
  [/^(?:Project_xml|WorkspaceList_xml|Workspace_\d+_)/, 'This is a Gephi project. Export its graph as GEXF.'],
  [/^Index\/Document\.iwa$/, 'This is an Apple iWork document. Export its table as CSV.'],
  [/^META-INF\/container\.xml$/, 'This is an e-book.'],
  [/^META-INF\/MANIFEST\.MF$|^AndroidManifest\.xml$/, PROGRAM],
  [/^doc\.kml$/, MAP]
]

/**
 * Returns a description of the document if the archive is one, such as an Excel workbook. Returns undefined for a plain archive.
 * `type` is the content of the entry `mimetype`.
 */
export function documentIn(entries: readonly string[], type = ''): string | undefined {
  if (type.includes('opendocument')) return type.includes('spreadsheet') ? SHEET : LIBRE_OFFICE
  if (entries.includes('[Content_Types].xml')) {
    return office.find(([folder]) => entries.some((name) => name.startsWith(folder)))?.[1] ?? 'This is a document.'
  }
  if (entries.length > 0 && entries.every((name) => name.endsWith('.npy'))) return NUMPY
  return documents.find(([entry]) => entries.some((name) => entry.test(name)))?.[1]
}

/** The number of bytes to search for the XML root element, which may follow a long comment. */
const HEAD = 100_000

/** The number of bytes to search for control characters, and their maximum proportion in a text file. */
const SAMPLE = 4096
const MOST_CONTROLS = 0.05

/**
 * Returns a sentence that describes a file without a graph, such as a picture, or undefined if the file may contain a graph.
 * `charset` is the encoding, if the sender specified it.
 */
export function foreignName(bytes: Buffer, charset = ''): string | undefined {
  const head = bytes.toString('latin1', 0, 512)
  if (/^(?:\xff\xfe(?!\0\0)|\xfe\xff)/.test(head) || /^(?:utf-?16|utf-?32|ucs-?2|iso-10646)/i.test(charset))
    return undefined
  const isNoText = isBinary(bytes)
  for (const [start, sentence, at = 0] of beginnings) {
    // A signature that contains only letters and digits may also be the start of a table.
    if (head.startsWith(start, at) && (isNoText || !/^[A-Za-z0-9]+$/.test(start))) return sentence
  }
  // A pickle begins with its protocol number and ends with a dot.
  if (/^\x80[\x02-\x05]/.test(head) && bytes.at(-1) === 0x2e) {
    return 'This is a Python pickle. Save the graph with networkx.node_link_data or write_graphml.'
  }
  if (/^(?:[\t\n\r -~]\0){8}|^(?:\0[\t\n\r -~]){8}/.test(head)) {
    const name = head.startsWith('\0') ? 'utf-16be' : 'utf-16le'
    return `This text is in UTF-16 without a byte order mark. Choose the encoding ${name}, or save the file in UTF-8.`
  }
  if (isNoText) return 'This is a binary file, not text.'
  return head.trimStart().startsWith('<') || head.startsWith('\xef\xbb\xbf') ? xmlName(bytes) : undefined
}

/** Returns whether the file contains a NUL or many other control characters. */
function isBinary(bytes: Buffer) {
  if (bytes.subarray(0, HEAD).includes(0)) return true
  const sample = bytes.subarray(0, SAMPLE)
  let controls = 0
  for (const byte of sample) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 26 && byte !== 27)) controls++
  return controls > sample.length * MOST_CONTROLS
}

function xmlName(bytes: Buffer) {
  const text = bytes.toString('utf8', 0, HEAD).replace(/^\uFEFF?\s*/, '')
  if (!text.startsWith('<')) return undefined
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(text)) return roots.get('html')
  if (text.slice(0, 2000).includes('urn:oasis:names:tc:opendocument')) return LIBRE_OFFICE
  const name = roots.get(rootElement(text) ?? '')
  return name ?? (/xmlns(?::\w+)?=["']http:\/\/www\.opengis\.net\//.test(text.slice(0, 2000)) ? OGC : undefined)
}
