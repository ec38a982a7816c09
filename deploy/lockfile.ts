import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package in the lockfile. */
export interface Locked {
  version: string
  license?: string
  integrity?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

const root = join(import.meta.dirname, '..')
const packagesOf = (path: string): Record<string, Locked> => JSON.parse(readFileSync(join(root, path), 'utf8')).packages

/**
 * The packages with their pinned integrity by folder, such as `node_modules/a/node_modules/b`: those in the lockfile, and
 * Node.js for other platforms from node-packages.json. These Node.js packages are not dependencies, because on their platform
 * npm would install them in place of its own Node.js.
 */
export const locked: Record<string, Locked> = {
  ...packagesOf('deploy/node-packages.json'),
  ...packagesOf('package-lock.json')
}

/** Returns the folders of installed packages that differ from the lockfile. */
export function unlockedPlaces(): string[] {
  const pinned = packagesOf('package-lock.json')
  const isPinned = ([place, { version, integrity }]: [string, Locked]) =>
    pinned[place]?.version === version && pinned[place]?.integrity === integrity
  return Object.entries(packagesOf('node_modules/.package-lock.json')).flatMap((one) => (isPinned(one) ? [] : [one[0]]))
}

/** Returns the pinned package in the top-level `node_modules`. */
export function lockedOf(name: string): Locked {
  const found = locked[`node_modules/${name}`]
  if (!found) throw new Error(`${name} is neither in package-lock.json nor in deploy/node-packages.json`)
  return found
}
