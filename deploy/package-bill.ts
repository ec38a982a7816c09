import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPages, installed, writeBill } from './bill-of-materials.ts'

// The end of npm run build:package: the bill of the package that npm has just packed, and its checksums. npm installs other
// versions of what it depends on where there are newer ones that fit; the bill has those of the lockfile, which were tested.

const root = join(import.meta.dirname, '..')
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
writeBill(join(root, 'dist', `${name}-${version}.tgz`), new Set([...installed(), ...builtPages()]))
