import { isRecord } from '../../content/json.ts'
import type { Elements } from '../shared/elements.ts'
import { type GraphBuilder, Unreadable } from '../shared/graph-builder.ts'
import type { Json } from '../shared/json-kind.ts'
import { packageId } from './ids.ts'

/** The lists of dependencies. Their names become the relations of the edges. */
const LISTS = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies']

/** An installed package, with the packages in its node_modules. */
interface Folder {
  id: string
  name: string
  attributes: Json
  parent?: Folder | undefined
  children: Map<string, Folder>
}

const NODE_MODULES = 'node_modules/'

/** The maximum number of folders to search for a dependency. */
const MOST_FOLDERS = 100

/**
 * Reads a package-lock.json of version 2 or 3. Finds dependencies as Node.js does: in the node_modules of the package, or else
 * in that of a parent folder. A package that is installed several times in the same version becomes one node.
 * https://docs.npmjs.com/cli/configuring-npm/package-lock-json
 */
export function readLockfile({ packages, name }: Json, elements: Elements, into: GraphBuilder) {
  if (!isRecord(packages)) {
    const detail = 'is required: this lockfile is from npm 6 or earlier. Recreate it with npm 7 or later'
    throw new Unreadable('#/packages', 'required', detail)
  }
  const folders = foldersOf(packages, String(name ?? '.'), into)
  for (const { id, name, attributes } of folders) {
    const own = Object.entries(attributes).filter(([key]) => key !== 'name' && !LISTS.includes(key))
    elements.addNode(id, 0, [['name', name], ...own])
  }
  for (const folder of folders) {
    for (const relation of LISTS) {
      const list = folder.attributes[relation] ?? {}
      if (!isRecord(list)) {
        into.refuse('#/packages', 'wrong-type', `has a package in which ${relation} is not an object`)
        continue
      }
      for (const name in list) {
        const target = find(folder, name, into)
        if (!target && isOptional(folder, relation, name)) into.losses.add('aspects-dropped')
        else elements.addOnly(folder.id, target?.id ?? name, 0, relation, [['range', list[name]]])
      }
    }
  }
}

function isOptional({ attributes: { peerDependenciesMeta: meta } }: Folder, relation: string, name: string) {
  const about = isRecord(meta) && relation === 'peerDependencies' ? meta[name] : undefined
  return relation === 'optionalDependencies' || (isRecord(about) && about.optional === true)
}

/** Returns the folders, each with its parent folder. A link stands for the folder that it points to. */
function foldersOf(packages: Json, rootName: string, into: GraphBuilder): Folder[] {
  const byPath = new Map<string, Folder>()
  const links = new Map<string, string>()
  for (const path in packages) {
    const attributes = packages[path]
    if (!isRecord(attributes)) into.fault('#/packages', 'wrong-type', 'must contain only objects')
    else if (attributes.link === true) links.set(path, String(attributes.resolved))
    else {
      const name = typeof attributes.name === 'string' ? attributes.name : path === '' ? rootName : folderName(path)
      byPath.set(path, { id: packageId(name, attributes.version), name, attributes, children: new Map() })
    }
  }
  // The hidden lockfile in node_modules does not list the project itself.
  const root = byPath.get('') ?? { id: '', name: '', attributes: {}, children: new Map() }
  const parentOf = (path: string) => byPath.get(path.slice(0, Math.max(0, path.lastIndexOf(NODE_MODULES) - 1))) ?? root
  for (const [path, folder] of byPath) {
    if (path === '') continue
    folder.parent = parentOf(path)
    if (path.includes(NODE_MODULES)) folder.parent.children.set(folderName(path), folder)
  }
  for (const [path, target] of links) {
    const folder = byPath.get(target)
    if (folder) parentOf(path).children.set(folderName(path), folder)
  }
  return [...byPath.values()]
}

/** Returns the part of the path below the last node_modules. */
function folderName(path: string) {
  const last = path.lastIndexOf(NODE_MODULES)
  return last < 0 ? path : path.slice(last + NODE_MODULES.length)
}

function find(folder: Folder, name: string, into: GraphBuilder): Folder | undefined {
  let within: Folder | undefined = folder
  for (let count = 0; within && count < MOST_FOLDERS; count++) {
    const found = within.children.get(name)
    if (found) return found
    within = within.parent
    into.work(1)
  }
  return undefined
}
