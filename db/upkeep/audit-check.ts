import { readHead } from '../../audit/checkpoint.ts'
import { openNote, readVerifier } from '../../audit/note.ts'
import { GrowingTree, TILE_WIDTH } from '../../audit/tiles.ts'
import { HASH_LENGTH, hashLeaf } from '../../audit/tree.ts'
import { LeafGone, sealLeaves } from '../audit/leaves.ts'
import { type LogState, readLog, readTile } from '../audit/log.ts'
import { countUnsealed } from '../audit/unsealed.ts'
import type { Db } from '../store.ts'

/**
 * Compares the audit log with its events, its tiles with each other, and its root with its checkpoint. Calls `found` with each
 * fault, as a sentence, and `onProgress` with the number of leaves. If a database owner changes everything consistently, this
 * check finds no fault. Only a checkpoint stored elsewhere can reveal such a change.
 */
export async function checkAuditLog(db: Db, found: (fault: string) => void, onProgress: (leaves: number) => void) {
  const state = await readLog(db)
  const { size, firstIndex } = state
  /** The recomputed tiles above level 0. */
  const wanted: { level: number; index: number; hashes: Buffer }[] = []
  const tree = new GrowingTree(0, [], (level, index, hashes) => {
    if (level > 0) wanted.push({ level, index, hashes })
  })
  for (let bundle = 0; bundle * TILE_WIDTH < size; bundle++) {
    const [from, to] = [bundle * TILE_WIDTH, Math.min(size, (bundle + 1) * TILE_WIDTH)]
    onProgress(from)
    const leaves = (await readTile(db, 0, bundle)).subarray(0, (to - from) * HASH_LENGTH)
    if (leaves.length < (to - from) * HASH_LENGTH) return found(`audit log: the tile of leaf ${from} is missing`)
    for (let start = 0; start < leaves.length; start += HASH_LENGTH) {
      tree.append(leaves.subarray(start, start + HASH_LENGTH))
    }
    if (from >= firstIndex) await compareEvents(db, from, to, leaves, found)
    if (to === size) wanted.push(...lastTiles(tree))
    for (const { level, index, hashes } of wanted.splice(0)) {
      const tile = await readTile(db, level, index)
      if (!hashes.equals(tile.subarray(0, hashes.length))) found(`audit log: tile ${index} of level ${level} is wrong`)
    }
  }
  if (!isRootOf(state, tree.root())) found('audit log: the checkpoint does not match the log')
  if ((await countUnsealed(db)) < 0) found('audit log: some of its events are missing')
}

/** Returns the last, incomplete tile of each level above 0. */
function lastTiles(tree: GrowingTree) {
  const tiles = tree
    .edge()
    .map((hashes, level) => ({ level, index: Math.floor(tree.size / TILE_WIDTH ** (level + 1)), hashes }))
  return tiles.slice(1).filter(({ hashes }) => hashes.length > 0)
}

/** Compares events with the hashes of their leaves. */
async function compareEvents(db: Db, from: number, to: number, hashes: Buffer, found: (fault: string) => void) {
  try {
    for (const { index, row, sealing } of await sealLeaves(db, from, to)) {
      const start = (index - from) * HASH_LENGTH
      if (hashLeaf(sealing.text).equals(hashes.subarray(start, start + HASH_LENGTH))) continue
      found(`audit log: event ${row.id} does not match leaf ${index}`)
    }
  } catch (error) {
    if (!(error instanceof LeafGone)) throw error
    found(`audit log: ${error.message}`)
  }
}

/** Returns whether the checkpoint has this root. A copied store has no checkpoint of its own until a server signs one. */
function isRootOf({ origin, size, key, checkpoint }: LogState, root: Buffer) {
  if (origin === '') return true
  try {
    const head = readHead(openNote(checkpoint, [readVerifier(key)]).text)
    return head.origin === origin && head.size === size && head.root.equals(root)
  } catch {
    return false
  }
}
