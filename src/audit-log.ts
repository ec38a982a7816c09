import { type TProperties, Type } from '@sinclair/typebox'
import type { LogSource } from '../audit/source.ts'
import { openFolder } from './audit-folder.ts'
import { serverSource } from './audit-server.ts'
import { BadSetting, type Environment, readSettings } from './config.ts'
import { farServerAt, farSettings } from './far-server.ts'

// The places of a log: a folder of an export, a server, or the database itself.

/** The settings of commands that read a log. */
export const logSettings = {
  data: Type.Optional(Type.String({ minLength: 1, description: 'data folder, to read the database itself' })),
  plainHttp: farSettings.plainHttp,
  timeout: farSettings.timeout
} satisfies TProperties

/** The part of the help texts about the environment. */
export const logHelp = `For a server GRAPHSTEAD_TOKEN is a token of an administrator or auditor, or GRAPHSTEAD_TOKEN_FILE names a file with it.`

interface LogValues {
  data?: string
  plainHttp: boolean
  timeout: string
}

/** A log that is open. */
export interface OpenLog {
  /** Its name in messages. */
  name: string
  source: LogSource
  close(): Promise<void>
}

/** Reads the settings of a command that reads a log: flags, and of the environment only what concerns the connection. Throws BadSetting. */
export function readLogSettings<T extends TProperties>(settings: T, args: string[], env: Environment) {
  const shared = ['GRAPHSTEAD_PLAIN_HTTP', 'GRAPHSTEAD_TIMEOUT']
  return readSettings(settings, args, Object.fromEntries(shared.map((name) => [name, env[name]])))
}

/** Opens the log in a folder, on a server, or in the database. Throws BadSetting, and Unreadable. */
export async function openLog(place: string | undefined, values: LogValues, env: Environment): Promise<OpenLog> {
  if ((place === undefined) === (values.data === undefined)) throw new BadSetting('name a folder, a server, or --data')
  if (place === undefined) return databaseSource(values.data ?? '', env)
  const isServer = /^https?:\/\//i.test(place)
  const source = isServer ? serverSource(farServerAt(place, 'the address', env, values)) : await openFolder(place)
  return { name: place, source, close: async () => {} }
}

/** Opens the log of the database that belongs to the data folder. */
async function databaseSource(_data: string, _env: Environment): Promise<OpenLog> {
  throw new BadSetting('--data is not known yet')
}
