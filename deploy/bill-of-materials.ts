import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Locked, locked, lockedOf } from './lockfile.ts'

// The bill of materials of an artefact in CycloneDX 1.6 (ECMA-424), created from the lockfile. The bill (….cdx.json) is next to
// the artefact, with the SHA-256 of both (….sha256, for sha256sum -c). It contains no times or random numbers, so that
// identical sources produce identical bills.

const root = join(import.meta.dirname, '..')
const { resolve } = createRequire(import.meta.url)

export interface Component {
  type: 'application' | 'library' | 'platform' | 'file'
  'bom-ref': string
  name: string
  version: string
  [more: string]: unknown
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
const text = (path: string) => readFileSync(join(root, path), 'utf8')

/** Returns the packages that npm installs with Graphstead: all direct and transitive dependencies. */
export function installed(): Set<string> {
  const found = new Set<string>()
  const follow = (from: string) => {
    const { dependencies, optionalDependencies } = locked[from] as Locked
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(name, from)
      if (place === undefined || found.has(place)) continue
      found.add(place)
      follow(place)
    }
  }
  follow('')
  return found
}

/** Returns the packages that bundled files come from, based on their paths. */
export function bundled(paths: string[]): Set<string> {
  const places = paths.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0])
  return new Set(places.filter((place) => place !== undefined))
}

/** Returns the packages in the output of ui/build.ts: those of the web app, Swagger UI and the help search. */
export function builtPages(): Set<string> {
  return new Set([...JSON.parse(text('dist/ui-packages.json')), SWAGGER_UI, MINISEARCH])
}

const SWAGGER_UI = 'node_modules/@fastify/swagger-ui'
const MINISEARCH = 'node_modules/minisearch'
const SQLITE = 'node_modules/better-sqlite3'

/**
 * The SPDX licences of packages that only refer to a licence text. DejaVu's changes to Bitstream Vera are in the public domain.
 */
const LICENSES: Record<string, string> = { 'dejavu-fonts-ttf': 'Bitstream-Vera' }

/** Returns the component for Node.js, with the libraries that it reports. */
export function nodeJs(versions: Record<string, string>): Component {
  const { node = '', ...libraries } = versions
  const parts = Object.entries(libraries).filter(
    ([name, version]) => version !== '' && !['modules', 'napi'].includes(name)
  )
  return {
    ...generic('platform', 'node', node),
    cpe: `cpe:2.3:a:nodejs:node.js:${node}:*:*:*:*:*:*:*`,
    components: parts.map(([name, version]) => generic('library', name, version))
  }
}

/** Returns the component for the SQLite addon of a platform, which is a file in its package. */
export function sqliteAddon(path: string): Component {
  const { version, license } = lockedOf('better-sqlite3')
  const purl = `pkg:npm/better-sqlite3@${version}#prebuilds/${basename(path)}`
  const hashes = [{ alg: 'SHA-256', content: sha256(path) }]
  const licenses = license && { licenses: [licenseOf(license)] }
  return { type: 'file', 'bom-ref': purl, name: basename(path), version, purl, ...licenses, hashes }
}

/** Writes the bill and the checksums next to the artefact. `further` lists components that are not in the lockfile. */
export function writeBill(artefact: string, places: Iterable<string>, ...further: Component[]) {
  const bill = `${artefact}.cdx.json`
  writeFileSync(bill, `${JSON.stringify(billOf(places, further), null, 2)}\n`)
  const sums = [artefact, bill].map((file) => `${sha256(file)}  ${basename(file)}\n`)
  writeFileSync(`${artefact}.sha256`, sums.join(''))
}

function billOf(places: Iterable<string>, further: Component[]) {
  const { version, license } = locked[''] as Locked
  const inside = new Map([...places].map((place) => [place, componentOf(place)]))
  const main = { type: 'application', 'bom-ref': `pkg:npm/graphstead@${version}`, name: 'graphstead', version }
  const references = (from: string) => {
    const { dependencies, optionalDependencies } = locked[from] as Locked
    const names = Object.keys({ ...dependencies, ...optionalDependencies })
    const found = names.map((name) => inside.get(placeOf(name, from) ?? '')?.['bom-ref'])
    return [...new Set(found.filter((reference) => reference !== undefined))].sort()
  }
  // The same version installed in two places is one component with the dependencies of both.
  const components = new Map([...inside.values(), ...further].map((component) => [component['bom-ref'], component]))
  const dependencies = new Map<string, Set<string>>()
  for (const [place, { 'bom-ref': reference }] of inside)
    dependencies.set(reference, new Set([...(dependencies.get(reference) ?? []), ...references(place)]))
  const needed = new Set([...dependencies.values()].flatMap((found) => [...found]))
  const direct = [...components.keys()].filter(
    (reference) => !needed.has(reference) || references('').includes(reference)
  )
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...main, purl: main['bom-ref'], licenses: [{ license: { id: license } }] }
    },
    components: sorted([...components]).map(([, component]) => component),
    dependencies: [
      { ref: main['bom-ref'], dependsOn: direct.sort() },
      ...sorted([...dependencies]).map(([ref, found]) => ({ ref, dependsOn: [...found].sort() }))
    ]
  }
}

function componentOf(place: string): Component {
  const entry = locked[place]
  if (!entry) throw new Error(`${place} is not in the lockfile`)
  const name = place.replace(/^.*node_modules\//, '')
  const purl = `pkg:npm/${name.replace('@', '%40')}@${entry.version}`
  const license = LICENSES[name] ?? entry.license
  const [algorithm, digest = ''] = entry.integrity?.split('-', 2) ?? []
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version: entry.version,
    purl,
    ...(license && { licenses: [licenseOf(license)] }),
    ...(algorithm === 'sha512' && {
      hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }]
    }),
    ...(place === SWAGGER_UI && { components: [swaggerUi()] }),
    ...(place === SQLITE && { components: [sqlite()] })
  }
}

/** Returns a single licence as an SPDX id, and several as an expression. */
function licenseOf(license: string) {
  return / (OR|AND|WITH) /.test(license) ? { expression: license } : { license: { id: license } }
}

function swaggerUi() {
  const script = readFileSync(
    join(dirname(resolve('@fastify/swagger-ui/package.json')), 'static/swagger-ui-bundle.js'),
    'utf8'
  )
  return generic('library', 'swagger-ui', /PACKAGE_VERSION:"([^"]+)"/.exec(script)?.[1] ?? '')
}

function sqlite() {
  const Database = createRequire(import.meta.url)('better-sqlite3')
  const database = new Database(':memory:')
  const version: string = database.prepare('select sqlite_version()').pluck().get()
  database.close()
  return generic('library', 'sqlite', version)
}

function generic(type: Component['type'], name: string, version: string): Component {
  if (version === '') throw new Error(`the version of ${name} is missing`)
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`
  return { type, 'bom-ref': purl, name, version, purl }
}

/** Returns the folder to which Node.js resolves `name` in the package `from`, or undefined if it is not installed. */
function placeOf(name: string, from: string): string | undefined {
  const folders = from === '' ? [] : from.split('/')
  for (let depth = folders.length; depth >= 0; depth--) {
    if (folders[depth - 1] === 'node_modules') continue
    const place = [...folders.slice(0, depth), 'node_modules', name].join('/')
    if (locked[place]) return place
  }
  return undefined
}

const sorted = <Value>(entries: [string, Value][]) => entries.sort(([one], [other]) => (one < other ? -1 : 1))
