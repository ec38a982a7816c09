import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { headText, proofText } from '../../audit/checkpoint.ts'
import { createSigner, signNote, verifierText } from '../../audit/note.ts'
import { GrowingTree, hashesIn } from '../../audit/tiles.ts'
import { consistencyProof, hashLeaf, inclusionProof } from '../../audit/tree.ts'
import { entryOf } from './entries.ts'
import { buildVerifier, type Court, run } from './tally.ts'

// Has the verifier check the output of audit/ for 70,000 entries: roots, proofs, checkpoints, and forks.

const SIZES = [1, 2, 255, 256, 257, 1000, 65_535, 65_536, 65_537, 70_000] as const
const LAST = 70_000
const WRONG = /invalid transparency proof|invalid inputs|no verifiable signatures/

const signer = createSigner('log.example/1')

/** Returns the tree of these entries: the hashes in its tiles, and its roots and checkpoints at each of SIZES. */
function treeOf(entries: readonly Uint8Array[]) {
  const tiles = new Map<string, Uint8Array>()
  const checkpoints = new Map<number, string>()
  const roots: string[] = []
  const tree = new GrowingTree(0, [], (level, index, hashes) => tiles.set(`${level}/${index}`, hashes))
  for (const entry of entries) {
    tree.append(hashLeaf(entry))
    if (!SIZES.some((size) => size === tree.size)) continue
    const head = { origin: signer.verifier.name, size: tree.size, root: tree.root() }
    roots.push(head.root.toString('base64'))
    checkpoints.set(tree.size, signNote(headText(head), [signer]))
  }
  for (const [level, hashes] of tree.edge().entries()) {
    tiles.set(`${level}/${Math.floor(tree.size / 256 ** (level + 1))}`, hashes)
  }
  const hashes = hashesIn((level, index) => tiles.get(`${level}/${index}`) ?? new Uint8Array())
  return { hashes, roots, checkpoint: (size: number) => checkpoints.get(size) ?? '' }
}

export async function judgeProofs(court: Court) {
  const { tally, work } = court
  const verifier = await buildVerifier(court)

  /** Writes a file. Returns its path. */
  function file(name: string, content: string | Uint8Array) {
    const path = join(work, name)
    writeFileSync(path, content)
    return path
  }

  const entries = Array.from({ length: LAST }, (_, index) => entryOf(index + 1))
  const tree = treeOf(entries)
  const key = file('key', `${verifierText(signer.verifier)}\n`)

  const lines = file('entries', entries.map((entry) => `${entry}\n`).join(''))
  const told = await run(verifier, ['roots', lines, ...SIZES.map(String)])
  tally.count('roots', told.output === tree.roots.map((root) => `${root}\n`).join(''), told.output)

  /** Asks the verifier whether the proof shows that the entry is in the checkpoint's tree. */
  const check = (proof: string, entry: Uint8Array, keyFile = key) =>
    run(verifier, ['proof', keyFile, file('proof', proof), file('entry', entry)])

  const stranger = file('stranger', verifierText(createSigner('log.example/1').verifier))
  for (const size of SIZES) {
    for (const index of new Set([0, Math.floor(size / 2), size - 1])) {
      const name = `entry ${index} of ${size}`
      const entry = entryOf(index + 1)
      const parts = { index, hashes: inclusionProof(index, size, tree.hashes), checkpoint: tree.checkpoint(size) }
      const proof = proofText(parts)
      tally.accepted(name, await check(proof, entry))
      tally.refused(`${name}, altered,`, await check(proof, entryOf(index + 1, 'another')), WRONG)
      tally.refused(`${name}, by another key,`, await check(proof, entry, stranger), WRONG)
      tally.refused(`${name}, at another index,`, await check(proofText({ ...parts, index: index + 1 }), entry), WRONG)
    }
  }

  /** Asks the verifier whether the newer checkpoint extends the older one. */
  const compare = (older: string, newer: string, answer: object) =>
    run(verifier, [
      'consistency',
      key,
      file('older', older),
      file('newer', newer),
      file('answer', JSON.stringify(answer))
    ])

  // The fork differs from the tree only at index 700, so both have the same checkpoints up to size 257.
  const fork = treeOf(entries.with(700, entryOf(701, 'another')))
  for (const [at, to] of SIZES.entries()) {
    for (const from of SIZES.slice(0, at + 1)) {
      const name = `${to} after ${from}`
      const [older, forked] = [tree.checkpoint(from), fork.checkpoint(to)]
      const answer = { from, to, hashes: base64(consistencyProof(from, to, tree.hashes)) }
      tally.accepted(name, await compare(older, tree.checkpoint(to), answer))
      const outcome = await compare(older, forked, answer)
      if (to < 700) tally.accepted(`${name}, on the common part of a fork,`, outcome)
      else tally.refused(`${name}, on a fork,`, outcome, WRONG)
      if (from < 700) continue
      const own = { from, to, hashes: base64(consistencyProof(from, to, fork.hashes)) }
      tally.refused(`${name}, on a fork by its own proof,`, await compare(older, forked, own), WRONG)
    }
  }
}

function base64(hashes: readonly Buffer[]) {
  return hashes.map((hash) => hash.toString('base64'))
}
