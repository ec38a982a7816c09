#!/usr/bin/env node
// The way in. Plain JavaScript without imports, so that an older Node can still say what is wrong.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 7)) {
  // What was compiled once starts a third faster; where the folder cannot be written, it is compiled anew.
  const { enableCompileCache } = await import('node:module')
  enableCompileCache(`${import.meta.dirname}/../node_modules/.cache/graphstead`)
  await import('./main.ts')
} else {
  console.error(`graphstead needs Node.js 24.7 or newer, and this is ${process.version}.`)
  process.exitCode = 1
}
