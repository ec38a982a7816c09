import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..')

/** Which parts of the house a part may import from; `CONTRIBUTING.md` explains. */
const rules: Record<string, string[]> = {
  schemas: ['schemas'],
  db: ['db', 'schemas', 'src/assets.ts'],
  helpers: ['helpers', 'schemas', 'package.json'],
  plugins: ['schemas', 'db', 'helpers'],
  app: ['plugins', 'db', 'helpers'],
  commands: ['app', 'db', 'schemas', 'helpers'],
  main: ['commands', 'db', 'helpers']
}

/** Which packages a part may import from, besides what Node has. */
const packages: Record<string, RegExp> = {
  schemas: /^@sinclair\/typebox$/,
  db: /^(kysely|better-sqlite3|pg)$/,
  helpers:
    /^(@sinclair\/typebox|ajv|ajv-formats|temporal-polyfill|fastify|prom-client|saxes|negotiator|content-disposition|cookie)$/,
  plugins: /^(@?fastify|@fastify\/.*|fastify-plugin|@sinclair\/typebox|kysely|ajv|prom-client)$/,
  app: /^fastify$/,
  commands: /^@sinclair\/typebox$/,
  main: /^$/
}

function partOf(file: string) {
  if (file === 'src/main.ts') return 'main'
  if (file === 'src/app.ts') return 'app'
  if (file.startsWith('src/commands/')) return 'commands'
  if (file.startsWith('src/')) return 'helpers'
  return file.split('/')[0] ?? ''
}

const files = ['src', 'plugins', 'schemas', 'db'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
)

t.test('every part imports only from where it may', async (t) => {
  t.ok(files.length > 40)
  for (const file of files) {
    const part = partOf(file)
    const source = readFileSync(join(root, file), 'utf8')
    for (const [, specifier = ''] of source.matchAll(
      /(?:^(?:import|export|\}).* from |^import |import\()'([^']+)'/gm
    )) {
      if (specifier.startsWith('node:')) continue
      if (!specifier.startsWith('.')) {
        t.notOk(builtinModules.includes(specifier), `${file}: ${specifier} wants node:`)
        t.match(specifier, packages[part], `${file} may import ${specifier}`)
        continue
      }
      const target = relative(root, join(root, dirname(file), specifier))
      // Every plugin shares the type of plugins, and the commands share the type of commands.
      if (target === 'plugins/plugin.ts' || (part === 'commands' && target === 'src/main.ts')) continue
      t.ok(
        rules[part]?.some((allowed) => allowed === partOf(target) || allowed === target),
        `${file} may import ${target}`
      )
    }
  }
})

t.test('the driver of PostgreSQL is loaded where it is asked for', async (t) => {
  for (const file of files) {
    const source = readFileSync(join(root, file), 'utf8')
    if (/^db\/(postgres|migrations)/.test(file)) continue
    t.notMatch(source, /^import (?!type).*'(pg|\.\/postgres[^']*)'/m, file)
  }
})

t.test('nothing imports main but the way in', async (t) => {
  for (const file of files) {
    t.notMatch(readFileSync(join(root, file), 'utf8'), /^import (?!type).*main\.ts'/m, file)
  }
})
