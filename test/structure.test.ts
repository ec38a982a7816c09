import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { dirname, normalize } from 'node:path/posix'
import t from 'tap'
import ts from 'typescript'
import { only } from './support/engine.ts'

const sqlite = only('SQLite', 'it reads the sources')

const root = join(import.meta.dirname, '..')

interface Room {
  /** The rooms that its files may import from, and single files. */
  from: string[]
  /** The packages that they may import, besides Node.js itself. */
  packages: RegExp
}

/** The files that register the plugins of each room. */
const indexes = ['graphs', 'sharing', 'sign-in', 'audit', 'server'].map((room) => `plugins/${room}/index.ts`)

/** The house, from top to bottom; `CONTRIBUTING.md` draws it. A file is in the room with the longest name that its path begins with. */
const rooms: Record<string, Room> = {
  'src/': {
    from: [
      'src/',
      'plugins/app.ts',
      'plugins/http/',
      'db/',
      'db/engine/',
      'graph/',
      'picture/sheet/png.ts',
      'audit/',
      'schemas/',
      'package.json'
    ],
    packages: /^(@sinclair\/typebox|fastify)$/
  },
  'plugins/app.ts': {
    from: [...indexes, 'plugins/http/', 'db/', 'schemas/'],
    packages: /^fastify$/
  },
  ...Object.fromEntries(
    indexes.map((index) => [index, { from: ['plugins/', 'plugins/http/', 'db/', 'schemas/'], packages: /^fastify$/ }])
  ),
  'plugins/': {
    from: ['plugins/http/', 'db/', 'graph/', 'audit/', 'schemas/'],
    packages:
      /^(@?fastify|@fastify\/.*|fastify-plugin|@modelcontextprotocol\/server|@sinclair\/typebox|ajv|prom-client)$/
  },
  'plugins/http/': {
    from: ['plugins/http/', 'db/', 'graph/', 'picture/sheet/png.ts', 'schemas/'],
    packages:
      /^(fastify|@fastify\/type-provider-typebox|@sinclair\/typebox|content-disposition|cookie|jose|negotiator|openid-client|temporal-polyfill)$/
  },
  'db/': {
    from: [
      'db/',
      'db/engine/packed-rows.ts',
      'db/engine/prepared.ts',
      'db/engine/row-locks.ts',
      'db/engine/word-dialects.ts',
      'graph/',
      'audit/',
      'schemas/'
    ],
    packages: /^kysely$/
  },
  'db/engine/': { from: ['db/engine/', 'db/', 'graph/'], packages: /^(kysely|better-sqlite3|pg)$/ },
  'graph/': { from: ['graph/', 'picture/', 'schemas/'], packages: /^(ajv|saxes)$/ },
  // Pictures of graphs, which the web app draws in the same way.
  'picture/': {
    from: ['picture/', 'schemas/'],
    packages:
      /^(@resvg\/resvg-wasm|d3-force|graphology|graphology-communities-louvain|graphology-layout-forceatlas2\/.*)$/
  },
  'audit/': { from: ['audit/'], packages: /^$/ },
  'schemas/': { from: ['schemas/'], packages: /^(@sinclair\/typebox|ajv|ajv-formats)$/ },
  // A client of the API, with its packages in its own package.json. It shares the types of the API with the other client,
  // and the texts of losses with the server.
  'ui/': {
    from: ['ui/', 'picture/', 'graph/formats/shared/losses.ts', 'clients/typescript/src/generated.ts'],
    packages: /^/
  },
  // A package that users install; it runs in browsers too.
  'clients/typescript/src/': { from: ['clients/typescript/src/'], packages: /^openapi-fetch$/ },
  // These use the program; no other room imports from them.
  'bench/': {
    from: ['bench/', 'src/', 'plugins/app.ts', 'db/', 'db/engine/', 'graph/', 'schemas/', 'test/browser/chromium.ts'],
    packages: /^(fastify|better-sqlite3|pg|playwright-core)$/
  },
  'deploy/': { from: ['deploy/'], packages: /^esbuild$/ },
  'test/': {
    from: [
      ...[
        'test/',
        'bench/',
        'deploy/',
        'ui/',
        'clients/typescript/src/',
        'src/',
        'plugins/app.ts',
        'plugins/',
        'plugins/http/'
      ],
      ...['db/', 'db/engine/', 'graph/', 'picture/', 'audit/', 'schemas/', 'package.json']
    ],
    packages: /^/
  }
}

/** The imports of every code file in the repository, including types: paths of files, and names of packages. */
const imports = new Map(
  [
    'src',
    'plugins',
    'db',
    'graph',
    'picture',
    'audit',
    'schemas',
    'ui',
    'clients/typescript/src',
    'bench',
    'deploy',
    'test'
  ]
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`)
    )
    .filter((file) => /\.(ts|tsx|js)$/.test(file) && !/node_modules|\.d\.ts$/.test(file))
    .map((file) => [file, importsOf(file, readFileSync(join(root, file), 'utf8'))])
)

function importsOf(file: string, source: string) {
  const specifiers = ts.preProcessFile(source, true, true).importedFiles.map(({ fileName }) => fileName)
  const isFile = (specifier: string) => specifier.startsWith('.')
  return {
    files: specifiers.filter(isFile).map((specifier) => normalize(`${dirname(file)}/${specifier}`)),
    packages: specifiers.filter((specifier) => !isFile(specifier) && !specifier.startsWith('node:'))
  }
}

/** The name of the room that a file is in. */
function roomOf(file: string) {
  const names = [...Object.keys(rooms), 'package.json'].filter((name) => file.startsWith(name))
  return names.sort((a, b) => b.length - a.length)[0] ?? ''
}

/** Lists the imports of a file that its room does not allow. */
function wrongImports(file: string, { files, packages } = imports.get(file) ?? importsOf(file, '')) {
  const room = rooms[roomOf(file)]
  if (!room) return [`${file} is in no room`]
  return [
    ...files.filter((target) => !room.from.includes(roomOf(target)) && !room.from.includes(target)),
    ...packages.filter((name) => builtinModules.includes(name) || !room.packages.test(name))
  ].map((target) => `${file} -> ${target}`)
}

/** Lists the groups of files that import one another, directly or by way of others (Tarjan's strongly connected components). */
function circles(graph: Map<string, string[]>): string[][] {
  const found: string[][] = []
  const [index, low] = [new Map<string, number>(), new Map<string, number>()]
  const open: string[] = []
  function visit(file: string) {
    const own = index.size
    index.set(file, own)
    low.set(file, own)
    open.push(file)
    const targets = graph.get(file) ?? []
    for (const target of targets) {
      if (!index.has(target)) visit(target)
      if (open.includes(target)) low.set(file, Math.min(low.get(file) as number, low.get(target) as number))
    }
    if (low.get(file) !== own) return
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || targets.includes(file)) found.push(group.sort())
  }
  for (const file of graph.keys()) if (!index.has(file)) visit(file)
  return found
}

t.test('every file imports only from its own floor and from those below', sqlite, async (t) => {
  for (const name of Object.keys(rooms))
    t.ok(
      [...imports.keys()].some((file) => roomOf(file) === name),
      name
    )
  t.same(
    [...imports.keys()].flatMap((file) => wrongImports(file)),
    []
  )
})

t.test('every import leads to a file', sqlite, async (t) => {
  const targets = [...imports.values()].flatMap(({ files }) => files)
  t.ok(targets.length > 1000)
  t.same(
    targets.filter((target) => !existsSync(join(root, target)) && !existsSync(join(root, `${target}.d.ts`))),
    []
  )
})

t.test('no two files import each other, not even by way of others or for a type', sqlite, async (t) => {
  t.same(circles(new Map([...imports].map(([file, { files }]) => [file, files]))), [])
})

t.test('only the commands that erase people and remove old events change events', sqlite, async (t) => {
  const importers = (file: string) =>
    [...imports].filter(([name, { files }]) => files.includes(file) && !name.startsWith('test/')).map(([name]) => name)
  t.same(importers('db/upkeep/amendments.ts').sort(), ['src/commands/audit/erase.ts', 'src/commands/audit/prune.ts'])
  t.same(importers('db/upkeep/wiping.ts').sort(), ['src/commands/audit/erase.ts', 'src/commands/audit/prune.ts'])
})

t.test('forbidden imports and cycles are found', sqlite, async (t) => {
  const source = (text: string) => wrongImports('graph/x.ts', importsOf('graph/x.ts', text))
  for (const wrong of [
    "import { a } from '../db/store.ts'",
    "import type { A } from '../plugins/http/headers.ts'",
    "export { a } from '../src/system/assets.ts'",
    "const a = await import('./support/helper.ts')",
    "let a: typeof import('../bench/seed.ts')",
    "import fastify from 'fastify'",
    "import 'fs'"
  ])
    t.equal(source(wrong).length, 1, wrong)
  const importing = (file: string, target: string) => wrongImports(file, importsOf(file, `import {} from '${target}'`))
  for (const [file, target] of [
    ['plugins/graphs/graphs.ts', '../db/engine/prepared.ts'],
    ['plugins/http/headers.ts', '../../db/engine/sqlite.ts'],
    ['plugins/app.ts', '../db/engine/open.ts'],
    ['db/graphs/graphs.ts', './engine/sqlite-dialect.ts'],
    ['db/graphs/graphs.ts', 'better-sqlite3'],
    ['db/engine/sqlite/store.ts', '../../plugins/app.ts'],
    ['audit/verification.ts', '../src/audit/folder.ts'],
    ['audit/verification.ts', '../schemas/audit.ts'],
    ['graph/files/conversion.ts', '../audit/tree.ts'],
    ['src/system/assets.ts', '../bench/seed.ts'],
    ['src/commands/serve.ts', '../../deploy/build-exe.ts'],
    ['ui/src/main.tsx', '../../test/helper.ts'],
    ['ui/src/api.ts', '../../clients/typescript/src/pages.ts'],
    ['ui/src/text/en.ts', '../../../graph/formats/format.ts'],
    ['bench/load.ts', './support/helper.ts'],
    ['bench/load.ts', '../plugins/graphs/graphs.ts'],
    ['deploy/build-exe.ts', '../src/system/assets.ts'],
    ['tools/x.ts', '../src/system/assets.ts']
  ] as const)
    t.equal(importing(file, target).length, 1, `${file} -> ${target}`)
  for (const [file, target] of [
    ['db/graphs/graphs.ts', './engine/prepared.ts'],
    ['src/commands/serve.ts', '../../db/engine/open.ts'],
    ['src/commands/audit/verify.ts', '../../../audit/verification.ts'],
    ['bench/web-app.ts', './browser/chromium.ts'],
    ['test/store/sqlite.test.ts', '../db/engine/sqlite/store.ts']
  ] as const)
    t.same(importing(file, target), [], `${file} -> ${target}`)
  t.same(source("import { a } from './content.ts'\nimport { join } from 'node:path'\nimport type {} from 'ajv'"), [])
  t.same(circles(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [], e: ['e'] }))), [['b', 'c'], ['e']])
})

t.test('the driver of PostgreSQL is loaded only when needed', sqlite, async (t) => {
  for (const file of imports.keys()) {
    if (
      !/^(src|plugins|db|graph|picture|audit|schemas)\//.test(file) ||
      /^db\/(engine\/postgres|migrations)/.test(file)
    )
      continue
    const source = readFileSync(join(root, file), 'utf8')
    t.notMatch(source, /^import (?!type).*'(pg|[^']*\/postgres[^']*)'/m, file)
  }
})

t.test('only the entry point imports main', sqlite, async (t) => {
  const importing = [...imports].filter(([, { files }]) => files.includes('src/main.ts')).map(([file]) => file)
  t.same(importing, ['src/graphstead.js'])
})

t.test('literals in SQL are constants: a statement for each value would push out prepared ones', sqlite, async (t) => {
  const isConstant = (text: string) => /^(?:'[^']*'(?: as const)?|[A-Z_]+(?:\.\w+)?|(?:shape\.)?limit)$/.test(text)
  const literals = [...imports.keys()]
    .filter((file) => file.startsWith('db/'))
    .flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/sql\.lit\(([^)]*)\)/g)].map(([, text]) => text)
    )
  t.ok(literals.length > 5)
  t.same(
    literals.filter((text) => !isConstant(text ?? '')),
    []
  )
})
