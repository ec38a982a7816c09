import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { dirname, normalize } from 'node:path/posix'
import t from 'tap'
import ts from 'typescript'
import { only } from './support/engine.ts'
import { houseFolders } from './support/house.ts'

const sqlite = only('SQLite', 'it reads the sources')

const root = join(import.meta.dirname, '..')

interface Room {
  /** The other rooms that its files may import from. All are below this one. */
  from: string[]
  /** The packages that its files may import, besides Node.js modules. */
  packages: RegExp
}

/** Prefixes the names of several rooms with their folder. */
function within(floor: string, ...names: string[]) {
  return names.map((name) => `${floor}${name}`)
}

/** The parts of the engine that queries use. Drivers and the code that opens a store are excluded. */
const ENGINE = ['db/', 'db/engine/']

const NONE = /^$/
const QUERY_BUILDER = /^kysely$/
const FASTIFY = /^(@?fastify|@fastify\/.*|fastify-plugin|@sinclair\/typebox)$/
const SETTINGS = /^(@sinclair\/typebox|fastify)$/

/**
 * The rooms from top to bottom; `ARCHITECTURE.md` has a drawing. A room is a folder, or a single file in it. A file belongs to
 * the room with the longest name that is a prefix of its path.
 */
const rooms: Record<string, Room> = {
  // These rooms use the program, and no other room imports from them.
  '.ci/': {
    from: [
      ...['bench/', 'clients/typescript/src/', 'src/system/', ...within('db/', 'users/', 'engine/sqlite/')],
      ...['graph/formats/', 'graph/formats/shared/', 'audit/', 'schemas/']
    ],
    packages: /^(better-sqlite3|playwright-core)$/
  },
  'test/': {
    from: [
      ...['bench/', 'deploy/', 'clients/typescript/src/', 'ui/'],
      ...within('src/', 'commands/', 'workers/', 'doctor/', 'audit/', 'remote/', '', 'settings/', 'system/'),
      ...within(
        'plugins/',
        'app.ts',
        'graphs/',
        'sharing/',
        'sign-in/',
        'sign-in/provider/',
        'audit/',
        'server/',
        'server/mcp/'
      ),
      ...within('plugins/http/', 'services.ts', 'contents/', 'callers/', 'connections/', 'bodies/', ''),
      ...within('db/', 'upkeep/', 'changes/', 'search/', 'lists/', 'sharing/', 'users/', 'graphs/', 'audit/'),
      ...within('db/', '', 'migrations/'),
      ...within('db/engine/', 'open.ts', 'sqlite/', 'postgres/', ''),
      ...within('graph/', 'jobs/', 'files/', 'query/', 'diff/', 'formats/', 'content/'),
      ...within('graph/formats/', 'tables/', 'shared/'),
      ...within('picture/', 'sheet/', 'view/', 'filter/', 'measures/', 'layout/', 'edges/', 'model/'),
      ...['audit/', 'schemas/', 'package.json']
    ],
    packages: /^/
  },
  'bench/': {
    from: [
      ...within('src/', 'audit/', 'settings/', 'system/'),
      'plugins/app.ts',
      ...within('db/', 'upkeep/', 'search/', 'users/', 'graphs/', 'audit/', ''),
      ...within('db/engine/', 'open.ts', 'sqlite/', 'postgres/'),
      ...within('graph/', 'files/', 'content/', 'formats/', 'formats/shared/'),
      ...within('picture/', 'layout/', 'model/'),
      'schemas/',
      'deploy/build-program.ts',
      'package.json'
    ],
    packages:
      /^(fastify|better-sqlite3|pg|playwright-core|@sparticuz\/chromium|graphology|graphology-layout-forceatlas2)$/
  },
  // API clients, whose packages are in their own package.json. The web app shares the API's types with the other client, and
  // the loss descriptions, cell types and column names with the server.
  'ui/': {
    from: [
      'clients/typescript/src/generated.ts',
      'deploy/freshness.ts',
      'graph/formats/shared/losses.ts',
      'graph/formats/shared/cell-types.ts',
      'graph/formats/shared/column-names.ts',
      'graph/samples/',
      ...within('picture/', 'sheet/', 'view/', 'filter/', 'measures/', 'layout/', 'edges/', 'model/')
    ],
    packages: /^/
  },
  'deploy/': { from: [], packages: /^esbuild$/ },
  'clients/typescript/src/': { from: [], packages: /^openapi-fetch$/ },

  'src/graphstead.js': { from: ['src/main.ts'], packages: NONE },
  'src/main.ts': { from: ['src/commands/', 'src/', 'src/system/'], packages: NONE },
  'src/commands/': {
    from: [
      ...within('src/', 'workers/', 'demo/', 'doctor/', 'audit/', 'remote/', '', 'settings/', 'system/'),
      'plugins/app.ts',
      'plugins/http/',
      ...within('db/', 'upkeep/', 'changes/', 'sharing/', 'users/', 'graphs/', 'audit/', 'engine/open.ts', ''),
      ...within('graph/', 'files/', 'query/', 'formats/', 'content/'),
      'audit/',
      'schemas/'
    ],
    packages: SETTINGS
  },
  // The processes of a server.
  'src/workers/': {
    from: [
      ...within('src/', 'demo/', 'audit/', 'settings/', 'system/'),
      ...within('plugins/', 'app.ts', 'server/metric-sums.ts', 'http/connections/'),
      ...within('db/', 'users/', 'audit/', 'engine/open.ts', ''),
      'graph/jobs/',
      'schemas/'
    ],
    packages: NONE
  },
  'src/demo/': {
    from: [...within('db/', 'changes/', 'sharing/', 'users/', ''), 'graph/content/', 'graph/samples/', 'schemas/'],
    packages: NONE
  },
  'src/doctor/': {
    from: [
      ...within('src/', 'audit/', 'settings/', 'system/'),
      ...within('plugins/http/', 'connections/', ''),
      ...within('db/', 'upkeep/', ''),
      'schemas/'
    ],
    packages: SETTINGS
  },
  'src/audit/': {
    from: [
      ...within('src/', 'remote/', '', 'settings/', 'system/'),
      ...within('db/', 'audit/', 'engine/open.ts', 'engine/', ''),
      'audit/',
      'schemas/'
    ],
    packages: SETTINGS
  },
  'src/remote/': { from: ['src/settings/', 'src/system/', 'graph/formats/', 'schemas/'], packages: SETTINGS },
  'src/': { from: ['src/settings/', 'src/system/', 'db/', 'db/engine/open.ts'], packages: NONE },
  'src/settings/': {
    from: [
      'src/system/',
      'plugins/sign-in/provider/settings.ts',
      ...within('plugins/http/', 'connections/', ''),
      'schemas/'
    ],
    packages: SETTINGS
  },
  'src/system/': {
    from: [
      ...within('plugins/http/', 'services.ts', ''),
      ...within('db/', 'engine/', 'migrations/'),
      'picture/sheet/',
      'package.json'
    ],
    packages: SETTINGS
  },

  'plugins/app.ts': {
    // Each room has an index that registers its plugins.
    from: [
      ...['graphs', 'sharing', 'sign-in', 'audit', 'server'].map((room) => `plugins/${room}/index.ts`),
      'plugins/sign-in/provider/settings.ts',
      ...within('plugins/http/', 'services.ts', 'connections/', ''),
      'graph/jobs/',
      'db/',
      'db/audit/',
      'schemas/'
    ],
    packages: /^fastify$/
  },
  'plugins/graphs/': {
    from: [
      ...within('plugins/http/', 'services.ts', 'contents/', 'callers/', 'bodies/', ''),
      ...within('db/', 'upkeep/', 'changes/', 'search/', 'lists/', 'graphs/', ''),
      ...within('graph/', 'jobs/', 'files/', 'query/', 'formats/', 'formats/shared/', 'content/'),
      'schemas/'
    ],
    packages: FASTIFY
  },
  'plugins/sharing/': {
    from: [
      ...within('plugins/http/', 'services.ts', 'contents/', 'callers/', ''),
      ...within('db/', 'sharing/', 'users/', ''),
      'graph/formats/',
      'schemas/'
    ],
    packages: FASTIFY
  },
  'plugins/sign-in/': {
    from: [
      'plugins/sign-in/provider/',
      ...within('plugins/http/', 'services.ts', 'callers/', ''),
      ...within('db/', 'sharing/', 'users/', 'graphs/', 'audit/', ''),
      'graph/jobs/',
      'schemas/'
    ],
    packages: FASTIFY
  },
  'plugins/sign-in/provider/': {
    from: ['plugins/http/callers/', 'db/users/', 'graph/jobs/', 'schemas/'],
    packages: /^(fastify|jose|openid-client)$/
  },
  'plugins/audit/': {
    from: [
      ...within('plugins/http/', 'services.ts', 'bodies/', ''),
      ...within('db/', 'audit/', ''),
      'graph/jobs/',
      'audit/',
      'schemas/'
    ],
    packages: FASTIFY
  },
  'plugins/server/': {
    from: [
      ...within('plugins/server/', 'mcp/', 'metric-sums.ts'),
      ...within('plugins/http/', 'services.ts', 'callers/', 'connections/', 'bodies/', ''),
      ...within('db/', 'upkeep/', 'changes/', 'sharing/', 'users/', 'graphs/', ''),
      ...within('graph/', 'jobs/', 'content/'),
      'schemas/'
    ],
    packages: /^(@?fastify|@fastify\/.*|fastify-plugin|@sinclair\/typebox|ajv|prom-client)$/
  },
  'plugins/server/metric-sums.ts': { from: [], packages: /^prom-client$/ },
  'plugins/server/mcp/': {
    from: [
      ...within('plugins/http/', 'contents/', 'callers/', ''),
      ...within('db/', 'search/', 'lists/', 'graphs/', ''),
      ...within('graph/', 'jobs/', 'query/', 'content/'),
      'schemas/'
    ],
    packages: /^(fastify|@modelcontextprotocol\/server|@sinclair\/typebox)$/
  },
  // The services that the other rooms receive.
  'plugins/http/services.ts': {
    from: [
      ...within('plugins/http/', 'contents/', ''),
      ...within('db/', 'users/', ''),
      'graph/jobs/',
      'picture/sheet/',
      'schemas/'
    ],
    packages: NONE
  },
  'plugins/http/contents/': {
    from: [
      ...within('plugins/http/', 'bodies/', ''),
      ...within('db/', 'search/', 'lists/', 'graphs/', ''),
      ...within('graph/', 'jobs/', 'files/', 'query/', 'diff/', 'content/'),
      ...within('picture/', 'sheet/', 'layout/'),
      'schemas/'
    ],
    packages: FASTIFY
  },
  'plugins/http/callers/': {
    from: ['plugins/http/', 'graph/jobs/', 'schemas/'],
    packages: /^(fastify|@fastify\/jwt|cookie)$/
  },
  'plugins/http/connections/': { from: ['plugins/http/', 'schemas/'], packages: /^fastify$/ },
  'plugins/http/bodies/': { from: ['graph/jobs/', 'schemas/'], packages: /^fastify$/ },
  'plugins/http/': {
    from: ['db/', ...within('graph/', 'jobs/', 'files/', 'formats/', 'formats/shared/'), 'schemas/'],
    packages:
      /^(fastify|@fastify\/type-provider-typebox|@sinclair\/typebox|content-disposition|negotiator|temporal-polyfill)$/
  },

  'db/upkeep/': {
    from: [
      ...within('db/', 'changes/', 'search/', 'sharing/', 'users/', 'graphs/', 'audit/', '', 'migrations/'),
      ...within('db/engine/', 'open.ts', 'sqlite/', 'postgres/', ''),
      ...within('graph/', 'jobs/', 'query/'),
      'audit/'
    ],
    packages: /^(kysely|better-sqlite3|pg)$/
  },
  'db/changes/': {
    from: ['db/search/', 'db/lists/', 'db/sharing/', 'db/users/', 'db/graphs/', 'db/audit/', ...ENGINE, 'schemas/'],
    packages: QUERY_BUILDER
  },
  'db/search/': {
    from: ['db/lists/', 'db/graphs/', ...ENGINE, 'graph/content/', 'graph/query/', 'schemas/'],
    packages: QUERY_BUILDER
  },
  'db/lists/': { from: ['db/graphs/', ...ENGINE, 'graph/content/', 'schemas/'], packages: QUERY_BUILDER },
  'db/sharing/': { from: ['db/users/', 'db/graphs/', 'db/audit/', ...ENGINE, 'schemas/'], packages: QUERY_BUILDER },
  'db/users/': { from: ['db/graphs/', 'db/audit/', ...ENGINE, 'graph/jobs/', 'schemas/'], packages: QUERY_BUILDER },
  'db/graphs/': { from: ['db/audit/', ...ENGINE, 'graph/content/', 'schemas/'], packages: QUERY_BUILDER },
  'db/audit/': {
    from: [...ENGINE, 'graph/jobs/', 'graph/formats/tables/', 'audit/', 'schemas/'],
    packages: QUERY_BUILDER
  },
  // The engine is independent of records.
  'db/engine/open.ts': { from: ['db/engine/sqlite/', 'db/engine/postgres/', 'db/', 'graph/jobs/'], packages: NONE },
  'db/engine/sqlite/': { from: [...ENGINE, 'db/migrations/', 'graph/jobs/'], packages: /^(kysely|better-sqlite3)$/ },
  'db/engine/postgres/': { from: [...ENGINE, 'db/migrations/', 'graph/jobs/'], packages: /^(kysely|pg)$/ },
  'db/engine/': { from: ['db/', 'graph/jobs/', 'graph/content/'], packages: QUERY_BUILDER },
  'db/': { from: ['audit/', 'schemas/'], packages: QUERY_BUILDER },
  'db/migrations/': { from: [], packages: QUERY_BUILDER },

  'graph/jobs/': {
    from: [
      ...within('graph/', 'files/', 'query/', 'diff/', 'formats/', 'formats/shared/', 'packing/', 'content/'),
      ...['picture/sheet/', 'picture/layout/', 'schemas/']
    ],
    packages: NONE
  },
  'graph/files/': {
    from: [
      'graph/query/',
      'graph/formats/',
      ...within('graph/formats/', 'workbook/', 'tables/', 'shared/'),
      'graph/packing/',
      'graph/content/',
      'schemas/'
    ],
    packages: NONE
  },
  'graph/query/': { from: ['graph/content/', 'schemas/'], packages: NONE },
  'graph/diff/': { from: ['graph/content/', 'schemas/'], packages: /^ajv$/ },
  // A single file lists all formats.
  'graph/formats/': {
    from: ['dependencies', 'diagrams', 'json', 'networks', 'workbook', 'tables', 'text', 'xml', 'shared'].map(
      (name) => `graph/formats/${name}/`
    ),
    packages: NONE
  },
  'graph/formats/dependencies/': { from: ['graph/formats/shared/', 'graph/content/'], packages: NONE },
  'graph/formats/diagrams/': {
    from: ['graph/formats/shared/', 'graph/content/', 'graph/packing/', 'schemas/'],
    packages: NONE
  },
  'graph/formats/json/': {
    from: ['graph/formats/tables/', 'graph/formats/shared/', 'graph/content/', 'picture/model/', 'schemas/'],
    packages: NONE
  },
  'graph/formats/workbook/': {
    from: ['graph/formats/tables/', 'graph/formats/shared/', 'graph/packing/', 'schemas/'],
    packages: NONE
  },
  'graph/formats/networks/': { from: ['graph/formats/shared/', 'schemas/'], packages: NONE },
  'graph/formats/tables/': { from: ['graph/formats/shared/', 'schemas/'], packages: NONE },
  'graph/formats/text/': {
    from: ['graph/formats/shared/', 'graph/content/', 'picture/model/', 'schemas/'],
    packages: NONE
  },
  'graph/formats/xml/': { from: ['graph/formats/shared/', 'picture/model/', 'schemas/'], packages: NONE },
  'graph/formats/shared/': { from: ['graph/content/', 'picture/model/', 'schemas/'], packages: /^saxes$/ },
  // Archives and compressed files.
  'graph/packing/': { from: ['graph/content/', 'schemas/'], packages: NONE },
  'graph/content/': { from: ['schemas/'], packages: /^ajv$/ },
  'graph/samples/': { from: [], packages: NONE },

  // Pictures of graphs, drawn as in the web app.
  'picture/sheet/': {
    from: [...within('picture/', 'view/', 'filter/', 'measures/', 'layout/', 'edges/', 'model/'), 'schemas/'],
    packages: /^@resvg\/resvg-wasm$/
  },
  'picture/view/': { from: ['picture/filter/', 'picture/measures/'], packages: NONE },
  'picture/filter/': { from: ['picture/model/'], packages: NONE },
  'picture/measures/': { from: ['picture/model/'], packages: NONE },
  'picture/layout/': {
    from: ['picture/edges/', 'picture/model/', 'schemas/'],
    packages: /^(d3-force|@dagrejs\/dagre)$/
  },
  'picture/edges/': { from: ['picture/model/'], packages: NONE },
  'picture/model/': { from: ['schemas/'], packages: /^(color-name|graphology|graphology-communities-louvain)$/ },
  'audit/': { from: [], packages: NONE },
  'schemas/': { from: [], packages: /^(@sinclair\/typebox|ajv|ajv-formats)$/ }
}

/** The imports of every code file in the repository, including types: file paths and package names. */
const imports = new Map(
  ['.ci', ...houseFolders, 'ui', 'clients/typescript/src', 'bench', 'deploy', 'test']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`)
    )
    // Files in .ci/clients/ run next to generated clients.
    .filter((file) => /\.(ts|tsx|js)$/.test(file) && !/node_modules|^\.ci\/clients\/|\.d\.ts$/.test(file))
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

/** Returns the name of the room that a file is in. */
function roomOf(file: string) {
  const names = [...Object.keys(rooms), 'package.json'].filter((name) => file.startsWith(name))
  return names.sort((a, b) => b.length - a.length)[0] ?? ''
}

/** Lists the imports of a file that its room does not allow. Imports within a room are allowed. */
function wrongImports(file: string, { files, packages } = imports.get(file) ?? importsOf(file, '')) {
  const name = roomOf(file)
  const room = rooms[name]
  if (!room) return [`${file} is in no room`]
  return [
    ...files.filter((target) => ![name, ...room.from].some((from) => from === roomOf(target) || from === target)),
    ...packages.filter((name) => builtinModules.includes(name) || !room.packages.test(name))
  ].map((target) => `${file} -> ${target}`)
}

/** Lists the groups of files that import each other, directly or indirectly (Tarjan's strongly connected components). */
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

t.test('every file imports only from its own room and from rooms that its room may use', sqlite, async (t) => {
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

t.test('a room uses only rooms below it, and every allowed use exists', sqlite, async (t) => {
  const names = [...Object.keys(rooms), 'package.json']
  const isUp = (name: string, from: string) => names.indexOf(roomOf(from)) <= names.indexOf(name)
  t.same(
    Object.entries(rooms).flatMap(([name, { from }]) =>
      from.filter((one) => isUp(name, one)).map((one) => `${name} -> ${one}`)
    ),
    []
  )
  const arrows = new Set(
    [...imports].flatMap(([file, { files }]) =>
      files.flatMap((target) => [target, roomOf(target)].map((one) => `${roomOf(file)} -> ${one}`))
    )
  )
  // Tests may import anything that they test.
  t.same(
    Object.entries(rooms)
      .filter(([name]) => name !== 'test/')
      .flatMap(([name, { from }]) => from.map((one) => `${name} -> ${one}`))
      .filter((arrow) => !arrows.has(arrow)),
    []
  )
})

t.test('a room has at most about twenty files', sqlite, async (t) => {
  const sizes = new Map<string, number>()
  for (const file of imports.keys())
    if (/^(src|plugins|db|graph|picture|audit)\//.test(file) && !file.startsWith('db/migrations/'))
      sizes.set(dirname(file), (sizes.get(dirname(file)) ?? 0) + 1)
  t.ok(sizes.size > 30)
  t.same(
    [...sizes].filter(([, size]) => size > 24),
    []
  )
})

t.test('every import resolves to a file', sqlite, async (t) => {
  const targets = [...imports.values()].flatMap(({ files }) => files)
  t.ok(targets.length > 1000)
  t.same(
    targets.filter((target) => !existsSync(join(root, target)) && !existsSync(join(root, `${target}.d.ts`))),
    []
  )
})

t.test('there are no import cycles, not even of types', sqlite, async (t) => {
  t.same(circles(new Map([...imports].map(([file, { files }]) => [file, files]))), [])
})

t.test('only the commands that erase people and prune old events change events', sqlite, async (t) => {
  const importers = (file: string) =>
    [...imports].filter(([name, { files }]) => files.includes(file) && !name.startsWith('test/')).map(([name]) => name)
  t.same(importers('db/upkeep/amendments.ts').sort(), ['src/commands/audit/erase.ts', 'src/commands/audit/prune.ts'])
  t.same(importers('db/upkeep/wiping.ts').sort(), ['src/commands/audit/erase.ts', 'src/commands/audit/prune.ts'])
})

t.test('forbidden imports and cycles are detected', sqlite, async (t) => {
  const source = (text: string) => wrongImports('graph/content/x.ts', importsOf('graph/content/x.ts', text))
  for (const wrong of [
    "import { a } from '../../db/store.ts'",
    "import type { A } from '../../plugins/http/headers.ts'",
    "export { a } from '../../src/system/assets.ts'",
    "const a = await import('../../test/support/helper.ts')",
    "let a: typeof import('../../bench/seed.ts')",
    "import { a } from '../jobs/worker.ts'",
    "import fastify from 'fastify'",
    "import 'fs'"
  ])
    t.equal(source(wrong).length, 1, wrong)
  const importing = (file: string, target: string) => wrongImports(file, importsOf(file, `import {} from '${target}'`))
  for (const [file, target] of [
    // Imports that go up or sideways within a layer.
    ['db/audit/events.ts', '../users/users.ts'],
    ['db/graphs/graphs.ts', '../changes/graphs.ts'],
    ['db/engine/sqlite/store.ts', '../../upkeep/copy.ts'],
    ['graph/formats/json/cx2.ts', '../xml/gexf.ts'],
    ['graph/query/subgraph.ts', '../files/unpack.ts'],
    ['plugins/graphs/graphs.ts', '../sharing/links.ts'],
    ['plugins/http/paging.ts', './bodies/pieces.ts'],
    ['picture/model/scales.ts', '../sheet/svg.ts'],
    ['src/settings/config.ts', '../commands/serve.ts'],
    // Imports that bypass the public files of a layer.
    ['plugins/graphs/graphs.ts', '../../db/engine/prepared.ts'],
    ['plugins/http/headers.ts', '../../db/engine/sqlite/store.ts'],
    ['plugins/app.ts', '../db/engine/open.ts'],
    ['plugins/app.ts', './graphs/versions.ts'],
    ['db/graphs/graphs.ts', '../engine/sqlite/dialect.ts'],
    ['db/graphs/graphs.ts', 'better-sqlite3'],
    ['src/commands/serve.ts', '../../plugins/graphs/graphs.ts'],
    // Imports that go up or across layers.
    ['db/engine/sqlite/store.ts', '../../../plugins/app.ts'],
    ['audit/verification.ts', '../src/audit/folder.ts'],
    ['audit/verification.ts', '../schemas/audit.ts'],
    ['graph/files/unpack.ts', '../../audit/tree.ts'],
    ['src/system/assets.ts', '../../bench/seed.ts'],
    ['src/commands/serve.ts', '../../deploy/build-exe.ts'],
    ['ui/src/main.tsx', '../../test/support/helper.ts'],
    ['ui/src/main.tsx', '../../graph/content/json.ts'],
    ['ui/src/api.ts', '../../clients/typescript/src/pages.ts'],
    ['ui/src/text/en.ts', '../../../graph/formats/shared/format.ts'],
    ['bench/load.ts', '../test/support/helper.ts'],
    ['bench/web-app.ts', '../test/browser/journeys.ts'],
    ['.ci/audit/store.ts', '../../test/support/helper.ts'],
    ['test/x.ts', '../.ci/audit/store.ts'],
    ['bench/load.ts', '../plugins/graphs/graphs.ts'],
    ['deploy/build-exe.ts', '../src/system/assets.ts'],
    ['tools/x.ts', '../src/system/assets.ts']
  ] as const)
    t.equal(importing(file, target).length, 1, `${file} -> ${target}`)
  for (const [file, target] of [
    ['db/graphs/graphs.ts', './access.ts'],
    ['db/graphs/graphs.ts', '../engine/prepared.ts'],
    ['src/commands/serve.ts', '../../db/engine/open.ts'],
    ['src/commands/audit/verify.ts', '../../../audit/verification.ts'],
    ['test/browser/journeys.ts', '../../bench/chromium.ts'],
    ['.ci/audit/store.ts', '../../db/engine/sqlite/store.ts'],
    ['ui/src/main.tsx', '../../picture/model/scales.ts'],
    ['test/store/sqlite.test.ts', '../../db/engine/sqlite/store.ts']
  ] as const)
    t.same(importing(file, target), [], `${file} -> ${target}`)
  t.same(source("import { a } from './content.ts'\nimport { join } from 'node:path'\nimport type {} from 'ajv'"), [])
  t.same(circles(new Map(Object.entries({ a: ['b'], b: ['c'], c: ['b', 'd'], d: [], e: ['e'] }))), [['b', 'c'], ['e']])
})

t.test('the PostgreSQL driver is loaded only when needed', sqlite, async (t) => {
  for (const file of imports.keys()) {
    if (
      !/^(src|plugins|db|graph|picture|audit|schemas)\//.test(file) ||
      /^db\/(engine\/postgres|upkeep\/\w+-postgres|migrations)/.test(file)
    )
      continue
    const source = readFileSync(join(root, file), 'utf8')
    t.notMatch(source, /^import (?!type).*'(pg|[^']*\/postgres[^']*)'/m, file)
  }
})

t.test('the program prints only through one module', sqlite, async (t) => {
  const printing = /console\.|process\.(?:stdout|stderr)\.write/
  const files = houseFolders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`)
  )
  const found = files.filter((file) => file.endsWith('.ts') && printing.test(readFileSync(join(root, file), 'utf8')))
  t.same(found.sort(), ['src/system/logger.ts', 'src/system/terminal.ts'])
})

t.test('only the entry point imports main', sqlite, async (t) => {
  const importing = [...imports].filter(([, { files }]) => files.includes('src/main.ts')).map(([file]) => file)
  t.same(importing, ['src/graphstead.js'])
})

t.test(
  'SQL literals are constants, since one statement per value would evict prepared statements',
  sqlite,
  async (t) => {
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
  }
)
