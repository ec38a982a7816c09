import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Static, TProperties, TSchema, Type } from '@sinclair/typebox'
import { readTrustProxy } from '../../plugins/http/networks.ts'
import { type Settings, serveSettings } from '../../schemas/settings.ts'
import { faultOf, validatorOf } from '../../schemas/validation.ts'
import { secretText } from './secret-text.ts'

/** Thrown for an invalid setting. The message identifies the setting, and the program exits with code 2. */
export class BadSetting extends Error {
  override name = 'BadSetting'
}

/**
 * Reads the settings of a command that works on the database file. Throws BadSetting, for example if the records are in
 * PostgreSQL.
 */
export function readFileSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  if (readSecret(variableOf('database'), env) !== undefined) {
    throw new BadSetting(
      `${variableOf('database')} is set, but this command works with SQLite only: back PostgreSQL up with its own tools, such as pg_dump`
    )
  }
  return readSettings(settings, args, env)
}

export type Environment = Record<string, string | undefined>

/** Reads the settings of `serve`, and optionally the additional settings of another command. Throws BadSetting. */
export function readConfig(
  args: string[],
  env: Environment,
  command = 'serve',
  settings: TProperties = serveSettings
): Settings {
  const { values, positionals } = readSettings(settings, args, env)
  if (positionals.length > 0) throw new BadSetting(`${command} takes no arguments: ${positionals[0]}`)
  const config = values as Settings
  if (config.publicUrl !== undefined) {
    const url = URL.parse(config.publicUrl)
    if (!url) throw new BadSetting('--public-url or GRAPHSTEAD_PUBLIC_URL is not a valid URL')
    config.publicUrl = url.origin
  }
  try {
    readTrustProxy(config.trustProxy)
  } catch (error) {
    throw new BadSetting(`--trust-proxy or GRAPHSTEAD_TRUST_PROXY: ${(error as Error).message}`)
  }
  if (config.every !== undefined && config.database !== undefined) {
    throw new BadSetting('--every works with SQLite only: back PostgreSQL up with its own tools, such as pg_dump')
  }
  return config
}

/**
 * Reads the settings of a command from its flags, then from GRAPHSTEAD_… variables, then from the defaults. Throws BadSetting,
 * for example for unknown flags.
 */
export function readSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  const { values, positionals } = parseFlags(settings, args)
  const raw: Record<string, unknown> = {}
  /** The flag or variable from which each setting was read, for use in messages. */
  const origins: Record<string, string> = {}
  const given: TProperties = {}
  for (const [name, schema] of Object.entries(settings)) {
    const variable = variableOf(name)
    const flag = values[flagOf(name)]
    const text = flag ?? (secrets.has(name) ? readSecret(variable, env) : env[variable] || undefined)
    if (text === undefined) {
      if (schema.default !== undefined) raw[name] = schema.default
      continue
    }
    origins[name] = flag === undefined ? variable : `--${flagOf(name)}`
    raw[name] = fromText(schema, text)
    given[name] = schema
  }
  // Compile only the settings that are given, because compiling a schema delays startup, and most settings keep their defaults.
  const validate = validatorOf({ type: 'object', properties: given, required: [] })
  validate(raw)
  const error = validate.errors?.[0]
  if (error) {
    const name = error.instancePath.split('/')[1] ?? ''
    const examples = error.keyword === 'pattern' ? settings[name]?.examples : undefined
    const fault = examples ? `must look like ${examples.join(' or ')}` : faultOf(error).detail
    throw new BadSetting(`${origins[name]} ${fault}`)
  }
  if (origins.databaseReplica !== undefined && settings.database !== undefined && origins.database === undefined) {
    throw new BadSetting(`${origins.databaseReplica} works with PostgreSQL only: an SQLite file has no standby`)
  }
  return { values: raw as Static<ReturnType<typeof Type.Object<T>>>, positionals }
}

function parseFlags(settings: TProperties, args: string[]) {
  const options = Object.fromEntries(
    Object.entries(settings).map(([name, schema]) => [
      flagOf(name),
      {
        type: schema.type === 'boolean' ? ('boolean' as const) : ('string' as const),
        // List flags may be repeated.
        multiple: schema.type === 'array'
      }
    ])
  )
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true })
  } catch (error) {
    // Keep only the first sentence, because the advice that Node.js adds does not apply here.
    throw new BadSetting((error as Error).message.split('. ')[0] ?? '')
  }
}

function fromText(schema: TSchema, text: string | boolean | (string | boolean)[]) {
  if (schema.type === 'integer' && /^-?\d+$/.test(String(text))) return Number(text)
  if (schema.type === 'boolean' && typeof text === 'string')
    return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** Returns the flag for a setting, without leading dashes: `bodyLimit` becomes `body-limit`. */
export function flagOf(name: string) {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Settings that may contain a password. A variable with the suffix `_FILE` specifies a file that contains the value. */
const secrets = new Set(['database', 'databaseReplica'])

/** Returns the environment variable of a setting: `bodyLimit` becomes `GRAPHSTEAD_BODY_LIMIT`. */
export function variableOf(name: string) {
  // DATABASE_URL is the conventional name.
  if (name === 'database') return 'GRAPHSTEAD_DATABASE_URL'
  return `GRAPHSTEAD_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`
}

/**
 * Reads a secret from its variable, or from the file specified by the variable with the suffix `_FILE`. Throws BadSetting.
 */
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
