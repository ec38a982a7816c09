import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { headText, readHead, type TreeHead } from '../../audit/checkpoint.ts'
import {
  createSigner,
  openNote,
  readVerifier,
  type Signer,
  signNote,
  splitNote,
  verifierText
} from '../../audit/note.ts'
import { TILE_WIDTH } from '../../audit/tiles.ts'
import { system } from '../actors.ts'
import type { Store, Trx } from '../store.ts'
import type { Batch } from './batch.ts'
import { readEpochs, recordEvent } from './events.ts'
import {
  addSalts,
  type LogState,
  putRun,
  putTile,
  readEdge,
  readLastRun,
  readLog,
  readRoot,
  readSalts,
  updateLog
} from './log.ts'
import type { AuditSealer } from './sealer.ts'
import { type AuditKey, epochOf } from './signing-key.ts'
import { hasNewEvents, nextEvents } from './unsealed.ts'

// Appends events to the log, signs checkpoints and publishes them. Several processes may do this at once: each prepares a batch,
// and the first to commit wins. The commit locks the log's row and compares the state with the batch, so no process has to hold
// a lock or lease. To avoid preparing batches in vain, a process can leave the events to one that is already appending some.

/** A public checkpoint. */
export interface Published extends TreeHead {
  checkpoint: string
  /** The verifier key. */
  key: string
}

/** The steps of appending a batch. Tests kill the process after each one. */
export type SequencingStep = 'sealed' | 'written' | 'committed' | 'kept' | 'published'

export interface SequencerOptions {
  onStep?: (step: SequencingStep) => void
  /** Called when the log begins, or continues under a new origin for the given reason. */
  onEpoch?: (origin: string, reason: string | undefined) => void
  /** How long to wait for the key's holder before a new epoch begins, in milliseconds. */
  patience?: number
}

const PATIENCE = 60_000

/** The maximum number of attempts to publish while other processes keep replacing the head. */
const ATTEMPTS = 10

/** The maximum time spent appending events before the next checkpoint, in milliseconds. */
const ROUND = 300

/** The maximum pause between two batches, in milliseconds. */
const PAUSE = 20

/** How long to leave the events to another process after it has appended some, in milliseconds. */
const DEFERRAL = 3000

/** Thrown if the log contradicts itself, which means that someone edited it by hand. */
export class AuditLogBroken extends Error {
  override readonly name = 'AuditLogBroken'
}

/** This process's sequencer. */
export class AuditSequencer {
  readonly #store: Store
  readonly #key: AuditKey
  readonly #sealer: AuditSealer
  readonly #options: SequencerOptions
  #published: Published | undefined
  /** When this process last saw that another had appended events. */
  #overtakenAt = Number.NEGATIVE_INFINITY
  /** When this process last began a new epoch. */
  #begunAt = Number.NEGATIVE_INFINITY
  /** When this process began waiting for the process that holds the key, and the state of the log at that time. */
  #waiting: { since: number; log: string } | undefined

  constructor(store: Store, key: AuditKey, sealer: AuditSealer, options: SequencerOptions = {}) {
    this.#store = store
    this.#key = key
    this.#sealer = sealer
    this.#options = options
  }

  /** The last published checkpoint, or undefined before the first. */
  get published(): Published | undefined {
    return this.#published
  }

  /**
   * Appends events for up to 300 ms, then publishes the checkpoint. Looks for late events among those of the last day, or among
   * all events if `all` is set. If `mayDefer` is set, appends nothing while another process appends events. Returns whether
   * events remain for this process.
   */
  async run({ all = false, mayDefer = false } = {}): Promise<boolean> {
    const before = this.#published
    const signer = await this.publish()
    if (!signer) return false
    if (before && before.size !== this.#published?.size) this.#overtakenAt = performance.now()
    if (mayDefer && performance.now() - this.#overtakenAt < DEFERRAL) return false
    const deadline = performance.now() + ROUND
    let isMore = true
    while (isMore && performance.now() < deadline) {
      const start = performance.now()
      isMore = await this.#takeIn(signer, all)
      // Let requests run in between.
      if (isMore) await sleep(Math.min(performance.now() - start, PAUSE))
    }
    await this.publish()
    return isMore
  }

  /** Appends one batch. Returns whether events remain. */
  async #takeIn(signer: Signer, all: boolean): Promise<boolean> {
    const state = await readLog(this.#store.read)
    if (state.origin !== signer.verifier.name) return false
    const { rows, isMore } = await nextEvents(this.#store, { all })
    if (rows.length === 0) return false
    const batch = await this.#sealer.seal(await this.#endOf(state), rows)
    this.#options.onStep?.('sealed')
    const head = { origin: state.origin, size: batch.size, root: bufferOf(batch.root) }
    const checkpoint = signNote(headText(head), [signer])
    const isMine = await this.#store.write((trx) => this.#commit(trx, state, batch, checkpoint))
    this.#options.onStep?.('committed')
    if (!isMine) this.#overtakenAt = performance.now()
    return isMine && isMore
  }

  async #endOf({ size }: LogState) {
    const { read } = this.#store
    const salts = size % TILE_WIDTH === 0 ? Buffer.alloc(0) : await readSalts(read, Math.floor(size / TILE_WIDTH))
    return { size, edge: await readEdge(read, size), salts, run: await readLastRun(read) }
  }

  /** Commits the batch, unless another process committed first. */
  async #commit(trx: Trx, before: LogState, batch: Batch, checkpoint: string): Promise<boolean> {
    const state = await readLog(trx)
    if (state.size !== before.size || state.origin !== before.origin) return false
    const last = await readLastRun(trx)
    if ((last ? last.firstIndex + last.count : 0) !== state.size) {
      throw new AuditLogBroken('the audit log and its list of events contradict each other')
    }
    for (const { level, index, hashes } of batch.tiles) await putTile(trx, { level, index, hashes: bufferOf(hashes) })
    for (const { bundle, salts } of batch.salts) await addSalts(trx, { bundle, salts: bufferOf(salts) }, before.size)
    for (const run of batch.runs) await putRun(trx, run)
    await updateLog(trx, { size: batch.size, checkpoint })
    this.#options.onStep?.('written')
    return true
  }

  /**
   * Saves the store's checkpoint as the head, then publishes it. First begins a new epoch if the store does not continue the
   * current head. Returns the key if this process holds it.
   */
  async publish(): Promise<Signer | undefined> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      // Read the head and the key before the state, so that the state is at least as recent.
      const [head, signer] = [await this.#key.head(), await this.#key.signer()]
      const state = await readLog(this.#store.read)
      const reason = await this.#reasonForEpoch(state, head, signer)
      if (reason !== undefined) await this.#beginEpoch(state, head, reason)
      else if (await this.#keep(state, head)) return signer?.verifier.name === state.origin ? signer : undefined
    }
    throw new AuditLogBroken('audit.head keeps changing. Is another database using the same key?')
  }

  /**
   * Replaces the head with the store's checkpoint, which continues it, and publishes the checkpoint. If another process has
   * replaced the head in the meantime, publishes nothing and returns false, because the store may not continue that head.
   */
  async #keep(state: LogState, head: string | undefined): Promise<boolean> {
    if (state.origin === '' || state.checkpoint === this.#published?.checkpoint) return true
    const published = await this.#openCheckpoint(state)
    if (state.checkpoint !== head && !(await this.#key.keepHead(state.checkpoint, head))) return false
    this.#options.onStep?.('kept')
    this.#published = published
    this.#options.onStep?.('published')
    return true
  }

  /** Opens the store's checkpoint. Throws AuditLogBroken if it does not match the tree. */
  async #openCheckpoint({ origin, size, key, checkpoint }: LogState): Promise<Published> {
    try {
      const head = readHead(openNote(checkpoint, [readVerifier(key)]).text)
      const root = await readRoot(this.#store.read, size)
      if (head.origin === origin && head.size === size && head.root.equals(root)) return { ...head, checkpoint, key }
    } catch (cause) {
      throw new AuditLogBroken('the audit log and its checkpoint contradict each other', { cause })
    }
    throw new AuditLogBroken('the audit log and its checkpoint contradict each other')
  }

  /** Returns the reason why the log needs a new origin, or undefined if it does not need one. */
  async #reasonForEpoch(state: LogState, head: string | undefined, signer: Signer | undefined) {
    if (state.origin === '') return state.checkpoint === '' ? 'the log is new' : 'the database was copied'
    if (head !== undefined && !(await this.#continues(state, head))) {
      return 'the database does not continue from the last checkpoint: it was restored or changed'
    }
    // If there is no head, we cannot tell whether the store continues the checkpoints published under this key. Read the head
    // again: another process may have begun this epoch since the first read, and it would have saved the head before writing
    // the origin to the store.
    if (head === undefined && signer?.verifier.name === state.origin && (await this.#key.head()) === undefined) {
      return 'the last checkpoint (audit.head) is missing'
    }
    if (signer?.verifier.name === state.origin || !(await hasNewEvents(this.#store.read))) {
      this.#waiting = undefined
      return undefined
    }
    // Another process may hold the key. If the log does not grow, the key is presumed lost.
    const log = `${state.origin} ${state.size}`
    if (this.#waiting?.log !== log) this.#waiting = { since: performance.now(), log }
    const { patience = PATIENCE } = this.#options
    return performance.now() - this.#waiting.since >= patience ? 'the key of the log is missing' : undefined
  }

  /**
   * Returns whether the store continues the checkpoint: either its tree extends the checkpoint's tree, or an event records that
   * the checkpoint was abandoned.
   */
  async #continues(state: LogState, checkpoint: string) {
    if (checkpoint === state.checkpoint) return true
    const head = headOf(checkpoint)
    const epoch = epochOf(head.origin)
    if (epoch > state.epoch || (epoch === state.epoch && head.origin !== state.origin)) return false
    return (await this.#beginsWith(state, head)) || (epoch < state.epoch && (await this.#hasLeft(head)))
  }

  /** Returns the root of the tree. Throws AuditLogBroken if tiles are missing. */
  async #rootOf({ size }: LogState): Promise<Buffer> {
    return readRoot(this.#store.read, size).catch((cause: unknown) => {
      throw new AuditLogBroken('some tiles of the audit log are missing', { cause })
    })
  }

  /** Returns whether the tree extends the head's tree. */
  async #beginsWith({ size }: LogState, head: TreeHead) {
    try {
      return head.size <= size && head.root.equals(await readRoot(this.#store.read, head.size))
    } catch (error) {
      if (error instanceof RangeError) return false
      throw error
    }
  }

  /** Returns whether an event records that a later epoch has abandoned this head, or a later head of the same origin. */
  async #hasLeft({ origin, size }: TreeHead) {
    const epochs = await readEpochs(this.#store.read)
    return epochs.some((left) => left['origin.old'] === origin && Number(left['size.old']) >= size)
  }

  /**
   * Continues the log under a new origin, unless another process has already done so. Records an event that identifies the
   * abandoned checkpoint.
   */
  async #beginEpoch(before: LogState, head: string | undefined, reason: string) {
    const left = head ?? before.checkpoint
    if (left !== '' && performance.now() - this.#begunAt < PATIENCE) {
      throw new AuditLogBroken(
        'the audit log started a new epoch twice within a minute. Is another database using the same key?'
      )
    }
    const epoch = Math.max(before.epoch, left === '' ? 0 : epochOf(headOf(left).origin)) + 1
    const origin = `graphstead.audit/${randomBytes(8).toString('hex')}/${epoch}`
    const signer = createSigner(origin)
    const root = await this.#rootOf(before)
    const checkpoint = signNote(headText({ origin, size: before.size, root }), [signer])
    const isMine = await this.#store.write(async (trx) => {
      const state = await readLog(trx)
      if (state.origin !== before.origin || state.size !== before.size) return false
      await updateLog(trx, { origin, epoch, key: verifierText(signer.verifier), checkpoint })
      if (left !== '') await recordEvent(trx, system, leavingEvent(left, { origin, size: before.size }, reason))
      // Replace the key inside the transaction, so that if several processes share the files, only the winner replaces it. If the
      // commit fails, the key belongs to no origin and the next attempt creates another. Keep the head until then, because it
      // shows which leaves the store has lost.
      this.#key.replace(signer, left === '' ? checkpoint : left)
      return true
    })
    if (!isMine) return
    if (left !== '') this.#begunAt = performance.now()
    this.#options.onEpoch?.(origin, left === '' ? undefined : reason)
  }
}

/** Returns the event that announces a new epoch. It contains the abandoned checkpoint and the number of its missing leaves. */
function leavingEvent(checkpoint: string, now: Pick<TreeHead, 'origin' | 'size'>, reason: string) {
  const head = headOf(checkpoint)
  const data = {
    'origin.old': head.origin,
    'origin.new': now.origin,
    'size.old': String(head.size),
    'size.new': String(now.size),
    missing: String(Math.max(0, head.size - now.size)),
    checkpoint,
    reason
  }
  return { type: 'AUDIT_EPOCH_STARTED', data } as const
}

/**
 * Parses the head of a checkpoint that this program saved, without verifying its signature. Throws AuditLogBroken if it is
 * malformed.
 */
function headOf(checkpoint: string): TreeHead {
  try {
    return readHead(splitNote(checkpoint).text)
  } catch (cause) {
    throw new AuditLogBroken('the checkpoint of the audit log is damaged', { cause })
  }
}

function bufferOf(bytes: Uint8Array) {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
}
