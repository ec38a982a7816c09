import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A package in the lockfile, by its place of installation, such as `node_modules/a/node_modules/b`. */
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
 * The packages with their pinned integrity: those of the lockfile, and the Node.js of other machines from node-packages.json. The
 * latter are not dependencies, because npm would install one in place of its own Node.js where it fits.
 */
export const locked: Record<string, Locked> = {
  ...packagesOf('deploy/node-packages.json'),
  ...packagesOf('package-lock.json')
}

/** Lists the places where npm has installed another package than the lockfile says. */
export function unlockedPlaces(): string[] {
  const pinned = packagesOf('package-lock.json')
  const isPinned = ([place, { version, integrity }]: [string, Locked]) =>
    pinned[place]?.version === version && pinned[place]?.integrity === integrity
  return Object.entries(packagesOf('node_modules/.package-lock.json')).flatMap((one) => (isPinned(one) ? [] : [one[0]]))
}

/** Returns a package of the lockfile's top level. */
export function lockedOf(name: string): Locked {
  const found = locked[`node_modules/${name}`]
  if (!found) throw new Error(`${name} is neither in package-lock.json nor in deploy/node-packages.json`)
  return found
}
