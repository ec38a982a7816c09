import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readHead, readProof } from '../../audit/checkpoint.ts'
import { splitNote } from '../../audit/note.ts'
import { entriesOf, pathOf, widthOf } from '../../audit/tiles.ts'
import { flip } from './forger.ts'
import { fetchFrom, type Source } from './log.ts'
import { type Court, run } from './tally.ts'

// Checks genuine and forged proofs from a server with pymerkle.

const SIZES = [1, 2, 3, 255, 256, 257, 1000, 65_536, 70_000]

/** An inclusion or consistency proof, in the form that merkle.py reads. */
type Case = { proof: string; entry: string } | { older: string; newer: string; hashes: string[] }

interface Growth {
  hashes: string[]
  checkpoint: string
}

/** Fetches the proof of an event and its log entry. */
async function fetchProof(log: Source, id: number) {
  const proof = `${await fetchFrom(log, `${id}/proof`)}`
  const { index, checkpoint } = readProof(proof)
  const bundle = Math.floor(index / 256)
  const width = widthOf('entries', bundle, readHead(splitNote(checkpoint).text).size)
  const entries = entriesOf(await fetchFrom(log, `log/${pathOf({ level: 'entries', index: bundle, width })}`))
  const entry = entries[index % 256] ?? Buffer.alloc(0)
  return { proof, entry: entry.toString('base64') }
}

/** Fetches the consistency proof from a checkpoint of this size. */
async function fetchGrowth(log: Source, from: number): Promise<Growth> {
  return JSON.parse(`${await fetchFrom(log, `log/consistency?from=${from}`)}`)
}

/** Returns the same base64-encoded bytes, with the last one changed. */
const forge = (text: string) => flip(Buffer.from(text, 'base64'), -1).toString('base64')

export async function judgeByPymerkle(court: Court) {
  const { tally, work, openLog } = court
  const cases: { name: string; isSound: boolean; given: Case }[] = []
  const expect = (name: string, isSound: boolean, given: Case) => cases.push({ name, isSound, given })

  /** Adds the proof of an event, and forgeries of it. */
  async function addProof(log: Source, id: number, size: number) {
    const name = `event ${id} of ${size}`
    const sound = await fetchProof(log, id)
    const { index } = readProof(sound.proof)
    expect(name, true, sound)
    expect(`${name}, altered,`, false, { ...sound, entry: forge(sound.entry) })
    expect(`${name}, at another index,`, false, {
      ...sound,
      proof: sound.proof.replace(/index \d+/, `index ${index + 1}`)
    })
    if (size === 1) return
    const [last = ''] = /\S+(?=\n\n)/.exec(sound.proof) ?? []
    expect(`${name}, with another hash,`, false, { ...sound, proof: sound.proof.replace(last, forge(last)) })
  }

  /** Adds the consistency proof from an older checkpoint, and forgeries of it. */
  async function addGrowth(log: Source, older: string, from: number, size: number) {
    const name = `${size} after ${from}`
    const { hashes, checkpoint: newer } = await fetchGrowth(log, from)
    const root = older.split('\n')[2] ?? ''
    expect(name, true, { older, newer, hashes })
    expect(`${name}, after another root,`, false, { older: older.replace(root, forge(root)), newer, hashes })
    expect(`${name}, with an additional hash,`, false, { older, newer, hashes: [...hashes, root] })
    const [first, ...others] = hashes
    if (first !== undefined)
      expect(`${name}, with another hash,`, false, { older, newer, hashes: [forge(first), ...others] })
  }

  const log = await openLog(join(work, 'log'))
  const kept = new Map<number, string>()
  for (const size of SIZES) {
    await log.growTo(size)
    kept.set(size, `${await fetchFrom(log, 'log/checkpoint')}`)
    for (const id of new Set([1, Math.ceil(size / 2), size])) await addProof(log, id, size)
    for (const [from, older] of kept) await addGrowth(log, older, from, size)
    if (size === 257) await addFork(size)
  }
  await log.close()

  /** Adds consistency proofs from a fork of the log. */
  async function addFork(size: number) {
    const fork = await log.fork()
    await fork.growTo(400)
    const { hashes, checkpoint: newer } = await fetchGrowth(fork, size)
    expect('the common part of a fork', true, { older: kept.get(size) ?? '', newer, hashes })
    await log.growTo(300)
    const older = `${await fetchFrom(log, 'log/checkpoint')}`
    const own = await fetchGrowth(fork, 300)
    expect('a fork', false, { older, newer: own.checkpoint, hashes: own.hashes })
    await fork.close()
  }

  const file = join(work, 'cases')
  await writeFile(file, cases.map(({ given }) => `${JSON.stringify(given)}\n`).join(''))
  const judge = join(import.meta.dirname, 'merkle.py')
  const { succeeded, output } = await run('sh', ['-c', `exec python "$0" < "$1"`, judge, file])
  if (!succeeded) throw new Error(`pymerkle failed:\n${output}`)
  const verdicts = output.split('\n')
  for (const [index, { name, isSound }] of cases.entries()) {
    const verdict = verdicts[index] ?? ''
    const isRight = isSound ? verdict === 'accepted' : verdict.startsWith('refused: ')
    tally.count(`${name} is ${isSound ? 'accepted' : 'refused'}`, isRight, verdict)
  }
}
