#!/usr/bin/env node
// The entry point. Plain JavaScript without imports, so that an older Node.js can report the required version.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 7)) {
  // The compile cache makes the program start a third faster. Skip it if the folder is not writable.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/graphstead`)
  await import('./main.ts')
} else {
  console.error(`graphstead requires Node.js 24.7 or newer, but this is ${process.version}.`)
  process.exitCode = 1
}
