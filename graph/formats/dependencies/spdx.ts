import { isRecord } from '../../content/json.ts'
import { Elements } from '../shared/elements.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { parseFile, records } from '../shared/json-file.ts'
import { hasMembers, type Json, nameIn } from '../shared/json-kind.ts'

/**
 * An SPDX bill of materials, as version 2 JSON or version 3 JSON-LD. https://spdx.github.io/spdx-spec/v2.3,
 * https://spdx.github.io/spdx-spec/v3.0.1
 */
export const spdx: Format = {
  name: 'spdx',
  title: 'SPDX JSON',
  mediaType: 'application/json',
  endings: ['.spdx.json', '.spdx3.json', '.json'],
  recognises: (text) =>
    text.startsWith('{') &&
    (hasMembers(text, ['spdxVersion']) ||
      (text.includes('spdx.org/rdf/3') && hasMembers(text, ['@context', '@graph']))),
  read
}

/** The targets that stand for no element or for an unknown one. */
const NOTHING = /^(?:NONE|NOASSERTION)$|(?:^|\/)(?:NoneElement|NoAssertionElement)$/

function read(bytes: Buffer, into: GraphBuilder) {
  const file = parseFile(bytes, into)
  const elements = new Elements(into)
  if (isRecord(file) && Array.isArray(file['@graph'])) readGraph(file['@graph'], elements, into)
  else if (isRecord(file) && typeof file.spdxVersion === 'string') readDocument(file, elements, into)
  else throw new Unreadable('#/spdxVersion', 'required', 'is required: this is not SPDX JSON')
  elements.finish()
}

function readDocument(file: Json, elements: Elements, into: GraphBuilder) {
  const { spdxVersion, SPDXID = 'SPDXRef-DOCUMENT', name, packages, files, snippets, ...others } = file
  const { relationships, documentDescribes, ...rest } = others
  into.version = String(spdxVersion).replace(/^SPDX-/, '')
  into.name = nameIn(name)
  into.describe(Object.entries(rest))
  into.placeOf = (kind, index) => (kind === 'nodes' ? '#' : `#/relationships/${index}`)
  const document = String(SPDXID)
  // Some programs write lists instead of relationships.
  const lists: [source: string, targets: unknown, relation: string][] = [[document, documentDescribes, 'DESCRIBES']]
  elements.addNode(document, 0, [['name', name]])
  for (const [kind, list] of Object.entries({ packages, files, snippets })) {
    for (const [index, { SPDXID: id, fileName, hasFiles, ...attributes }] of records(list, `#/${kind}`, into)) {
      if (typeof id !== 'string') into.fault(`#/${kind}/${index}`, 'required', 'has no SPDXID')
      else {
        elements.addUnique(id, 0, Object.entries({ name: fileName, ...attributes }), `#/${kind}/${index}`)
        lists.push([id, hasFiles, 'CONTAINS'])
      }
    }
  }
  for (const [index, relationship] of records(relationships, '#/relationships', into)) {
    const { spdxElementId: source, relatedSpdxElement: target, relationshipType: type, ...attributes } = relationship
    if (typeof source !== 'string' || typeof target !== 'string') {
      into.fault(`#/relationships/${index}`, 'required', 'must have spdxElementId and relatedSpdxElement')
    } else if (NOTHING.test(target)) into.losses.add('aspects-dropped')
    else elements.addEdge(source, target, index, textOf(type), Object.entries(attributes))
  }
  for (const [source, targets, relation] of lists) {
    for (const id of Array.isArray(targets) ? targets : []) {
      if (typeof id === 'string') elements.addOnly(source, id, 0, relation)
    }
  }
}

/** Reads the elements of version 3. A relationship has a list of targets. */
function readGraph(list: unknown[], elements: Elements, into: GraphBuilder) {
  into.version = '3'
  into.placeOf = (_kind, index) => `#/@graph/${index}`
  for (const [index, element] of records(list, '#/@graph', into)) {
    const { from, to, relationshipType: type, ...attributes } = element
    const { spdxId, '@id': blank, ...rest } = attributes
    const id = spdxId ?? blank
    if (typeof from === 'string') {
      for (const target of [to].flat()) {
        if (typeof target !== 'string') into.fault(`#/@graph/${index}/to`, 'wrong-type', 'must be a list of ids')
        else if (NOTHING.test(target)) into.losses.add('aspects-dropped')
        else elements.addEdge(from, target, index, textOf(type), Object.entries(attributes))
      }
    } else if (rest.type === 'CreationInfo') into.losses.add('aspects-dropped')
    else if (typeof id !== 'string') into.fault(`#/@graph/${index}`, 'required', 'has no spdxId')
    else elements.addUnique(id, index, Object.entries(rest), `#/@graph/${index}`)
  }
}

function textOf(value: unknown) {
  return typeof value === 'string' ? value : undefined
}
