import type { Test } from 'tap'
import { TILE_WIDTH } from '../../audit/tiles.ts'
import { readBundle, sealLeaves } from '../../db/audit/leaves.ts'
import { readLog, readRoot, readTile } from '../../db/audit/log.ts'
import type { Store } from '../../db/store.ts'

/** Reads everything that a third party may have kept: bundles, tiles, the root, and each event with its disclosures. */
export async function keepLog(store: Store) {
  const { size } = await readLog(store.read)
  const bundles: Buffer[] = []
  const tiles: Buffer[] = []
  for (let bundle = 0; bundle * TILE_WIDTH < size; bundle++) {
    bundles.push(await readBundle(store.read, bundle, Math.min(TILE_WIDTH, size - bundle * TILE_WIDTH)))
    tiles.push((await readTile(store.read, 0, bundle)).subarray(0, 32 * (size - bundle * TILE_WIDTH)))
  }
  return { size, root: await readRoot(store.read, size), bundles, tiles, leaves: await sealLeaves(store.read, 0, size) }
}

/** Checks that the log still contains everything that was kept. */
export async function expectSame(t: Test, store: Store, before: Awaited<ReturnType<typeof keepLog>>) {
  const { size, root, bundles, tiles } = before
  for (const [bundle, bytes] of bundles.entries()) {
    const width = Math.min(TILE_WIDTH, size - bundle * TILE_WIDTH)
    t.same(await readBundle(store.read, bundle, width), bytes, `bundle ${bundle}`)
    t.same((await readTile(store.read, 0, bundle)).subarray(0, 32 * width), tiles[bundle], `tile ${bundle}`)
  }
  t.same(await readRoot(store.read, size), root)
}
