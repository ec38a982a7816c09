import { sql } from 'kysely'
import type { Json } from '../../audit/canonical.ts'
import { digestOf } from '../../audit/disclosure.ts'
import { type Part, parts, SALTS_LENGTH } from '../../audit/entry.ts'
import { idsOf, rangesText } from '../../audit/removals.ts'
import { TILE_WIDTH } from '../../audit/tiles.ts'
import { system } from '../actors.ts'
import { sealRow } from '../audit/batch.ts'
import { recordEvent } from '../audit/events.ts'
import { findLeaf, putSalts, readSalts } from '../audit/log.ts'
import { type Amend, type Db, type Store, StoreRefused, type Trx } from '../store.ts'
import type { AuditErasedTable, AuditEventRow } from '../tables.ts'
import { findUser } from '../users/users.ts'

// Erases a person's data from the events: blanks values and zeroes their salts, but keeps their digests. The leaves, bundles
// and roots of the log do not change.

/** The person whose data to erase, and why. */
export interface Erasure {
  login: string
  /** Recorded in the audit log. Must not contain the login. */
  reason: string
}

/** The number of erased events and parts. */
export interface Erased {
  events: number
  parts: number
}

/** An event of the log, with its leaf index. */
interface Place {
  id: number
  index: number
}

/**
 * The maximum number of events, and of id ranges, per transaction. This limits the size of the event that records the erasure.
 */
const BATCH = 500
const RANGES = 100

/** The number of ids that one query examines. */
const SPAN = 20_000

/** The length of one part's salt, in bytes. */
const SALT = SALTS_LENGTH / parts.length

/** Throws StoreRefused if an account with this login exists. */
export async function expectNoAccount(db: Db, login: string) {
  if (await findUser(db, login)) throw new StoreRefused(`The user ${login} still exists. Delete the user first.`)
}

/**
 * Finds the next events with ids above `after` that contain the login as the principal, the target or a value. Also returns the
 * last id searched. Returns undefined at the end.
 */
export async function findEvents(store: Store, login: string, after: number) {
  const last = (await store.lastIds(store.read)).auditEvent
  if (after >= last) return undefined
  const to = Math.min(after + SPAN, last)
  const text = JSON.stringify(login)
  const rows = await store.scan
    .selectFrom('auditEvent')
    .selectAll()
    .where('id', '>', after)
    .where('id', '<=', to)
    .where((eb) =>
      eb.or([
        eb('principal', '=', login),
        eb('targetName', '=', login),
        sql<boolean>`instr("data", ${text}) > 0`,
        sql<boolean>`instr(coalesce("request", ''), ${text}) > 0`
      ])
    )
    .orderBy('id')
    .execute()
  const ids = rows.filter((row) => partsWith(row, login).length > 0).map(({ id }) => id)
  return { ids, to, last }
}

/**
 * Erases the login from these events, one batch per transaction. Skips events that are not in the log yet, and returns their
 * ids.
 */
export async function eraseFrom(store: Store, amend: Amend, ids: readonly number[], erasure: Erasure) {
  const erased: Erased = { events: 0, parts: 0 }
  const unsealed: number[] = []
  for (const some of batchesOf(ids)) {
    const places: Place[] = []
    for (const id of some) {
      const index = await findLeaf(store.read, id)
      if (index === undefined) unsealed.push(id)
      else places.push({ id, index })
    }
    if (places.length === 0) continue
    const { events, parts } = await amend(['auditEvent'], (trx) => eraseBatch(trx, places, erasure))
    erased.events += events
    erased.parts += parts
  }
  return { erased, unsealed }
}

/** Splits ids, which must be in order, into one batch per transaction. */
export function* batchesOf(ids: readonly number[]): Generator<number[]> {
  let batch: number[] = []
  let ranges = 0
  for (const id of ids) {
    if (batch.at(-1) !== id - 1) ranges++
    if (batch.length === BATCH || ranges > RANGES) {
      yield batch
      batch = []
      ranges = 1
    }
    batch.push(id)
  }
  if (batch.length > 0) yield batch
}

/** Erases the login from these events, and records the erasure. The transaction must have unlocked the guarded table. */
async function eraseBatch(trx: Trx, places: readonly Place[], { login, reason }: Erasure): Promise<Erased> {
  await expectNoAccount(trx, login)
  const rows = await rowsAt(trx, places)
  const wanted = rows.map(({ row, index }) => ({ row, index, parts: partsWith(row, login) }))
  const found = wanted.filter(({ parts }) => parts.length > 0)
  if (found.length === 0) return { events: 0, parts: 0 }
  const forgotten = await forgetSalts(trx, found)
  const digests = forgotten.map(({ index, part, digest }) => ({ index, part, digest }))
  if (digests.length > 0) await trx.insertInto('auditErased').values(digests).execute()
  const idsWith = (part: Part) => found.filter(({ parts }) => parts.includes(part)).map(({ row }) => row.id)
  await blank(trx, idsWith('principal'), { principal: '' })
  await blank(trx, idsWith('request'), { request: null })
  await blank(trx, idsWith('details'), { data: '{}' })
  const named = found.filter(({ row, parts }) => parts.includes('details') && row.targetName !== null)
  await blank(
    trx,
    named.map(({ row }) => row.id),
    { targetName: '' }
  )

  const erased = { events: found.length, parts: forgotten.length }
  const ids = Object.fromEntries(
    parts.flatMap((part) => {
      const some = forgotten.filter((each) => each.part === part).map(({ id }) => id)
      return some.length > 0 ? [[idsOf(part), rangesText(some)]] : []
    })
  )
  await recordEvent(trx, system, {
    type: 'AUDIT_ERASED',
    data: { events: String(erased.events), parts: String(erased.parts), ...ids, reason }
  })
  return erased
}

async function rowsAt(trx: Trx, places: readonly Place[]) {
  const rows = new Map<number, AuditEventRow>()
  const ids = places.map(({ id }) => id)
  for (const row of await trx.selectFrom('auditEvent').selectAll().where('id', 'in', ids).execute())
    rows.set(row.id, row)
  return places.flatMap(({ id, index }) => {
    const row = rows.get(id)
    return row ? [{ row, index }] : []
  })
}

/** Blanks the given columns of these events. */
async function blank(
  trx: Trx,
  ids: readonly number[],
  columns: Partial<Pick<AuditEventRow, 'principal' | 'request' | 'data' | 'targetName'>>
) {
  if (ids.length > 0) await trx.updateTable('auditEvent').set(columns).where('id', 'in', ids).execute()
}

/**
 * Zeroes the salts of these parts. Returns the digests of the parts whose salts were not zero yet, in the order of the events.
 */
async function forgetSalts(trx: Trx, found: readonly { row: AuditEventRow; index: number; parts: Part[] }[]) {
  const known = await digestsAt(
    trx,
    found.map(({ index }) => index)
  )
  const forgotten: (AuditErasedTable & { id: number })[] = []
  for (const [bundle, leaves] of Map.groupBy(found, ({ index }) => Math.floor(index / TILE_WIDTH))) {
    const salts = Buffer.from(await readSalts(trx, bundle))
    for (const { row, index, parts: some } of leaves) {
      const start = (index % TILE_WIDTH) * SALTS_LENGTH
      const own = salts.subarray(start, start + SALTS_LENGTH)
      const erased = known.get(index) ?? {}
      const { disclosures } = sealFor(row, own, erased)
      for (const part of some) {
        const disclosure = disclosures[part]
        if (disclosure === undefined) continue
        forgotten.push({ id: row.id, index, part, digest: digestOf(disclosure) })
        const place = parts.indexOf(part) * SALT
        own.fill(0, place, place + SALT)
      }
    }
    await putSalts(trx, { bundle, salts })
  }
  return forgotten.sort((a, b) => a.id - b.id)
}

function sealFor(row: AuditEventRow, salts: Buffer, erased: Partial<Record<Part, string>>) {
  try {
    return sealRow(row, salts, erased)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new StoreRefused(`The salts of event ${row.id} are missing. Run graphstead audit verify for details.`)
  }
}

async function digestsAt(trx: Trx, indexes: readonly number[]) {
  const rows = await trx.selectFrom('auditErased').selectAll().where('index', 'in', indexes).execute()
  const known = new Map<number, Partial<Record<Part, string>>>()
  for (const { index, part, digest } of rows) known.set(index, { ...known.get(index), [part]: digest })
  return known
}

/** Events that the log records about itself. Their values are counts and ids, so a value that equals a login is a coincidence. */
const NOTICES: readonly string[] = ['AUDIT_ERASED', 'AUDIT_PRUNED', 'AUDIT_EPOCH_STARTED']

/** Returns the parts of the event that contain the login. */
export function partsWith(row: AuditEventRow, login: string): Part[] {
  const { type, principal, request, targetName, data } = row
  const held: Record<Part, boolean> = {
    details: !NOTICES.includes(type) && (targetName === login || holds(parsed(data), login)),
    principal: principal === login,
    // A request made by the person is personal data, regardless of its content.
    request: principal === login || (request !== null && holds(parsed(request), login))
  }
  return parts.filter((part) => held[part])
}

/** Parses JSON. Returns the text itself if it is not valid JSON, which only the database owner can cause. */
function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Returns whether one of the values equals the text. */
function holds(value: Json, text: string): boolean {
  if (typeof value !== 'object' || value === null) return value === text
  return Object.values(value).some((member) => member !== undefined && holds(member, text))
}

/** Returns whether anything has ever been erased. */
export async function wasErased({ scan }: Store): Promise<boolean> {
  const event = scan.selectFrom('auditEvent').select('id').where('type', '=', 'AUDIT_ERASED').limit(1)
  return (await event.executeTakeFirst()) !== undefined
}
