import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { readTrustProxy } from '../plugins/http/networks.ts'
import { BYTES, DURATION, DURATION_OR_NONE } from '../schemas/quantities.ts'
import { oneOf } from '../schemas/types.ts'
import { validatorOf } from '../schemas/validation.ts'

/** A setting has a bad value. Its message names the setting; the program ends with exit code 2. */
export class BadSetting extends Error {
  override name = 'BadSetting'
}

const byMinute = (description: string, preset: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: preset, description })

/** How PostgreSQL is reached, where it is asked for. */
export const databaseSettings = {
  database: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'postgres:// URL of a database; default: a file of SQLite in the data folder'
    })
  ),
  databasePoolSize: Type.Integer({
    // Background work has one for as long as it lasts.
    minimum: 2,
    maximum: 1000,
    default: 10,
    description: 'most connections to PostgreSQL, besides two for searches'
  }),
  databaseTls: oneOf(['off', 'require', 'verify'], {
    default: 'off',
    description: 'TLS to PostgreSQL, unless the URL says sslmode; verify checks who it is'
  }),
  databaseCaFile: Type.Optional(
    Type.String({ minLength: 1, description: 'certificates in PEM that verify believes; default: those of Node.js' })
  ),
  databaseStatementTimeout: Type.Integer({
    minimum: 1,
    default: 30_000,
    description: 'how long a statement of PostgreSQL may take, in milliseconds'
  }),
  databaseLockTimeout: Type.Integer({
    minimum: 1,
    default: 10_000,
    description: 'how long it may wait for a lock, in milliseconds'
  })
} satisfies TProperties

/** Where the records are, for every command that needs them. */
export const storeSettings = {
  data: Type.String({ minLength: 1, default: './data', description: 'folder of the database and the token key' }),
  ...databaseSettings
} satisfies TProperties

/** Where the file is, for commands that are about the file itself. */
export const fileSettings = { data: storeSettings.data } satisfies TProperties

/** Settings of such a command. Throws BadSetting, also where the records are in PostgreSQL. */
export function readFileSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  if (readSecret(variableOf('database'), env) !== undefined) {
    throw new BadSetting(`${variableOf('database')} is set: backups of PostgreSQL are its own, such as pg_dump`)
  }
  return readSettings(settings, args, env)
}

/**
 * Settings are read once, at the start: flags win over the environment, which wins over defaults. The setting
 * `bodyLimit` is the flag `--body-limit` and the variable `GRAPHSTEAD_BODY_LIMIT`.
 */
export const serveSettings = {
  host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'address to listen on' }),
  port: Type.Integer({ minimum: 0, maximum: 65535, default: 8080, description: 'port to listen on; 0 for any' }),
  ...storeSettings,
  tlsCert: Type.Optional(
    Type.String({ minLength: 1, description: 'certificate with its chain in PEM: speak TLS; read again at SIGHUP' })
  ),
  tlsKey: Type.Optional(Type.String({ minLength: 1, description: 'the key of this certificate, in PEM' })),
  trustProxy: Type.String({
    default: '',
    description: 'proxies whose X-Forwarded-For is believed: true, or addresses and networks with commas between'
  }),
  maxConnections: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 10_000,
    description: 'most connections at once; fewer where the process may not have so many open files'
  }),
  connectionsPerAddress: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'most of them from one address, or network of IPv6, that is no proxy; default: half of them'
    })
  ),
  minRate: Type.Integer({
    minimum: 1,
    default: 4096,
    description: 'how fast bodies have to come and answers have to be taken, in bytes a second'
  }),
  logLevel: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'how much to log'
  }),
  metricsPort: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description: 'port that serves /metrics to everybody who reaches it; default: /metrics is for administrators'
    })
  ),
  bodyLimit: Type.Integer({
    minimum: 1024,
    maximum: 512 * 1024 * 1024,
    default: 32 * 1024 * 1024,
    description: 'largest body of a graph, in bytes'
  }),
  maxNodes: Type.Integer({ minimum: 1, default: 100_000, description: 'most nodes of a graph' }),
  maxEdges: Type.Integer({ minimum: 1, default: 500_000, description: 'most edges of a graph' }),
  jobTimeout: Type.String({
    pattern: DURATION,
    default: '60s',
    examples: ['60s', '2m'],
    description: 'how long a large file or body may take to be read, written or compared'
  }),
  jobMemory: Type.Integer({
    minimum: 64,
    maximum: 65_536,
    default: 768,
    description: 'how much memory that may take, in MiB; half of it where it is not larger than 8 MiB'
  }),
  sessionIdle: Type.String({
    pattern: DURATION_OR_NONE,
    default: '8h',
    examples: ['8h', '0'],
    description: 'how long a session of a browser goes on without use; 0 for as long as its token, a day'
  }),
  sessionIdleRemembered: Type.String({
    pattern: DURATION_OR_NONE,
    default: '7d',
    examples: ['7d', '0'],
    description: 'the same for who wants to be remembered; 0 for as long as the token, 30 days'
  }),
  rateRequests: byMinute(
    'requests of a user in a minute, in the long run; ten times as many at once; 0 for any number',
    60_000
  ),
  rateChanges: byMinute('the same for requests that change something', 6000),
  rateBytes: Type.String({
    pattern: BYTES,
    default: '256MiB',
    examples: ['256MiB', '0'],
    description: 'the same for the bytes that a user sends'
  }),
  rateDenials: byMinute('the same for requests that are denied', 60),
  rateAddress: byMinute('the same for requests of an address that no user is known to have sent', 6000),
  userQuota: Type.String({
    pattern: BYTES,
    default: '0',
    examples: ['1GiB', '0'],
    description: 'bytes that the graphs of one user may take, with all versions and the trash; 0 for any number'
  }),
  userGraphs: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'how many graphs one user may have, the trash included; 0 for any number'
  }),
  minFree: Type.String({
    pattern: BYTES,
    default: '64MiB',
    examples: ['64MiB', '0'],
    description:
      'bytes of the disk that are kept for deleting, logging in and recording: content is refused before; 0 for none'
  }),
  keepVersions: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'most versions of a graph that are kept, the current one included; default: all'
    })
  ),
  trashDays: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
    description: 'days that deleted graphs stay in the trash; 0 deletes at once'
  }),
  every: Type.Optional(
    Type.String({
      pattern: DURATION,
      examples: ['6h', '1d'],
      description: 'how often to write a backup, such as 6h or 1d; default: never'
    })
  ),
  keep: Type.Integer({ minimum: 1, maximum: 100_000, default: 14, description: 'how many of these backups are kept' }),
  backups: Type.Optional(
    Type.String({ minLength: 1, description: 'folder of these backups; default: backups in the data folder' })
  ),
  jwtSecretFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'file of the token key, at least 32 bytes; default: token.key in the data folder'
    })
  )
} satisfies TProperties

const Settings = Type.Object(serveSettings)
export type Config = Static<typeof Settings>

export type Environment = Record<string, string | undefined>

/** What `serve` runs with. Throws BadSetting. */
export function readConfig(args: string[], env: Environment): Config {
  const { values, positionals } = readSettings(serveSettings, args, env)
  if (positionals.length > 0) throw new BadSetting(`serve takes no arguments: ${positionals[0]}`)
  const config = values as Config
  try {
    readTrustProxy(config.trustProxy)
  } catch (error) {
    throw new BadSetting(`--trust-proxy or GRAPHSTEAD_TRUST_PROXY: ${(error as Error).message}`)
  }
  if (config.every !== undefined && config.database !== undefined) {
    throw new BadSetting('--every is for the file of SQLite: backups of PostgreSQL are its own, such as pg_dump')
  }
  return config
}

/**
 * Reads the settings of a command: its flags, then GRAPHSTEAD_… variables, then defaults.
 * Throws BadSetting, also for a flag that the command does not have.
 */
export function readSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  const { values, positionals } = parseFlags(settings, args)
  const raw: Record<string, unknown> = {}
  /** How the user named it, for messages. */
  const origins: Record<string, string> = {}
  for (const [name, schema] of Object.entries(settings)) {
    const variable = variableOf(name)
    const flag = values[flagOf(name)]
    const text = flag ?? (secrets.has(name) ? readSecret(variable, env) : env[variable] || undefined)
    if (text === undefined) continue
    origins[name] = flag === undefined ? variable : `--${flagOf(name)}`
    raw[name] = fromText(schema, text)
  }
  const validate = validatorOf({ type: 'object', properties: settings, required: [] })
  if (!validate(raw)) {
    const error = validate.errors?.[0]
    const name = error?.instancePath.slice(1) ?? ''
    const allowed = error?.keyword === 'enum' ? `: ${error.params.allowedValues.join(', ')}` : ''
    const examples = error?.keyword === 'pattern' ? settings[name]?.examples : undefined
    const says = examples ? `is not like ${examples.join(' or ')}` : `${error?.message}${allowed}`
    throw new BadSetting(`${origins[name]} ${says}`)
  }
  return { values: raw as Static<ReturnType<typeof Type.Object<T>>>, positionals }
}

function parseFlags(settings: TProperties, args: string[]) {
  const options = Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => [
      flagOf(name),
      { type: schema.type === 'boolean' ? ('boolean' as const) : ('string' as const) }
    ])
  )
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new BadSetting((error as Error).message.split('. ')[0] ?? '')
  }
}

function fromText(schema: TSchema, text: string | boolean) {
  if (schema.type === 'integer' && /^-?\d+$/.test(String(text))) return Number(text)
  if (schema.type === 'boolean' && typeof text === 'string')
    return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** The flag of a setting, without its dashes: `bodyLimit` is `body-limit`. */
export function flagOf(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Settings that may hold a password: their variable with `_FILE` names a file that has it. */
const secrets = new Set(['database'])

/** The environment variable of a setting: `bodyLimit` is `GRAPHSTEAD_BODY_LIMIT`. */
export function variableOf(name: string) {
  // What it holds has a name that everybody uses.
  if (name === 'database') return 'GRAPHSTEAD_DATABASE_URL'
  return `GRAPHSTEAD_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

/** A secret from its variable, or from the file that the variable with `_FILE` names. Throws BadSetting. */
export function readSecret(variable: string, env: Environment): string | undefined {
  if (env[variable]) return env[variable]
  const file = env[`${variable}_FILE`]
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new BadSetting(`${variable}_FILE cannot be read: ${(error as Error).message}`)
  }
}
