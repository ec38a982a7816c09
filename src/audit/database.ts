import { readHead } from '../../audit/checkpoint.ts'
import { openEntry } from '../../audit/entry.ts'
import { type LogLine, plainEvent } from '../../audit/line.ts'
import { NoteError, splitNote } from '../../audit/note.ts'
import { type LogSource, Unreadable } from '../../audit/source.ts'
import { bundleOf, TILE_WIDTH } from '../../audit/tiles.ts'
import { HASH_LENGTH } from '../../audit/tree.ts'
import { trySealLeaves } from '../../db/audit/leaves.ts'
import { type LogState, readLog, readTile } from '../../db/audit/log.ts'
import { countUnsealed } from '../../db/audit/unsealed.ts'
import type { Db } from '../../db/store.ts'

/** Returns the current log of a database. Rebuilds its entries from the event columns. */
export async function databaseSource(db: Db, checkpoint?: string): Promise<LogSource> {
  const state = await readLog(db)
  if (checkpoint === undefined) expectSize(state)
  return {
    checkpoint: async () => checkpoint ?? state.checkpoint,
    key: async () => state.key,
    async tile({ level, index, width }) {
      const tile = await readTile(db, level as number, index)
      return tile.length === 0 ? undefined : tile.subarray(0, width * HASH_LENGTH)
    },
    async bundle({ index, width }) {
      const from = index * TILE_WIDTH
      if (from < state.firstIndex) return undefined
      const leaves = await trySealLeaves(db, from, from + width)
      // Use an empty entry in place of a missing one, so that the verification reports its index.
      return bundleOf(leaves.map((leaf) => Buffer.from(leaf?.sealing.text ?? '')))
    },
    lines: () => linesOf(db, state),
    pending: async () => Math.max(0, await countUnsealed(db))
  }
}

/**
 * Throws Unreadable if the size of the log differs from the size in its checkpoint, because verifying only up to the checkpoint
 * would hide the difference.
 */
function expectSize({ size, checkpoint }: LogState) {
  if (checkpoint === '') throw new Unreadable('the audit log in the database has no checkpoint yet')
  try {
    if (readHead(splitNote(checkpoint).text).size === size) return
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
  }
  throw new Unreadable(
    'the audit log in the database and its checkpoint differ in size: someone has changed the database manually'
  )
}

async function* linesOf(db: Db, { firstIndex, size }: LogState): AsyncGenerator<LogLine> {
  for (let from = firstIndex; from < size; from += TILE_WIDTH) {
    for (const leaf of await trySealLeaves(db, from, Math.min(size, from + TILE_WIDTH))) {
      if (!leaf) continue
      const { text, disclosures } = leaf.sealing
      const entry = Buffer.from(text)
      const event = plainEvent(openEntry(entry, Object.values(disclosures)))
      yield { index: leaf.index, entry, disclosures, event }
    }
  }
}
