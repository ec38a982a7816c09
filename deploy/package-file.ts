import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { lockedOf } from './lockfile.ts'

const root = join(import.meta.dirname, '..')

/**
 * Returns the path of a file from an npm package. npm ci has already checked installed packages. Other packages are fetched
 * from npm's registry into a new folder below `folder`, and checked against their pinned integrity.
 */
export function packageFile(name: string, path: string, folder: string): string {
  const { version } = lockedOf(name)
  const installed = join(root, 'node_modules', name)
  if (!existsSync(installed)) return join(fetched(name, folder, path), path)
  const { version: found } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  if (found !== version) throw new Error(`${name} is installed as ${found}, but locked as ${version}: run npm ci`)
  return join(installed, path)
}

function fetched(name: string, folder: string, path: string) {
  const { version, integrity = '' } = lockedOf(name)
  const own = mkdtempSync(join(folder, `${name}-`))
  execFileSync('npm', ['pack', `${name}@${version}`, '--prefer-offline', '--pack-destination', own], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit']
  })
  const tarball = join(own, `${name}-${version}.tgz`)
  const digest = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`
  if (digest !== integrity)
    throw new Error(`${name}@${version} is not the pinned package: ${digest} instead of ${integrity}`)
  execFileSync('tar', ['-xzf', tarball, '-C', own, `package/${path}`])
  return join(own, 'package')
}
