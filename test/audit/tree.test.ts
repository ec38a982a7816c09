import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import {
  bundleOf,
  entriesOf,
  GrowingTree,
  hashesIn,
  keepHashes,
  pathOf,
  placeOf,
  TILE_WIDTH,
  widthOf
} from '../../audit/tiles.ts'
import {
  consistencyProof,
  EMPTY_ROOT,
  hashLeaf,
  hashNode,
  inclusionProof,
  isConsistent,
  isIncluded,
  rootOf
} from '../../audit/tree.ts'

// The Merkle tree of the audit log, its tiles and its proofs, compared with known answers from other implementations.

const samples = join(import.meta.dirname, '../known-answers')
const read = (name: string) => JSON.parse(readFileSync(join(samples, name), 'utf8'))
const known = read('known-answers.json')
const proofs = read('rfc6962-proofs.json')
const bytes = (text: string | null) => Buffer.from(text ?? '', 'base64')
const list = (texts: string[] | null) => (texts ?? []).map(bytes)

/** Returns the root as defined in RFC 9162, section 2.1.1. */
function plainRoot(leaves: Buffer[]): Buffer {
  if (leaves.length === 0) return createHash('sha256').digest()
  if (leaves.length === 1) return leaves[0] as Buffer
  let split = 1
  while (split * 2 < leaves.length) split *= 2
  return hashNode(plainRoot(leaves.slice(0, split)), plainRoot(leaves.slice(split)))
}

/** Grows a tree of this many leaves. Returns it with its leaves and its tiles, including partial ones. */
function grow(count: number) {
  const tiles = new Map<string, Buffer>()
  const tree = new GrowingTree(0, [], (level, index, hashes) => tiles.set(`${level}/${index}`, hashes))
  const leaves = Array.from({ length: count }, (_, index) => hashLeaf(Buffer.from(`entry ${index}`)))
  for (const leaf of leaves) tree.append(leaf)
  for (const [level, hashes] of tree.edge().entries()) {
    tiles.set(`${level}/${Math.floor(count / TILE_WIDTH ** (level + 1))}`, hashes)
  }
  const hashes = hashesIn((level, index) => tiles.get(`${level}/${index}`) ?? Buffer.alloc(0))
  return { tree, leaves, tiles, hashes }
}

t.test('roots and leaf hashes match those of other implementations', async (t) => {
  const leaves: Buffer[] = known.tree.leavesHex.map((hex: string) => hashLeaf(Buffer.from(hex, 'hex')))
  const tree = new GrowingTree()
  t.equal(tree.root().toString('hex'), known.tree.rootsHexBySize[0])
  for (const [index, leaf] of leaves.entries()) {
    tree.append(leaf)
    t.equal(tree.root().toString('hex'), known.tree.rootsHexBySize[index + 1], `size ${index + 1}`)
  }
  t.equal(hashLeaf(Buffer.from(known.recordHash.entry)).toString('base64'), known.recordHash.hashBase64)
  t.same(EMPTY_ROOT, plainRoot([]))
})

t.test('the known valid proofs are accepted, and the invalid ones refused', async (t) => {
  t.equal(proofs.inclusion.length + proofs.consistency.length, 196)
  for (const { leafIdx, treeSize, root, leafHash, proof, wantErr, file } of proofs.inclusion) {
    t.equal(isIncluded(bytes(leafHash), leafIdx, treeSize, list(proof), bytes(root)), !wantErr, file)
  }
  for (const { size1, size2, root1, root2, proof, wantErr, file } of proofs.consistency) {
    t.equal(isConsistent(size1, bytes(root1), size2, bytes(root2), list(proof)), !wantErr, file)
  }
})

t.test('roots and proofs of any size match the definition', async (t) => {
  const { leaves, hashes } = grow(600)
  const sizes = [1, 2, 3, 7, 8, 255, 256, 257, 511, 512, 513, 600]
  const faults: string[] = []
  const expect = (isSo: boolean, what: string) => isSo || faults.push(what)
  for (const size of sizes) {
    const root = rootOf(size, hashes)
    expect(root.equals(plainRoot(leaves.slice(0, size))), `root of ${size}`)
    for (let index = 0; index < size; index += size > 20 ? 13 : 1) {
      const leaf = leaves[index] as Buffer
      const proof = inclusionProof(index, size, hashes)
      expect(isIncluded(leaf, index, size, proof, root), `${index} in ${size}`)
      expect(!isIncluded(leaf, index + 1, size, proof, root), `${index} as ${index + 1} in ${size}`)
      expect(!isIncluded(leaf, index, size, [...proof, leaf], root), `a longer proof of ${index} in ${size}`)
      expect(proof.length === 0 || !isIncluded(leaf, index, size, proof.slice(1), root), `a shorter proof of ${index}`)
      expect(!isIncluded(flipped(leaf), index, size, proof, root), `another leaf than ${index} in ${size}`)
      for (const place of proof.keys()) {
        const wrong = proof.with(place, flipped(proof[place] as Buffer))
        expect(!isIncluded(leaf, index, size, wrong, root), `${index} in ${size} with a wrong hash ${place}`)
      }
    }
    for (const from of sizes.filter((from) => from <= size)) {
      const before = rootOf(from, hashes)
      const proof = consistencyProof(from, size, hashes)
      expect(isConsistent(from, before, size, root, proof), `${from} to ${size}`)
      expect(!isConsistent(from, flipped(before), size, root, proof), `another root of ${from} to ${size}`)
      expect(!isConsistent(from, before, size, flipped(root), proof), `${from} to another root of ${size}`)
      expect(!isConsistent(from, before, size, root, [...proof, before]), `a longer proof of ${from} to ${size}`)
      for (const place of proof.keys()) {
        const wrong = proof.with(place, flipped(proof[place] as Buffer))
        expect(!isConsistent(from, before, size, root, wrong), `${from} to ${size} with a wrong hash ${place}`)
      }
    }
  }
  t.same(faults, [])
  for (const index of [3, -1]) t.throws(() => inclusionProof(index, 3, hashes), RangeError)
  t.throws(() => inclusionProof(0, 0, hashes), RangeError)
  for (const from of [0, 4]) t.throws(() => consistencyProof(from, 3, hashes), RangeError)
})

t.test('proofs of trees of up to 2^53 leaves are exact', async (t) => {
  // All leaves are the same, and so are all complete subtrees of a level.
  const levels = [hashLeaf(Buffer.from('same'))]
  for (let level = 0; level < 53; level++) levels.push(hashNode(levels[level] as Buffer, levels[level] as Buffer))
  const hashes = (level: number) => levels[level] as Buffer
  const leaf = hashes(0)
  const sizes = [2 ** 31, 2 ** 32, 2 ** 48, 2 ** 52].flatMap((power) => [power - 1, power, power + 1, power + 12_345])
  for (const [at, size] of [...sizes, Number.MAX_SAFE_INTEGER].entries()) {
    const root = rootOf(size, hashes)
    for (const index of [0, 1, size / 2, size - 2, size - 1].map(Math.floor)) {
      const proof = inclusionProof(index, size, hashes)
      t.ok(isIncluded(leaf, index, size, proof, root), `${index} of ${size}`)
      t.notOk(isIncluded(leaf, index, size, proof.slice(1), root), `${index} of ${size}, shortened`)
    }
    for (const from of [1, ...sizes.slice(0, at), size - 1, size]) {
      const proof = consistencyProof(from, size, hashes)
      t.ok(isConsistent(from, rootOf(from, hashes), size, root, proof), `${size} after ${from}`)
      t.notOk(isConsistent(from, leaf, size, root, proof) && from > 1, `${size} after another tree of ${from}`)
    }
  }
})

t.test('a tree of 70,000 leaves has the tiles of the specification, and grows from its edge', async (t) => {
  const { tree, leaves, tiles, hashes } = grow(70_000)
  t.same(tree.root(), plainRoot(leaves))
  t.same(rootOf(70_000, hashes), plainRoot(leaves))
  const widths = new Map<string, number>()
  for (const [name, hashes] of tiles) {
    const key = `${name.split('/')[0]} ${hashes.length / 32}`
    if (hashes.length > 0) widths.set(key, (widths.get(key) ?? 0) + 1)
  }
  t.same([...widths].sort(), [
    ['0 112', 1],
    ['0 256', 273],
    ['1 17', 1],
    ['1 256', 1],
    ['2 1', 1]
  ])
  const widthsOf = (level: number, ...indices: number[]) => indices.map((index) => widthOf(level, index, 70_000))
  t.same([widthsOf(0, 272, 273, 274), widthsOf(1, 1), widthsOf(2, 0)], [[256, 112, 0], [17], [1]])
  t.same([widthOf('entries', 273, 70_000), widthOf(1, 0, 256), widthOf(0, 0, 0)], [112, 1, 0])

  const grown = new GrowingTree(65_000, grow(65_000).tree.edge())
  for (const leaf of leaves.slice(65_000)) grown.append(leaf)
  t.same(grown.root(), tree.root())
  t.same(grown.edge(), tree.edge())
  t.equal(grown.size, 70_000)
  t.throws(() => new GrowingTree(257, [Buffer.alloc(32)]), RangeError, 'an edge of the wrong size')
  t.throws(() => rootOf(70_001, hashes), RangeError, 'a tile that is too short')
})

t.test('an entry has the same hash as text and as bytes', async (t) => {
  for (const entry of ['', 'x', 'Les Misérables \u2028 \ud83d\ude00 \0', '€'.repeat(1000), '€'.repeat(70_000)]) {
    const bytes = Buffer.from(entry)
    const hash = createHash('sha256').update(Buffer.of(0)).update(bytes).digest()
    t.same(hashLeaf(bytes), hash)
    t.same(hashLeaf(entry), hash)
  }
})

t.test('cached hashes yield the same proofs while the tree grows', async (t) => {
  const { leaves, hashes } = grow(70_000)
  const keeping = keepHashes(hashes, 200)
  const faults: string[] = []
  for (const size of [300, 65_535, 65_536, 69_999, 70_000]) {
    const root = rootOf(size, hashes)
    for (let index = size % 97; index < size; index += 997) {
      for (const time of ['first', 'second']) {
        const proof = inclusionProof(index, size, keeping)
        if (!isIncluded(leaves[index] as Buffer, index, size, proof, root)) faults.push(`${time}: ${index} in ${size}`)
      }
      const proof = consistencyProof(index + 1, size, keeping)
      if (!isConsistent(index + 1, rootOf(index + 1, keeping), size, root, proof)) faults.push(`${index} to ${size}`)
    }
  }
  t.same(faults, [])
})

t.test('the slowest hashes are cached up to the limit, and cannot be modified', async (t) => {
  const asked: string[] = []
  const { hashes } = grow(2048)
  const keeping = keepHashes((level, index) => {
    asked.push(`${level}/${index}`)
    return hashes(level, index)
  }, 2)
  const ask = (...places: [number, number][]) => {
    asked.length = 0
    for (const [level, index] of places) t.same(keeping(level, index), hashes(level, index), `${level}/${index}`)
    return asked
  }
  t.same(ask([3, 1], [3, 1], [8, 1], [8, 1]), ['3/1', '3/1', '8/1', '8/1'], 'cheap hashes are not cached')
  t.same(ask([4, 1], [7, 1], [4, 1], [7, 1]), ['4/1', '7/1'])
  t.same(ask([4, 1], [5, 1], [4, 1], [7, 1]), ['5/1', '7/1'], 'the least recently used hash is evicted')
  keeping(7, 1).fill(0)
  t.same(ask([7, 1]), [])
  for (let time = 0; time < 2; time++) t.throws(() => keeping(4, 128), /shorter/, 'a fault is not cached')
  t.same(ask([7, 1], [4, 1]), [], 'a fault evicts no cached hash')
})

t.test('each tile has one path', async (t) => {
  t.equal(pathOf({ level: 0, index: 1_234_067, width: 256 }), `tile/0/${known.tilePath['1234067']}`)
  const places = [
    { level: 0, index: 0, width: 256 },
    { level: 63, index: 999, width: 1 },
    { level: 'entries', index: 1000, width: 255 },
    { level: 2, index: 123_456_789, width: 17 }
  ] as const
  for (const place of places) t.same(placeOf(pathOf(place)), place, pathOf(place))
  const others = [
    ...['', 'tile/0', 'tile/64/000', 'tile/00/000', 'tile/0/0', 'tile/0/x000/001', 'tile/0/001/002', 'tile/0/x001'],
    ...['tile/0/000.p/0', 'tile/0/000.p/256', 'tile/0/000.p/01', 'tile/0/000.p/'],
    ...['tile/-1/000', 'tile/entry/000', ' tile/0/000']
  ]
  for (const path of others) t.equal(placeOf(path), undefined, path)
})

t.test('a bundle round-trips its entries, and reports where it is truncated', async (t) => {
  const entries = ['', 'x', 'x'.repeat(65_535)].map((text) => Buffer.from(text))
  const bundle = bundleOf(entries)
  t.equal(bundle.length, 2 + 3 + 65_537)
  t.same(entriesOf(bundle), entries)
  t.same(entriesOf(Buffer.alloc(0)), [])
  for (const length of [1, 3, 4, bundle.length - 1]) {
    t.throws(() => entriesOf(bundle.subarray(0, length)), /is truncated/, `${length} bytes`)
  }
  t.throws(() => bundleOf([Buffer.alloc(65_536)]), RangeError)
})

/** Returns the hash with its last bit flipped. */
function flipped(hash: Buffer): Buffer {
  return Buffer.concat([hash.subarray(0, -1), Buffer.of((hash.at(-1) ?? 0) ^ 1)])
}
