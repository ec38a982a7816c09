import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { builtPages, bundled, type Component, installed, nodeJs, writeBill } from '../../deploy/bill-of-materials.ts'

// .ci/bills.py validates the bills of materials of the builds against the CycloneDX schema.

t.test('the bills of materials list exactly the contents of the artefacts', (t) => {
  const artefact = join(t.testdir({}), 'artefact')
  writeFileSync(artefact, 'made')
  const write = () => {
    const versions = process.versions as Record<string, string>
    writeBill(artefact, new Set([...installed(), ...builtPages()]), nodeJs(versions))
    return readFileSync(`${artefact}.cdx.json`, 'utf8')
  }
  const text = write()
  t.equal(write(), text, 'the output is reproducible')
  t.notMatch(text, /https?:|file:|"\/|registry/, 'there are no URLs or paths')
  const bill: { components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] } = JSON.parse(text)
  const names = new Set(
    bill.components.flatMap(({ name, components }) => [
      name,
      ...((components as Component[]) ?? []).map((part) => part.name)
    ])
  )
  for (const name of [
    'fastify',
    'pino',
    'better-sqlite3',
    'sqlite',
    'kysely',
    'pg',
    'react',
    'sigma',
    '@resvg/resvg-wasm',
    'dejavu-fonts-ttf',
    'swagger-ui',
    'node',
    'openssl'
  ])
    t.ok(names.has(name), name)
  for (const name of ['typescript', 'tap', 'vite', 'esbuild', 'playwright-core', '@scarf/scarf', 'swagger-ui-dist'])
    t.notOk(names.has(name), name)
  const isSpdx = (license: string) => /^[\w.+-]+$/.test(license)
  for (const { name, licenses } of bill.components) {
    for (const { license, expression } of (licenses ?? []) as { license?: { id: string }; expression?: string }[]) {
      const parts = license ? [license.id] : (expression?.replace(/[()]/g, '').split(/ (?:OR|AND|WITH) /) ?? [])
      t.ok(parts.length > 0 && parts.every(isSpdx), `${name}: ${parts.join(', ')}`)
    }
  }
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'))
  const [root] = bill.dependencies
  for (const [name, version] of Object.entries(dependencies))
    t.ok(root?.dependsOn.includes(`pkg:npm/${name.replace('@', '%40')}@${version}`), `the root depends on ${name}`)
  const known = new Set(bill.components.map((component) => component['bom-ref']))
  t.equal(known.size, bill.components.length)
  const missing = bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((reference) => !known.has(reference))
  t.same(missing, [])
  for (const file of ['artefact', 'artefact.cdx.json']) {
    const sum = createHash('sha256')
      .update(readFileSync(join(artefact, '..', file)))
      .digest('hex')
    t.ok(readFileSync(`${artefact}.sha256`, 'utf8').includes(`${sum}  ${file}\n`), file)
  }
  t.end()
})

t.test('the packages of a bundle are derived from its files', (t) => {
  const files = [
    'src/main.ts',
    'node_modules/a/index.js',
    'node_modules/@b/c/lib/x.js',
    'ui/node_modules/d/node_modules/@e/f/x.js'
  ]
  t.same([...bundled(files)], ['node_modules/a', 'node_modules/@b/c', 'ui/node_modules/d/node_modules/@e/f'])
  t.end()
})
