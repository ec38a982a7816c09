import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { headText, proofText } from '../audit/checkpoint.ts'
import { sealEvent } from '../audit/entry.ts'
import { createSigner, signNote, verifierText } from '../audit/note.ts'
import { GrowingTree, hashesIn } from '../audit/tiles.ts'
import { consistencyProof, hashLeaf, inclusionProof } from '../audit/tree.ts'

// Builds .ci/audit/verifier.go, which knows nothing of audit/, and lets it judge a trail of 70,000 entries: roots, proofs, checkpoints,
// and forks. Needs Go on PATH. Prints each judgement that is wrong, and the number of those that are right.

const source = join(import.meta.dirname, 'audit')
const work = mkdtempSync(join(tmpdir(), 'graphstead-audit-'))
process.on('exit', () => rmSync(work, { recursive: true, force: true }))
const counts = { passed: 0, failed: 0 }

const log = createSigner('log.example/1')
const SIZES = [1, 2, 255, 256, 257, 1000, 65_535, 65_536, 65_537, 70_000] as const
const LAST = 70_000

/** Runs a command to its end. Returns whether it succeeded, and its output. */
async function run(command: string, args: readonly string[]) {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd: source, timeout: 300_000 })
    return { succeeded: true, output: stdout }
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string }
    return { succeeded: false, output: `${stdout}${stderr}` || message }
  }
}

function count(name: string, holds: boolean, output = '') {
  counts[holds ? 'passed' : 'failed']++
  if (!holds) console.log(`not ok ${name}\n  ${output.slice(0, 2000)}`)
}

/** Writes a file of this name. Returns its path. */
function file(name: string, content: string | Uint8Array) {
  const path = join(work, name)
  writeFileSync(path, content)
  return path
}

function entryOf(id: number, principal = `user${id}`) {
  const salts = Buffer.alloc(48, 1)
  salts.writeUInt32BE(id)
  const open = { id, time: '2026-11-23T12:00:00.000Z', type: 'GRAPH_CREATED', outcome: 'SUCCESS' }
  return sealEvent({ ...open, target: { type: 'GRAPH', id }, principal, request: null, name: 'é', data: {} }, salts)
    .bytes
}

/** A tree of these entries, with its checkpoints at the sizes, and the hashes of its tiles. */
function treeOf(entries: readonly Uint8Array[]) {
  const tiles = new Map<string, Uint8Array>()
  const checkpoints = new Map<number, string>()
  const roots: string[] = []
  const tree = new GrowingTree(0, [], (level, index, hashes) => tiles.set(`${level}/${index}`, hashes))
  for (const entry of entries) {
    tree.append(hashLeaf(entry))
    if (!SIZES.some((size) => size === tree.size)) continue
    const head = { origin: log.verifier.name, size: tree.size, root: tree.root() }
    roots.push(head.root.toString('base64'))
    checkpoints.set(tree.size, signNote(headText(head), [log]))
  }
  for (const [level, hashes] of tree.edge().entries()) {
    tiles.set(`${level}/${Math.floor(tree.size / 256 ** (level + 1))}`, hashes)
  }
  const hashes = hashesIn((level, index) => tiles.get(`${level}/${index}`) ?? new Uint8Array())
  return { hashes, roots, checkpoint: (size: number) => checkpoints.get(size) ?? '' }
}

const verifier = join(work, 'verifier')
const build = () => run('go', ['build', '-o', verifier, '.'])
// Go fetches its modules: once more if that fails.
let built = await build()
if (!built.succeeded) built = await build()
count('the verifier is built', built.succeeded, built.output)
if (!built.succeeded) process.exit(1)

const entries = Array.from({ length: LAST }, (_, index) => entryOf(index + 1))
const tree = treeOf(entries)
const key = file('key', `${verifierText(log.verifier)}\n`)

const lines = file('entries', entries.map((entry) => `${entry}\n`).join(''))
const told = await run(verifier, ['roots', lines, ...SIZES.map(String)])
count('roots', told.output === tree.roots.map((root) => `${root}\n`).join(''), told.output)

/** Counts whether the verifier accepts a proof that the entry is at the index, or refuses it. */
async function judgeProof(name: string, accepted: boolean, proof: string, entry: Uint8Array, keyFile = key) {
  const { succeeded, output } = await run(verifier, ['proof', keyFile, file('proof', proof), file('entry', entry)])
  count(`${name} is ${accepted ? 'accepted' : 'refused'}`, succeeded === accepted, output)
}

const stranger = file('stranger', verifierText(createSigner('log.example/1').verifier))
for (const size of SIZES) {
  for (const index of new Set([0, Math.floor(size / 2), size - 1])) {
    const name = `entry ${index} of ${size}`
    const parts = { index, hashes: inclusionProof(index, size, tree.hashes), checkpoint: tree.checkpoint(size) }
    const proof = proofText(parts)
    await judgeProof(name, true, proof, entries[index] ?? Buffer.alloc(0))
    await judgeProof(`${name}, altered,`, false, proof, entryOf(index + 1, 'another'))
    await judgeProof(`${name}, by another key,`, false, proof, entries[index] ?? Buffer.alloc(0), stranger)
    await judgeProof(`${name}, at another index,`, false, proofText({ ...parts, index: index + 1 }), entryOf(index + 1))
  }
}

/** Counts whether the verifier accepts that one checkpoint continues the other, or refuses it. */
async function judgeGrowth(name: string, accepted: boolean, older: string, newer: string, answer: object) {
  const files = [file('older', older), file('newer', newer), file('answer', JSON.stringify(answer))]
  const { succeeded, output } = await run(verifier, ['consistency', key, ...files])
  count(`${name} is ${accepted ? 'accepted' : 'refused'}`, succeeded === accepted, output)
}

// The fork has another entry at index 700: up to the size 257 it is the same tree.
const fork = treeOf(entries.with(700, entryOf(701, 'another')))
for (const [at, to] of SIZES.entries()) {
  for (const from of SIZES.slice(0, at + 1)) {
    const name = `${to} after ${from}`
    const hashes = consistencyProof(from, to, tree.hashes).map((hash) => hash.toString('base64'))
    const answer = { from, to, hashes }
    await judgeGrowth(name, true, tree.checkpoint(from), tree.checkpoint(to), answer)
    if (from < 700) {
      await judgeGrowth(`${name}, to a fork,`, to < 700, tree.checkpoint(from), fork.checkpoint(to), answer)
      continue
    }
    const forked = consistencyProof(from, to, fork.hashes).map((hash) => hash.toString('base64'))
    await judgeGrowth(`${name}, to a fork,`, false, tree.checkpoint(from), fork.checkpoint(to), answer)
    const own = { from, to, hashes: forked }
    await judgeGrowth(`${name}, to a fork by its own proof,`, false, tree.checkpoint(from), fork.checkpoint(to), own)
  }
}

console.log(`${counts.passed} judgements are right, ${counts.failed} are wrong`)
process.exitCode = counts.failed > 0 ? 1 : 0
