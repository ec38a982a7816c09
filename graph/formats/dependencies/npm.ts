import { isRecord } from '../../content/json.ts'
import { Elements } from '../shared/elements.ts'
import type { Format } from '../shared/format.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import { parseFile } from '../shared/json-file.ts'
import { hasMembers, type Json, nameIn } from '../shared/json-kind.ts'
import { packageId } from './ids.ts'
import { readLockfile } from './npm-lockfile.ts'

/**
 * The packages of a JavaScript project: `npm ls --json`, `pnpm list --json`, or package-lock.json of npm 7 and later.
 * https://docs.npmjs.com/cli/commands/npm-ls
 */
export const npm: Format = {
  name: 'npm',
  title: 'npm JSON',
  mediaType: 'application/json',
  endings: ['package-lock.json', 'npm-shrinkwrap.json', '.json'],
  recognises: (text) =>
    /^[[{]/.test(text) &&
    (TREE.test(text)
      ? LISTS.some((name) => hasMembers(text, [name]))
      : LOCKFILE.test(text) && hasMembers(text, ['lockfileVersion', 'packages'])),
  read
}

const LOCKFILE = /"lockfileVersion"\s{0,20}:\s{0,20}[23]\b/

/** The beginning of a list of packages, each of which is an object. In a package.json, the values are just version strings. */
const TREE =
  /"(?:dev|optional|unsaved)?dependencies"\s{0,20}:\s{0,20}\{\s{0,20}"[^"]{1,300}"\s{0,20}:\s{0,20}\{\s{0,20}"(?:version|from|required|missing|resolved|invalid|extraneous|overridden|name)"/i

/** The lists of dependencies. Only pnpm distinguishes them. */
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'unsavedDependencies']

function read(bytes: Buffer, into: GraphBuilder) {
  const file = parseFile(bytes, into)
  const elements = new Elements(into)
  into.placeOf = () => '#'
  for (const root of [file].flat()) {
    if (!isRecord(root)) throw new Unreadable('#', 'required', 'must be an object: this is not npm JSON')
    into.name ??= nameIn(root.name)
    if (root.lockfileVersion === undefined) readTree(root, elements, into)
    else {
      into.version = String(root.lockfileVersion)
      readLockfile(root, elements, into)
    }
  }
  elements.finish()
}

/** Reads a tree of packages, in which a package may occur several times. */
function readTree(root: Json, elements: Elements, into: GraphBuilder) {
  if (nameIn(root.name) === undefined && !LISTS.some((name) => root[name] !== undefined)) {
    throw new Unreadable('#', 'required', 'has neither a name nor dependencies: this is not npm JSON')
  }
  const rootName = nameIn(root.name) ?? '.'
  const rootId = packageId(rootName, root.version)
  addPackage(rootId, rootName, root, elements)
  const open: [Json, string][] = [[root, rootId]]
  for (let next = open.pop(); next; next = open.pop()) {
    const [parent, parentId] = next
    for (const relation of LISTS) {
      const list = parent[relation] ?? {}
      // npm ls --long adds the other lists of package.json, which contain only versions.
      if (relation !== 'dependencies' && !hasPackages(list)) continue
      if (!hasPackages(list)) {
        into.refuse(`#/${relation}`, 'wrong-type', 'must contain only objects, as in the output of npm ls --json')
        continue
      }
      for (const [name, child] of Object.entries(list)) {
        const id = packageId(name, child.version)
        addPackage(id, name, child, elements)
        elements.addOnly(parentId, id, 0, relation)
        open.push([child, id])
      }
    }
  }
}

function hasPackages(list: unknown): list is Record<string, Json> {
  return isRecord(list) && Object.values(list).every(isRecord)
}

/** Adds a package with its attributes, except its dependencies. */
function addPackage(id: string, name: string, attributes: Json, elements: Elements) {
  const own = Object.entries(attributes).filter(([key]) => key !== 'name' && !LISTS.includes(key))
  elements.addNode(id, 0, [['name', name], ...own])
}
