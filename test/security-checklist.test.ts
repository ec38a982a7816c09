import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'

// docs/security-checklist.md lists every requirement of ASVS levels 1 and 2, and each row marked "pass" refers to a test.

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The program's source files. */
const sources = ['src', 'plugins', 'db', 'graph', 'picture', 'audit'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(folder, file))
)

/** OWASP ASVS 5.0.0: the levels of the requirements in each section, in order. */
const LEVELS = `
V1.1 22 V1.2 1111122223 V1.3 112222222223 V1.4 222 V1.5 123 V2.1 122 V2.2 112 V2.3 12223 V2.4 23 V3.1 3 V3.2 113 V3.3 12223
V3.4 11222233 V3.5 11122333 V3.6 3 V3.7 22333 V4.1 12233 V4.2 23333 V4.3 22 V4.4 1222 V5.1 2 V5.2 112333 V5.3 113 V5.4 222
V6.1 122 V6.2 111111112222 V6.3 11223333 V6.4 112233 V6.5 22222333 V6.6 2223 V6.7 33 V6.8 2222 V7.1 222 V7.2 1111 V7.3 22
V7.4 11222 V7.5 223 V7.6 22 V8.1 1233 V8.2 1123 V8.3 133 V8.4 23 V9.1 111 V9.2 1222 V10.1 22 V10.2 223 V10.3 22223
V10.4 1111122222233333 V10.5 22222 V10.6 22 V10.7 222 V11.1 2233 V11.2 22233 V11.3 11233 V11.4 1222 V11.5 23 V11.6 23 V11.7 33
V12.1 12233 V12.2 11 V12.3 22223 V13.1 2333 V13.2 222223 V13.3 2233 V13.4 1222233 V14.1 22 V14.2 12223333 V14.3 122 V15.1 12233
V15.2 12233 V15.3 1222222 V15.4 3333 V16.1 2 V16.2 22222 V16.3 2222 V16.4 222 V16.5 2223 V17.1 23 V17.2 22223333 V17.3 22`

const requirements = [...LEVELS.matchAll(/(V\d+\.\d+) (\d+)/g)].flatMap(([, section = '', levels = '']) =>
  [...levels].map((level, index) => ({ id: `${section}.${index + 1}`, level }))
)

const document = read('docs/security-checklist.md')
const rows = document
  .split('\n')
  .filter((line) => /^\| (V\d|API\d)/.test(line))
  .map((line) => {
    const [id = '', level = '', asked = '', verdict = '', shown = '', ...more] = line.slice(2, -2).split(' | ')
    return { id, level, asked, verdict, shown, more }
  })

t.test('every requirement of levels 1 and 2 is listed once with its level', (t) => {
  const counts = ['1', '2', '3'].map((level) => requirements.filter((one) => one.level === level).length)
  t.same(counts, [70, 183, 92], 'the counts match ASVS 5.0.0')
  t.same(
    rows.filter(({ id }) => id.startsWith('V')).map(({ id, level }) => `${id} ${level}`),
    requirements.filter(({ level }) => level !== '3').map(({ id, level }) => `${id} ${level}`)
  )
  t.same(
    rows.filter(({ id }) => id.startsWith('API')).map(({ id }) => id),
    Array.from({ length: 10 }, (_, index) => `API${index + 1}:2023`)
  )
  t.end()
})

t.test('rows marked "pass" name existing tests, and all others give a reason', (t) => {
  for (const { id, asked, verdict, shown, more } of rows) {
    t.same(more, [], id)
    t.match(asked, /\w{3}/, id)
    t.match(verdict, /^(pass|open|not applicable)$/, id)
    if (verdict !== 'pass') {
      t.ok(shown.length >= 8, `${id} gives a reason`)
      continue
    }
    const named = shown.split('<br>').map((one) => /^`(test\/[\w/-]+\.test\.ts)`: (.+)$/.exec(one))
    t.ok(named.length > 0 && named.every((one) => one !== null), `${id} names tests`)
    for (const [, file = '', name = ''] of named.filter((one) => one !== null)) {
      t.ok(existsSync(join(root, file)), `${id}: ${file}`)
      t.ok(hasTest(read(file), name), `${id}: ${file} has a test “${name}”`)
    }
  }
  t.end()
})

t.test('the summary has the correct row counts', (t) => {
  for (const [prefix, title] of [
    ['V', 'ASVS'],
    ['API', 'API Top 10']
  ] as const) {
    const count = (verdict: string) => rows.filter((row) => row.id.startsWith(prefix) && row.verdict === verdict).length
    const line = `| ${title} | ${['pass', 'not applicable', 'open'].map(count).join(' | ')} |`
    t.ok(document.includes(line), line)
  }
  t.end()
})

t.test('the documentation says how soon vulnerable packages are updated', (t) => {
  t.match(
    read('CONTRIBUTING.md'),
    /fix known vulnerabilities in production dependencies within 7 days \(critical, high\) or 30/
  )
  t.match(read('.ci/run'), /check 'advisories'/)
  t.end()
})

t.test('the documentation defines valid and consistent input', (t) => {
  const { components } = JSON.parse(read('openapi.json'))
  t.match(components.schemas.Edge.description, /between two existing nodes/)
  for (const [name, schema] of Object.entries<{ description?: string }>(components.schemas))
    t.ok(schema.description, name)
  t.match(read('openapi.json'), /The first day \(inclusive\)\. Requires `toDate`/)
  t.end()
})

t.test('the documentation lists the rights and roles for each action and each field', (t) => {
  const sharing = read('docs/sharing.md')
  const { paths, components } = JSON.parse(read('openapi.json'))
  const listed = sharing.match(/^\| `\/.*\|$/gm)?.flatMap((row) => row.split('|')[1]?.match(/\/[a-z/-]+/g) ?? []) ?? []
  for (const path of Object.keys(paths)) {
    t.ok(
      listed.some((begin) => path === begin || path.startsWith(`${begin}/`)),
      path
    )
  }
  const rights = /^\| \| READ[\s\S]*?\n\n/m.exec(sharing)?.[0] ?? ''
  const { properties } = components.schemas.GraphPatch
  const { content } = components.schemas.GraphUpdate.properties
  for (const [field, { readOnly }] of Object.entries<{ readOnly?: boolean }>({ ...properties, content })) {
    // Any change may include a version and a message.
    if (!readOnly && !['version', 'message'].includes(field)) t.ok(rights.includes(`\`${field}\``), field)
  }
  t.end()
})

t.test('docs/inventory.md lists every file that uses cryptography, every key, and all algorithms', (t) => {
  const inventory = read('docs/inventory.md')
  const listed = inventory.match(/(?<=`)(?:src|plugins|db|graph|picture|audit)\/[\w/-]+\.ts(?=`)/g) ?? []
  const found = sources.filter((file) =>
    /(?:from |import\()'(?:node:crypto|node:tls|@fastify\/jwt|jose|openid-client)'/.test(read(file))
  )
  t.same([...new Set(listed)].sort(), found.sort())
  const all = found.map(read).join('\n')
  for (const [, purpose = ''] of all.matchAll(/deriveKey\([^)]*'([^']+)'\)/g))
    t.ok(inventory.includes(`\`${purpose}\``), purpose)
  const algorithms = [
    ...all.matchAll(/(?:createHash|createHmac|createSign|createCipheriv|scrypt|pbkdf2|[^.\w]hash)\('?([\w-]+)'?/g)
  ]
  t.same([...new Set(algorithms.map(([, name]) => name))].sort(), ['aes-256-gcm', 'sha1', 'sha256'])
  t.match(read('plugins/sign-in/totp.ts'), /createHmac\('sha1'/, 'authenticator apps compute codes with SHA-1')
  t.match(read('db/engine/postgres/dialect.ts'), /name = hash\('sha1'/, 'SHA-1 names statements, and has no other use')
  t.end()
})

t.test(
  'only the database driver, the identity provider, the doctor and the commands for a remote server open connections',
  (t) => {
    const connecting =
      /\bfetch\(|from 'node:(dgram|http2)'|\b(https?|http)\.(get|request)\(|\b(net|tls)\.connect\(|import \{[^}]*\b(connect|get|request)\b[^}]*\} from 'node:(http|https|net|tls)'|from 'undici'/
    t.same(
      sources.filter((file) => connecting.test(read(file))),
      ['src/doctor/ports.ts', 'src/remote/server.ts', 'plugins/sign-in/provider/bounded-fetch.ts']
    )
    const clients = sources.filter((file) => read(file).includes("remote/server.ts'"))
    t.same(clients.sort(), [
      ...['src/audit/log.ts', 'src/audit/place.ts', 'src/audit/server.ts', 'src/commands/audit/verify.ts'],
      ...['src/commands/audit/witness.ts', 'src/commands/list.ts', 'src/commands/pull.ts', 'src/commands/push.ts']
    ])
    const drivers = sources.filter((file) => /(?:from |import\()'pg'/.test(read(file)))
    t.same(drivers.sort(), [
      ...['db/engine/postgres/dialect.ts', 'db/engine/postgres/errors.ts', 'db/engine/postgres/pooler.ts'],
      ...['db/engine/postgres/store.ts', 'db/upkeep/inspect-postgres.ts', 'db/upkeep/wiping-postgres.ts']
    ])
    const inventory = read('docs/inventory.md')
    t.match(inventory, /the server \| PostgreSQL, if `--database` specifies one/)
    t.match(inventory, /the server \| the identity provider, if `--oidc-issuer` specifies one/)
    t.end()
  }
)

t.test('the documentation lists data and logs, who can read them, and how long they are kept', (t) => {
  const kept = read('docs/data.md')
  for (const kind of ['secret', 'confidential', 'internal', 'public']) t.ok(kept.includes(`\n| ${kind} | `), kind)
  for (const field of ['reqId', 'method', 'path', 'status', 'ms', 'ip', 'user'])
    t.ok(kept.includes(`\`${field}\``), field)
  t.match(kept, /the trail \(`\/management\/audits`\)/)
  t.end()
})

t.test('the documentation lists expensive operations, their limits and how they are refused', (t) => {
  const documents = read('docs/limits.md')
  for (const name of [
    ...['body-limit', 'max-nodes', 'max-edges', 'job-timeout', 'job-memory', 'rate-user', 'rate-address'],
    ...['min-free', 'max-connections'],
    'min-rate'
  ])
    t.ok(documents.includes(`\`--${name}\``), name)
  for (const told of [
    '429 with `Retry-After`',
    '413 `file-too-complex`',
    '507 `storage-low`',
    'the connection is closed'
  ])
    t.ok(documents.includes(told), told)
  t.end()
})

t.test('the documentation explains how guessing is limited without locking users out', (t) => {
  const documents = read('docs/troubleshoot-sign-in.md')
  t.match(documents, /`too-many-attempts`/)
  t.match(
    documents,
    /one browser or network, for one account \| ten wrong passwords; each further one doubles the wait/
  )
  t.match(documents, /100 attempts in five minutes/)
  t.match(
    read('docs/security-sign-in.md'),
    /never locks users\s+out of a browser or network that they have signed in from before/
  )
  t.end()
})

t.test('the documentation says when sessions end', (t) => {
  const told = read('docs/limits.md').replaceAll(/\s+/g, ' ')
  t.ok(
    told.includes(
      'expires after `--session-idle` (8 hours) without a request, or after `--session-idle-remembered` (7 days)'
    )
  )
  t.ok(told.includes('In any case, it expires after 24 hours (30 days if remembered).'))
  t.end()
})

t.test('the documentation lists the passwords that are refused', (t) => {
  const promised = read('docs/security-sign-in.md').replaceAll(/\s+/g, ' ')
  for (const told of [
    'must be at least 12 characters long',
    'the username; the product name; and repetitions and sequences'
  ])
    t.ok(promised.includes(told), told)
  t.end()
})

/** Returns whether a source has a test with this name, exactly as quoted in the checklist. */
function hasTest(source: string, name: string) {
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) =>
    new RegExp(`\\b(?:t\\.test|journey)\\(\\s*${escaped(quoted)}`).test(source)
  )
}

function escaped(text: string) {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
