import { SALTS_LENGTH } from '../../audit/entry.ts'
import { hashesIn, TILE_WIDTH, tileOf, widthOf } from '../../audit/tiles.ts'
import { EMPTY_ROOT, HASH_LENGTH, type Hashes, rootOf } from '../../audit/tree.ts'
import { prepared } from '../engine/prepared.ts'
import { locked } from '../engine/row-locks.ts'
import { type Db, StoreRefused, type Trx } from '../store.ts'
import type { AuditLogTable, AuditRunTable } from '../tables.ts'

// The tamper-evident log of the audit events (docs/audit-log.md): its state, the tiles of its tree, and the mapping of events
// to leaves.

/** The state of the log. */
export type LogState = Omit<AuditLogTable, 'id'>

export type Run = AuditRunTable

const stateOf = prepared((db, _: object) =>
  locked(
    db,
    db.selectFrom('auditLog').select(['origin', 'epoch', 'size', 'firstIndex', 'key', 'checkpoint']),
    'forNoKeyUpdate'
  )
)

/** Returns the state of the log. Inside a transaction, the state stays locked until the transaction ends. */
export async function readLog(db: Db): Promise<LogState> {
  const [state] = await stateOf(db, {})
  if (!state) throw new StoreRefused('The audit log table is empty.')
  return state
}

/** Updates the state of the log. */
export async function updateLog(trx: Trx, changes: Partial<LogState>) {
  await trx.updateTable('auditLog').set(changes).execute()
}

/**
 * Copies the state of the log to another store. The copy needs a new origin, because the original store may continue under the
 * old one.
 */
export async function copyLog(from: Db, to: Trx) {
  await updateLog(to, { ...(await readLog(from)), origin: '', key: '' })
}

const tileAt = prepared((db, { level, index }: { level: number; index: number }) =>
  db.selectFrom('auditTile').select('hashes').where('level', '=', level).where('index', '=', index)
)

/**
 * Returns the hashes of a tile, or an empty buffer if the tile does not exist. Tiles grow with the tree, so the tile may
 * contain more hashes than an older tree needs.
 */
export async function readTile(db: Db, level: number, index: number): Promise<Buffer> {
  const [tile] = await tileAt(db, { level, index })
  return tile?.hashes ?? Buffer.alloc(0)
}

/** Returns a leaf's hash in hexadecimal, or an empty string if the leaf does not exist. */
export async function readLeafHash(db: Db, index: number): Promise<string> {
  const hashes = await readTile(db, 0, Math.floor(index / TILE_WIDTH))
  const start = (index % TILE_WIDTH) * HASH_LENGTH
  return hashes.subarray(start, start + HASH_LENGTH).toString('hex')
}

/** Stores a tile, replacing any shorter version. */
export const putTile = prepared(
  (trx: Trx, { level, index, hashes }: { level: number; index: number; hashes: Buffer }) =>
    trx
      .insertInto('auditTile')
      .values({ level, index, hashes })
      .onConflict((conflict) =>
        conflict.columns(['level', 'index']).doUpdateSet((eb) => ({ hashes: eb.ref('excluded.hashes') }))
      )
)

const tilesBetween = prepared((db, { level, from, to }: { level: number; from: number; to: number }) =>
  db
    .selectFrom('auditTile')
    .select(['index', 'hashes'])
    .where('level', '=', level)
    .where('index', '>=', from)
    .where('index', '<', to)
)

/** Returns the hashes of the tiles in [`from`, `to`), by tile number. */
export async function readTilesBetween(
  db: Db,
  level: number,
  from: number,
  to: number
): Promise<Map<number, Uint8Array>> {
  return new Map((await tilesBetween(db, { level, from, to })).map(({ index, hashes }) => [index, hashes]))
}

const saltsAt = prepared((db, { bundle }: { bundle: number }) =>
  db.selectFrom('auditSalt').select('salts').where('bundle', '=', bundle)
)

/** Returns the salts of the leaves starting at 256 × `bundle`. */
export async function readSalts(db: Db, bundle: number): Promise<Buffer> {
  const [row] = await saltsAt(db, { bundle })
  return row?.salts ?? Buffer.alloc(0)
}

const saltsBetween = prepared((db, { from, to }: { from: number; to: number }) =>
  db.selectFrom('auditSalt').selectAll().where('bundle', '>=', from).where('bundle', '<', to)
)

/** Returns the salts of the bundles in [`from`, `to`), by bundle number. */
export async function readSaltsBetween(db: Db, from: number, to: number): Promise<Map<number, Uint8Array>> {
  return new Map((await saltsBetween(db, { from, to })).map(({ bundle, salts }) => [bundle, salts]))
}

/** Stores the salts of a bundle, replacing any existing ones. */
export const putSalts = prepared((trx: Trx, { bundle, salts }: { bundle: number; salts: Buffer }) =>
  trx
    .insertInto('auditSalt')
    .values({ bundle, salts })
    .onConflict((conflict) => conflict.column('bundle').doUpdateSet((eb) => ({ salts: eb.ref('excluded.salts') })))
)

/**
 * Stores the salts of a bundle, except those of leaves before `size`, which are already stored and may have been erased since.
 */
export async function addSalts(trx: Trx, { bundle, salts }: { bundle: number; salts: Buffer }, size: number) {
  const there = Math.max(0, size - bundle * TILE_WIDTH) * SALTS_LENGTH
  const stored = there === 0 ? salts.subarray(0, 0) : (await readSalts(trx, bundle)).subarray(0, there)
  await putSalts(trx, { bundle, salts: Buffer.concat([stored, salts.subarray(stored.length)]) })
}

/** Returns the last tile of each level, starting at level 0, in the form that GrowingTree expects. */
export async function readEdge(db: Db, size: number): Promise<Buffer[]> {
  const edge: Buffer[] = []
  for (let level = 0; TILE_WIDTH ** level <= size; level++) {
    const index = Math.floor(size / TILE_WIDTH ** (level + 1))
    const width = widthOf(level, index, size)
    const tile = width === 0 ? Buffer.alloc(0) : await readTile(db, level, index)
    edge.push(tile.subarray(0, width * HASH_LENGTH))
  }
  return edge
}

/** Returns a tile that has already been read. */
export type Tiles = (level: number, index: number) => Buffer

/** Reads the tiles that contain the hashes requested by `ask`, and passes them to `compute`, for example to build a proof. */
export async function withTiles<T>(db: Db, ask: (hashes: Hashes) => unknown, compute: (tiles: Tiles) => T): Promise<T> {
  const tiles = new Map<string, Buffer>()
  const wanted: { level: number; index: number }[] = []
  ask((level, index) => {
    wanted.push(tileOf(level, index))
    return EMPTY_ROOT
  })
  for (const { level, index } of wanted) {
    const name = `${level}/${index}`
    if (!tiles.has(name)) tiles.set(name, await readTile(db, level, index))
  }
  return compute((level, index) => tiles.get(`${level}/${index}`) ?? Buffer.alloc(0))
}

/**
 * Returns the root of the tree of the first `size` leaves. Throws a RangeError if the tree has fewer leaves or tiles are missing.
 */
export function readRoot(db: Db, size: number): Promise<Buffer> {
  const compute = (hashes: Hashes) => rootOf(size, hashes)
  return withTiles(db, compute, (tiles) => compute(hashesIn(tiles)))
}

const lastRunOf = prepared((db, _: object) =>
  db.selectFrom('auditRun').selectAll().orderBy('firstIndex', 'desc').limit(1)
)

/** Returns the run that contains the last leaf. */
export async function readLastRun(db: Db): Promise<Run | undefined> {
  const [run] = await lastRunOf(db, {})
  return run
}

const highestRunOf = prepared((db, _: object) =>
  db.selectFrom('auditRun').selectAll().orderBy('firstId', 'desc').limit(1)
)

/** Returns the highest event id in the log, or 0 if the log is empty. */
export async function readHighestId(db: Db): Promise<number> {
  const [run] = await highestRunOf(db, {})
  return run ? run.firstId + run.count - 1 : 0
}

/** Stores a run, replacing any shorter version. */
export const putRun = prepared((trx: Trx, { firstIndex, firstId, count }: Run) =>
  trx
    .insertInto('auditRun')
    .values({ firstIndex, firstId, count })
    .onConflict((conflict) => conflict.column('firstIndex').doUpdateSet((eb) => ({ count: eb.ref('excluded.count') })))
)

const runsBetween = prepared((db, { from, to }: { from: number; to: number }) =>
  db
    .selectFrom('auditRun')
    .selectAll()
    .where('firstIndex', '>=', (eb) =>
      eb
        .selectFrom('auditRun')
        .select((eb) => eb.fn.coalesce(eb.fn.max('firstIndex'), eb.lit(0)).as('first'))
        .where('firstIndex', '<=', from)
    )
    .where('firstIndex', '<', to)
    .orderBy('firstIndex')
)

/** Returns the runs of the leaves in [`from`, `to`), trimmed to that range. */
export async function readRuns(db: Db, from: number, to: number): Promise<Run[]> {
  const runs = await runsBetween(db, { from, to })
  return runs
    .map(({ firstIndex, firstId, count }) => {
      const start = Math.max(firstIndex, from)
      const end = Math.min(firstIndex + count, to)
      return { firstIndex: start, firstId: firstId + start - firstIndex, count: end - start }
    })
    .filter(({ count }) => count > 0)
}

const runOfId = prepared((db, { id }: { id: number }) =>
  db.selectFrom('auditRun').selectAll().where('firstId', '<=', id).orderBy('firstId', 'desc').limit(1)
)

/** Returns the leaf index of the event with this id, or undefined if it is not in the log. */
export async function findLeaf(db: Db, id: number): Promise<number | undefined> {
  const [run] = await runOfId(db, { id })
  return run && id < run.firstId + run.count ? run.firstIndex + id - run.firstId : undefined
}
