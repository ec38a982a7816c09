import { isRecord } from '../../content/json.ts'
import { Elements } from '../shared/elements.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { parseFile } from '../shared/json-file.ts'
import { hasMembers } from '../shared/json-kind.ts'

/**
 * The packages of a Python environment, as written by pipdeptree with `--json` or `--json-tree`.
 * https://github.com/tox-dev/pipdeptree
 */
export const pipdeptree: Format = {
  name: 'pipdeptree',
  title: 'pipdeptree JSON',
  mediaType: 'application/json',
  endings: ['.pipdeptree.json', '.json'],
  recognises: (text) =>
    text.startsWith('[') &&
    text.includes('"installed_version"') &&
    (hasMembers(text, ['package', 'dependencies']) || hasMembers(text, ['package_name', 'dependencies'])),
  read
}

function read(bytes: Buffer, into: GraphBuilder) {
  const file = parseFile(bytes, into)
  if (!Array.isArray(file)) throw new Unreadable('#', 'wrong-type', 'must be an array: this is not pipdeptree JSON')
  into.placeOf = () => '#'
  const elements = new Elements(into)
  const open: [item: unknown, dependent?: string][] = file.toReversed().map((item) => [item])
  for (let next = open.pop(); next; next = open.pop()) {
    const [item, dependent] = next
    const dependencies = isRecord(item) ? (item.dependencies ?? []) : undefined
    const found = isRecord(item) && isRecord(item.package) ? item.package : item
    if (!isRecord(found) || typeof found.key !== 'string' || !Array.isArray(dependencies)) {
      into.fault('#', 'wrong-type', 'must contain only packages with a key and a list of dependencies')
      continue
    }
    const { key, package_name: name = key, installed_version: version, required_version: range, ...rest } = found
    const { dependencies: _, ...attributes } = rest
    elements.addNode(key, 0, Object.entries({ name, version, ...attributes }))
    if (dependent !== undefined) {
      elements.addOnly(dependent, key, 0, undefined, typeof range === 'string' ? [['range', range]] : [])
    }
    for (const dependency of dependencies.toReversed()) open.push([dependency, key])
  }
  elements.finish()
}
