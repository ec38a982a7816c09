import type { TProperties } from '@sinclair/typebox'
import { type LogSource, Unreadable } from '../../audit/source.ts'
import { type DatabaseSettings, openStore } from '../../db/engine/open.ts'
import { StoreRefused } from '../../db/store.ts'
import { databaseSettings } from '../../schemas/settings.ts'
import { optionalText } from '../../schemas/types.ts'
import { type Connection, remoteServerAt, remoteSettings } from '../remote/server.ts'
import { BadSetting, type Environment } from '../settings/config.ts'
import { existingDatabase } from '../settings/data-folder.ts'
import { startThread } from '../system/assets.ts'
import { databaseSource } from './database.ts'
import { openFolder } from './folder.ts'
import { serverSource } from './server.ts'
import { AuditLogRefused, readShown } from './shown.ts'
import { AuditKeyRefused } from './signing-key.ts'

// The sources of a log: an exported folder, a server, or the database itself.

/** The settings of commands that read a log. */
export const logSettings = {
  data: optionalText({ minLength: 1, description: 'data folder of the database to read' }),
  ...databaseSettings,
  database: optionalText({ minLength: 1, description: 'postgres:// URL of the database to read' }),
  plainHttp: remoteSettings.plainHttp,
  timeout: remoteSettings.timeout
} satisfies TProperties

/** The part of the help text about environment variables. */
export const logHelp = `To read from a server, set GRAPHSTEAD_TOKEN to a token of an administrator or auditor, or GRAPHSTEAD_TOKEN_FILE to a file that
contains it.`

interface LogValues extends DatabaseSettings, Connection {
  data?: string
}

/** An opened log. */
export interface OpenLog {
  /** A name for use in messages. */
  name: string
  source: LogSource
  close(): Promise<void>
}

/**
 * Opens the log in a folder, on a server or in the database. Reads a database up to its last checkpoint, or up to the last
 * published one if `isPublic` is set. `within` limits the time for reading a server's log, in milliseconds. Throws BadSetting
 * or Unreadable.
 */
export async function openLog(
  place: string | undefined,
  values: LogValues,
  env: Environment,
  { isPublic = false, within }: { isPublic?: boolean; within?: number } = {}
): Promise<OpenLog> {
  const isDatabase = values.data !== undefined || values.database !== undefined
  if ((place !== undefined) === isDatabase) throw new BadSetting('specify a folder, a server, --data or --database')
  if (place === undefined) return openDatabase(values, isPublic)
  const isServer = /^https?:\/\//i.test(place)
  const source = isServer
    ? serverSource(remoteServerAt(place, 'the address', env, values), within)
    : await openFolder(place)
  return { name: place, source, close: async () => {} }
}

/** Opens the log of a database. Throws BadSetting, StoreRefused, or Unreadable if nothing has been published. */
async function openDatabase(values: LogValues, isPublic: boolean): Promise<OpenLog> {
  const { data, database } = values
  const store = await openStore(values, () => existingDatabase(data ?? ''), startThread)
  try {
    const checkpoint = isPublic ? (await readShown(store.read, data ?? './data')).checkpoint : undefined
    const name = database === undefined ? (data ?? '') : 'the database'
    return { name, source: await databaseSource(store.read, checkpoint), close: () => store.close() }
  } catch (error) {
    await store.close()
    if (error instanceof AuditLogRefused || error instanceof AuditKeyRefused || error instanceof StoreRefused)
      throw new Unreadable(error.message)
    throw error
  }
}
