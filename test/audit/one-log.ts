import type { Test } from 'tap'
import { readHead } from '../../audit/checkpoint.ts'
import { openNote, readVerifier } from '../../audit/note.ts'
import { GrowingTree } from '../../audit/tiles.ts'
import { hashLeaf } from '../../audit/tree.ts'
import { sealLeaves } from '../../db/audit/leaves.ts'
import { readLog } from '../../db/audit/log.ts'
import type { Store } from '../../db/store.ts'
import { events } from '../support/helper.ts'

/** Checks that each event has one leaf, and that the log kept its origin and matches all published checkpoints. */
export async function expectOneLog(t: Test, store: Store, checkpoints: readonly string[]) {
  const { size, key, epoch } = await readLog(store.read)
  t.equal(epoch, 1, 'the origin has not changed')
  const leaves = await sealLeaves(store.read, 0, size)
  t.same(
    leaves.map(({ row }) => row.id).toSorted((one, other) => one - other),
    (await events(store)).map(({ id }) => id),
    `each of ${size} events has one leaf`
  )
  const tree = new GrowingTree()
  const roots = [tree.root()]
  for (const { sealing } of leaves) {
    tree.append(hashLeaf(sealing.text))
    roots.push(tree.root())
  }
  t.ok(checkpoints.length > 0, `${checkpoints.length} checkpoints`)
  for (const checkpoint of new Set(checkpoints)) {
    const head = readHead(openNote(checkpoint, [readVerifier(key)]).text)
    t.ok(roots[head.size]?.equals(head.root), `the checkpoint of size ${head.size} matches`)
  }
}
