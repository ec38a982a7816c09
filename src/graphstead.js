#!/usr/bin/env node
// The way in. Plain JavaScript without imports, so that an older Node can still say what is wrong.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major > 24 || (major === 24 && minor >= 7)) {
  await import('./main.ts')
} else {
  console.error(`graphstead needs Node.js 24.7 or newer, and this is ${process.version}.`)
  process.exitCode = 1
}
