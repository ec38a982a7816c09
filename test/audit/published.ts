import type { Test } from 'tap'
import { readHead } from '../../audit/checkpoint.ts'
import { openNote, readVerifier } from '../../audit/note.ts'
import { entriesOf, GrowingTree, pathOf, widthOf } from '../../audit/tiles.ts'
import { hashLeaf } from '../../audit/tree.ts'

/** Reads a log by its paths as another program would: key, checkpoint, bundles and tiles. Fails the test if they disagree. */
export async function readPublished(t: Test, get: (path: string) => Buffer | Promise<Buffer>) {
  const checkpoint = String(await get('checkpoint'))
  const head = readHead(openNote(checkpoint, [readVerifier(String(await get('key')).trim())]).text)
  const entries: Buffer[] = []
  const tiles: [path: string, hashes: Buffer][] = []
  const tree = new GrowingTree(0, [], (level, index, hashes) =>
    tiles.push([pathOf({ level, index, width: 256 }), hashes])
  )
  for (let index = 0; index * 256 < head.size; index++) {
    const width = widthOf('entries', index, head.size)
    for (const entry of entriesOf(await get(pathOf({ level: 'entries', index, width })))) {
      tree.append(hashLeaf(entry))
      entries.push(entry)
    }
  }
  t.same([tree.size, tree.root()], [head.size, head.root], 'the root matches the entries')
  for (const [level, hashes] of tree.edge().entries()) {
    const index = Math.floor(head.size / 256 ** (level + 1))
    if (hashes.length > 0) tiles.push([pathOf({ level, index, width: hashes.length / 32 }), hashes])
  }
  for (const [path, hashes] of tiles) t.ok(hashes.equals(await get(path)), path)
  return { head, entries, checkpoint }
}
