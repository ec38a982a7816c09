import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { builtPages, installed, writeBill } from './bill-of-materials.ts'

// The last step of npm run build:package: writes the bill of materials and checksums of the npm package. npm may install newer
// versions of the dependencies, but the bill lists the tested versions from the lockfile.

const root = join(import.meta.dirname, '..')
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
writeBill(join(root, 'dist', `${name}-${version}.tgz`), new Set([...installed(), ...builtPages()]))
