import { StoreRefused } from '../../db/store.ts'
import { inspectReplica, inspectStore } from '../../db/upkeep/inspect.ts'
import type { StoreState } from '../../db/upkeep/store-state.ts'
import type { Settings } from '../../schemas/settings.ts'
import { AuditKeyFiles, AuditKeyRefused } from '../audit/signing-key.ts'
import { databaseIn } from '../settings/data-folder.ts'
import { type Finding, findingsAbout, sizeText } from './finding.ts'

const finding = findingsAbout('data')

/** Examines the store. Returns a finding, and the store's state if the store exists and can be used. */
export async function examineStore(config: Settings): Promise<{ finding: Finding; store?: StoreState | undefined }> {
  const file = databaseIn(config.data)
  const place = config.database === undefined ? file : addressOf(config.database)
  try {
    const store = await inspectStore(config, file)
    if (!store) {
      const says = `${file} does not exist; the first start creates it, unless --data is wrong`
      return { finding: finding('warning', says) }
    }
    return { finding: judgeSchema(place, store), store }
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error
    return { finding: finding('bad', `${place}: ${error.message.replace(/\.$/, '')}; see docs/troubleshoot.md`) }
  }
}

/** Returns a finding about the schema of the store at this location. */
export function judgeSchema(place: string, { engine, schema, ownSchema, size }: StoreState): Finding {
  const about = `${place} (${engine}, schema ${schema}, ${sizeText(size)})`
  if (schema === 0) return finding('warning', `${about} is empty; the first start sets it up`)
  if (schema > ownSchema) {
    return finding(
      'bad',
      `${about} was written by a newer version; run that version, because this one supports schema ${ownSchema}`
    )
  }
  if (schema < ownSchema) {
    return finding(
      'warning',
      `${about} has an older schema; make a backup, because the next start migrates it to ${ownSchema}`
    )
  }
  return finding('good', about)
}

/** Examines the replica, if one is set. */
export async function examineReplica(config: Settings): Promise<Finding[]> {
  const about = findingsAbout('replica')
  const place = addressOf(config.databaseReplica ?? '')
  try {
    const missing = await inspectReplica(config)
    if (missing === undefined) return []
    if (missing === 0) return [about('good', `${place} is a standby of the database, and has every change`)]
    const lag = `is a standby of the database, ${sizeText(missing)} behind`
    return [about('warning', `${place} ${lag}; until it catches up, the database answers in its place`)]
  } catch (error) {
    if (!(error instanceof StoreRefused)) throw error
    return [
      about('bad', `${place}: ${error.message.replace(/\.$/, '')}; until it can, the database answers in its place`)
    ]
  }
}

/** Returns a database URL without its username, password and options. */
export function addressOf(url: string): string {
  const { host, pathname } = URL.parse(url) ?? { host: 'the database', pathname: '' }
  return `postgres://${host}${pathname}`
}

/** Examines the key and the last checkpoint of the audit log. */
export async function examineAudit(config: Settings): Promise<Finding> {
  const audit = findingsAbout('audit')
  const files = new AuditKeyFiles(config)
  try {
    const [hasKey, hasHead] = [(await files.signer()) !== undefined, (await files.head()) !== undefined]
    if (hasKey && hasHead) return audit('good', `audit.key and audit.head are in ${files.folder}`)
    if (!hasKey && !hasHead) return audit('good', `there is no key in ${files.folder} yet; the server creates it`)
    const missing = hasKey ? 'audit.head' : 'audit.key'
    return audit(
      'warning',
      `${missing} is missing from ${files.folder}; restore it, or the log continues under a new origin`
    )
  } catch (error) {
    if (!(error instanceof AuditKeyRefused)) throw error
    return audit('bad', error.message.replace(/\.$/, ''))
  }
}
