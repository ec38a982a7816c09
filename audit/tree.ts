import { hash } from 'node:crypto'

// The Merkle tree of a log (RFC 9162, section 2.1): its hashes, its proofs, and their verification.

/** The length of a SHA-256 hash, in bytes. */
export const HASH_LENGTH = 32

/** The root of an empty tree. */
export const EMPTY_ROOT = sha256(Buffer.alloc(0))

const LEAF = Buffer.from([0])

/** A buffer for the node prefix and two child hashes, reused for every node. */
const node = Buffer.alloc(1 + 2 * HASH_LENGTH, 1)

/** Returns the leaf hash of an entry (section 2.1.1). A string is hashed as UTF-8, which is faster than hashing bytes. */
export function hashLeaf(entry: Uint8Array | string): Buffer {
  return sha256(typeof entry === 'string' ? `\0${entry}` : Buffer.concat([LEAF, entry]))
}

/** Returns the hash of an inner node, given the 32-byte hashes of its children. */
export function hashNode(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1)
  node.set(right, 1 + HASH_LENGTH)
  return sha256(node)
}

/** Returns the root of a complete tree over consecutive hashes. The number of hashes must be a power of two. */
export function rootOfRow(hashes: Uint8Array): Buffer {
  // Overwrite each row of the tree with the one above it.
  const row = Buffer.from(hashes)
  for (let length = row.length / 2; length >= HASH_LENGTH; length /= 2) {
    for (let at = 0; at < length; at += HASH_LENGTH) {
      row.copy(node, 1, at * 2, at * 2 + 2 * HASH_LENGTH)
      row.write(hash('sha256', node, 'latin1'), at, 'latin1')
    }
  }
  return row.subarray(0, HASH_LENGTH)
}

/**
 * Returns the SHA-256 hash. Node.js returns hashes as strings twice as fast as buffers, and a proof needs hundreds of hashes.
 */
function sha256(bytes: Buffer | string): Buffer {
  return Buffer.from(hash('sha256', bytes, 'latin1'), 'latin1')
}

/**
 * Returns the hash of the complete subtree over the leaves in [`index` × 2^`level`, (`index` + 1) × 2^`level`). Level 0
 * contains the leaf hashes.
 */
export type Hashes = (level: number, index: number) => Buffer

/** Returns the root of the tree of the first `size` leaves. */
export function rootOf(size: number, hashes: Hashes): Buffer {
  return size === 0 ? EMPTY_ROOT : hashOfRange(0, size, hashes)
}

/** Returns the hashes on the path from the leaf to the root of the tree of this size, bottom up (section 2.1.3.1). */
export function inclusionProof(index: number, size: number, hashes: Hashes): Buffer[] {
  if (!(index >= 0 && index < size)) throw new RangeError(`leaf ${index} is not in a tree of ${size}`)
  const proof: Buffer[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      proof.push(hashOfRange(middle, end, hashes))
      end = middle
    } else {
      proof.push(hashOfRange(start, middle, hashes))
      start = middle
    }
  }
  return proof.reverse()
}

/** Returns the consistency proof between the trees of size `from` and size `to` (section 2.1.4.1). */
export function consistencyProof(from: number, to: number, hashes: Hashes): Buffer[] {
  if (!(from >= 1 && from <= to)) throw new RangeError(`a tree of size ${to} cannot extend one of size ${from}`)
  const proof: Buffer[] = []
  let [start, end] = [0, to]
  while (end !== from) {
    const middle = start + splitOf(end - start)
    if (from <= middle) {
      proof.push(hashOfRange(middle, end, hashes))
      end = middle
    } else {
      proof.push(hashOfRange(start, middle, hashes))
      start = middle
    }
  }
  // The verifier already knows the root of the smaller tree. If that tree is complete, this hash is the root, so it is omitted.
  if (start > 0) proof.push(hashOfRange(start, end, hashes))
  return proof.reverse()
}

/** Returns whether the proof leads from the leaf hash to the root (section 2.1.3.2). */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || ![leaf, ...proof].every(isHash)) return false
  let [place, last, hashed] = [index, size - 1, leaf]
  for (const other of proof) {
    if (last === 0) return false
    if (place % 2 === 1 || place === last) {
      hashed = hashNode(other, hashed)
      while (place % 2 === 0 && place > 0) [place, last] = [half(place), half(last)]
    } else {
      hashed = hashNode(hashed, other)
    }
    ;[place, last] = [half(place), half(last)]
  }
  return last === 0 && Buffer.compare(hashed, root) === 0
}

/**
 * Returns whether the proof shows that the tree of size `to` extends the tree of size `from`, which is at least 1 (section
 * 2.1.4.2).
 */
export function isConsistent(
  from: number,
  fromRoot: Uint8Array,
  to: number,
  toRoot: Uint8Array,
  proof: readonly Uint8Array[]
): boolean {
  if (!isCount(from) || !isCount(to) || from === 0 || from > to || !proof.every(isHash)) return false
  if (from === to) return proof.length === 0 && Buffer.compare(fromRoot, toRoot) === 0
  if (!isHash(fromRoot)) return false
  const [first, ...others] = isComplete(from) ? [fromRoot, ...proof] : proof
  if (!first) return false
  let [place, last] = [from - 1, to - 1]
  while (place % 2 === 1) [place, last] = [half(place), half(last)]
  let [before, after] = [first, first]
  for (const other of others) {
    if (last === 0) return false
    if (place % 2 === 1 || place === last) {
      before = hashNode(other, before)
      after = hashNode(other, after)
      while (place % 2 === 0 && place > 0) [place, last] = [half(place), half(last)]
    } else {
      after = hashNode(after, other)
    }
    ;[place, last] = [half(place), half(last)]
  }
  return last === 0 && Buffer.compare(before, fromRoot) === 0 && Buffer.compare(after, toRoot) === 0
}

/** Returns the hash over the leaves in [`start`, `end`), which must form a node of the tree. */
function hashOfRange(start: number, end: number, hashes: Hashes): Buffer {
  const count = end - start
  if (isComplete(count)) return hashes(Math.log2(count), start / count)
  const middle = start + splitOf(count)
  return hashNode(hashOfRange(start, middle, hashes), hashOfRange(middle, end, hashes))
}

/**
 * Returns the largest power of two below `count`, which must be at least 2. This is the number of leaves in the left subtree
 * (section 2.1.1).
 */
function splitOf(count: number): number {
  return powerIn(count - 1)
}

/** Returns whether a tree of `count` leaves is complete, that is, whether `count` is a power of two. */
function isComplete(count: number): boolean {
  return powerIn(count) === count
}

/** Returns the largest power of two that is at most `count`, which must be at least 1. Math.log2 is inexact near large powers. */
function powerIn(count: number): number {
  let power = 1
  while (power * 2 <= count) power *= 2
  return power
}

function half(value: number) {
  return Math.floor(value / 2)
}

function isCount(value: number) {
  return Number.isSafeInteger(value) && value >= 0
}

function isHash({ length }: Uint8Array) {
  return length === HASH_LENGTH
}
