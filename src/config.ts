import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Static, type TProperties, type TSchema, Type } from '@sinclair/typebox'
import { readTrustProxy } from '../plugins/http/networks.ts'
import { METADATA_BYTES } from '../schemas/graph-content.ts'
import { BYTES, DURATION, DURATION_OR_NONE } from '../schemas/quantities.ts'
import { oneOf } from '../schemas/types.ts'
import { faultOf, validatorOf } from '../schemas/validation.ts'
import { oidcSettings } from './oidc-settings.ts'
import { secretText } from './secret-text.ts'

/** An invalid setting. The message names the setting; the program ends with exit code 2. */
export class BadSetting extends Error {
  override name = 'BadSetting'
}

const byMinute = (description: string, preset: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: preset, description })

/** The connection to PostgreSQL, if any. */
export const databaseSettings = {
  database: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'postgres:// URL of a database; default: a file of SQLite in the data folder'
    })
  ),
  databasePoolSize: Type.Integer({
    // Background work holds one connection while it lasts.
    minimum: 2,
    maximum: 1000,
    default: 10,
    description: 'maximum of connections to PostgreSQL, besides two for searches'
  }),
  databaseTls: oneOf(['off', 'require', 'verify'], {
    default: 'off',
    description: 'TLS to PostgreSQL, unless the URL has sslmode; verify checks its certificate'
  }),
  databaseCaFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'PEM file of the certificates that verify trusts; default: those of Node.js'
    })
  ),
  databaseStatementTimeout: Type.Integer({
    minimum: 1,
    default: 30_000,
    description: 'time limit of a statement of PostgreSQL, in milliseconds'
  }),
  databaseLockTimeout: Type.Integer({
    minimum: 1,
    default: 10_000,
    description: 'time limit of waiting for a lock, in milliseconds'
  })
} satisfies TProperties

/** The place of the records, for every command that needs them. */
export const storeSettings = {
  data: Type.String({ minLength: 1, default: './data', description: 'folder of the database and the token key' }),
  ...databaseSettings
} satisfies TProperties

/** The place of the file, for commands on the file itself. */
export const fileSettings = { data: storeSettings.data } satisfies TProperties

/** Reads the settings of a command on the file. Throws BadSetting, also if the records are in PostgreSQL. */
export function readFileSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  if (readSecret(variableOf('database'), env) !== undefined) {
    throw new BadSetting(
      `${variableOf('database')} is set: this command works on files of SQLite; back PostgreSQL up with its own tools, such as pg_dump`
    )
  }
  return readSettings(settings, args, env)
}

/**
 * The settings of the server, which reads them once, at the start. The setting `bodyLimit` is the flag `--body-limit`
 * and the variable `GRAPHSTEAD_BODY_LIMIT`.
 */
export const serveSettings = {
  host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'address to listen on' }),
  port: Type.Integer({ minimum: 0, maximum: 65535, default: 8080, description: 'port to listen on; 0 for any' }),
  ...storeSettings,
  publicUrl: Type.Optional(
    Type.String({
      pattern: '^https?://[^/?#@\\s]+/?$',
      examples: ['https://graphs.example.org'],
      description:
        'address at which browsers reach the server, for links to graphs and sign-in by a provider; default: links are relative'
    })
  ),
  links: oneOf(['on', 'off'], {
    default: 'on',
    description: 'links to graphs for people without an account; off refuses all of them, and keeps them'
  }),
  tlsCert: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'PEM file of the certificate and its chain; enables TLS; read again on SIGHUP'
    })
  ),
  tlsKey: Type.Optional(Type.String({ minLength: 1, description: "PEM file of the certificate's key" })),
  trustProxy: Type.String({
    default: '',
    description: 'proxies whose X-Forwarded-For is trusted: true, or comma-separated addresses and networks'
  }),
  ...oidcSettings,
  requireSecondFactor: oneOf(['off', 'admins', 'all'], {
    default: 'off',
    description: 'who has to have a second factor to do anything after signing in with a password'
  }),
  maxConnections: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 10_000,
    description: 'maximum of open connections; fewer if the process may not have so many open files'
  }),
  connectionsPerAddress: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'maximum from one address, or /64 of IPv6, that is no proxy; default: half of them'
    })
  ),
  minRate: Type.Integer({
    minimum: 1,
    default: 4096,
    description: 'minimum speed at which clients send bodies and read answers, in bytes per second'
  }),
  logLevel: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'lowest level to log'
  }),
  metricsPort: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 65535,
      description: 'port that serves /metrics without authentication; default: administrators only, on the main port'
    })
  ),
  bodyLimit: Type.Integer({
    minimum: 1024,
    maximum: 512 * 1024 * 1024,
    default: 32 * 1024 * 1024,
    description: "maximum size of a graph's body, in bytes"
  }),
  maxNodes: Type.Integer({ minimum: 1, default: 100_000, description: 'maximum of nodes in a graph' }),
  maxEdges: Type.Integer({ minimum: 1, default: 500_000, description: 'maximum of edges in a graph' }),
  metadataLimit: Type.Integer({
    minimum: 1024,
    maximum: 512 * 1024 * 1024,
    default: METADATA_BYTES,
    description: 'maximum size of the metadata of a node, an edge or the graph, as JSON, in bytes'
  }),
  jobTimeout: Type.String({
    pattern: DURATION,
    default: '60s',
    examples: ['60s', '2m'],
    description: 'time limit of reading, writing or comparing a large file or body'
  }),
  jobMemory: Type.Integer({
    minimum: 64,
    maximum: 65_536,
    default: 768,
    description: 'memory limit of the same, in MiB; half of it for files and bodies up to 8 MiB'
  }),
  sessionIdle: Type.String({
    pattern: DURATION_OR_NONE,
    default: '8h',
    examples: ['8h', '0'],
    description: 'time after which an unused browser session expires; 0 for the age of its token, a day'
  }),
  sessionIdleRemembered: Type.String({
    pattern: DURATION_OR_NONE,
    default: '7d',
    examples: ['7d', '0'],
    description: 'the same for users who chose to be remembered; 0 for the age of the token, 30 days'
  }),
  rateRequests: byMinute(
    'requests of a user per minute, in the long run; bursts of ten times as many; 0 for no limit',
    60_000
  ),
  rateChanges: byMinute('the same for requests that make changes', 6000),
  rateBytes: Type.String({
    pattern: BYTES,
    default: '256MiB',
    examples: ['256MiB', '0'],
    description: 'the same for bytes that a user sends'
  }),
  rateDenials: byMinute('the same for requests that are denied', 60),
  rateAddress: byMinute('the same for requests of an address without a valid token', 6000),
  userQuota: Type.String({
    pattern: BYTES,
    default: '0',
    examples: ['1GiB', '0'],
    description: 'bytes that the graphs of one user may take, with all versions and the trash; 0 for no limit'
  }),
  userGraphs: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'number of graphs that one user may have, including the trash; 0 for no limit'
  }),
  minFree: Type.String({
    pattern: BYTES,
    default: '64MiB',
    examples: ['64MiB', '0'],
    description:
      'bytes of the disk reserved for deleting, logging in and recording; with less free, content is refused; 0 for none'
  }),
  keepVersions: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'maximum of versions kept of each graph, including the current one; default: all'
    })
  ),
  trashDays: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
    description: 'days that deleted graphs stay in the trash; 0 deletes at once'
  }),
  auditKeyFile: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'file of the key that signs the audit log; default: audit.key beside the token key'
    })
  ),
  auditCheckpointPublic: Type.Boolean({
    default: false,
    description: 'show the checkpoint of the audit log to everybody, without a token'
  }),
  auditLines: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'file to which each audit event is written as a line of JSON; - for standard output'
    })
  ),
  every: Type.Optional(
    Type.String({
      pattern: DURATION,
      examples: ['6h', '1d'],
      description: 'interval between backups, such as 6h or 1d; default: none'
    })
  ),
  keep: Type.Integer({ minimum: 1, maximum: 100_000, default: 14, description: 'number of these backups to keep' }),
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

/** Reads the settings of `serve`, or those with more of another command. Throws BadSetting. */
export function readConfig(
  args: string[],
  env: Environment,
  command = 'serve',
  settings: TProperties = serveSettings
): Config {
  const { values, positionals } = readSettings(settings, args, env)
  if (positionals.length > 0) throw new BadSetting(`${command} takes no arguments: ${positionals[0]}`)
  const config = values as Config
  if (config.publicUrl !== undefined) {
    const url = URL.parse(config.publicUrl)
    if (!url) throw new BadSetting('--public-url or GRAPHSTEAD_PUBLIC_URL is not an address')
    config.publicUrl = url.origin
  }
  try {
    readTrustProxy(config.trustProxy)
  } catch (error) {
    throw new BadSetting(`--trust-proxy or GRAPHSTEAD_TRUST_PROXY: ${(error as Error).message}`)
  }
  if (config.every !== undefined && config.database !== undefined) {
    throw new BadSetting('--every is for SQLite: back PostgreSQL up with its own tools, such as pg_dump')
  }
  return config
}

/** Reads the settings of a command: its flags, then GRAPHSTEAD_… variables, then defaults. Throws BadSetting, also for unknown flags. */
export function readSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  const { values, positionals } = parseFlags(settings, args)
  const raw: Record<string, unknown> = {}
  /** The flag or variable of each setting, for messages. */
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
  validate(raw)
  const error = validate.errors?.[0]
  if (error) {
    const name = error.instancePath.split('/')[1] ?? ''
    const examples = error.keyword === 'pattern' ? settings[name]?.examples : undefined
    const fault = examples ? `is not like ${examples.join(' or ')}` : faultOf(error).detail
    throw new BadSetting(`${origins[name]} ${fault}`)
  }
  return { values: raw as Static<ReturnType<typeof Type.Object<T>>>, positionals }
}

function parseFlags(settings: TProperties, args: string[]) {
  const options = Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => [
      flagOf(name),
      {
        type: schema.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        // A flag of a list may be repeated.
        multiple: schema.type === 'array'
      }
    ])
  )
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // Only the first sentence: Node's advice that follows does not fit here.
    throw new BadSetting((error as Error).message.split('. ')[0] ?? '')
  }
}

function fromText(schema: TSchema, text: string | boolean | (string | boolean)[]) {
  if (schema.type === 'integer' && /^-?\d+$/.test(String(text))) return Number(text)
  if (schema.type === 'boolean' && typeof text === 'string')
    return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** The flag of a setting, without its dashes: `bodyLimit` is `body-limit`. */
export function flagOf(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Settings that may hold a password. Their variable with `_FILE` names a file with the value. */
const secrets = new Set(['database'])

/** The environment variable of a setting: `bodyLimit` is `GRAPHSTEAD_BODY_LIMIT`. */
export function variableOf(name: string) {
  // DATABASE_URL is the customary name.
  if (name === 'database') return 'GRAPHSTEAD_DATABASE_URL'
  return `GRAPHSTEAD_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

/** Reads a secret from its variable, or from the file that the variable with `_FILE` names. Throws BadSetting. */
export function readSecret(variable: string, env: Environment): string | undefined {
  if (env[variable]) return env[variable]
  const file = env[`${variable}_FILE`]
  if (!file) return undefined
  try {
    return secretText(readFileSync(file))
  } catch (error) {
    throw new BadSetting(`${variable}_FILE cannot be read: ${(error as Error).message}`)
  }
}
