import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { readHead, witnessText } from '../../audit/checkpoint.ts'
import { createSigner, signNote, splitNote } from '../../audit/note.ts'
import { flip } from './forger.ts'
import { fetchFrom, type Source } from './log.ts'
import { buildVerifier, type Court, run } from './tally.ts'

// Tests the program with the witness in witness.go: a log, its forks, and invalid requests.

/** A witness process, and the statuses of its responses since the last query. */
interface Witness {
  url: string
  key: string
  process: ChildProcess
  statuses(): Promise<string>
}

/** Starts a witness for the log with the key in this file. */
async function startWitness(program: string, key: string): Promise<Witness> {
  const process = spawn(program, ['witness', key], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: process.stdout })
  const [first] = (await once(lines, 'line')) as [string]
  const [url = '', vkey = ''] = first.split(' ')
  const statuses = async () => (await fetch(`${url}/answers`)).text()
  return { url, key: vkey, process, statuses }
}

/** Returns a witness request with the log's last checkpoint and the consistency proof from the size `old`. */
async function requestOf(log: Source, old: number) {
  const checkpoint = `${await fetchFrom(log, 'log/checkpoint')}`
  const { size } = readHead(splitNote(checkpoint).text)
  const answer =
    old === 0 || old > size ? { hashes: [] } : JSON.parse(`${await fetchFrom(log, `log/consistency?from=${old}`)}`)
  return { old, hashes: answer.hashes.map((hash: string) => Buffer.from(hash, 'base64')), checkpoint }
}

export async function judgeByWitness(court: Court) {
  const { tally, work, openLog } = court
  const verifier = await buildVerifier(court)
  const log = await openLog(join(work, 'log'))
  await log.growTo(5)
  const key = join(work, 'key')
  await writeFile(key, await fetchFrom(log, 'log/key'))
  const witness = await startWitness(verifier, key)
  const vkey = join(work, 'witness')
  await writeFile(vkey, witness.key)

  /** Counts a verdict, which is correct if the witness responds to the request with this status and text. */
  async function answers(name: string, body: string, status: number, text: RegExp, type = 'text/plain; charset=utf-8') {
    const answer = await fetch(`${witness.url}/add-checkpoint`, { method: 'POST', body })
    const got = `${answer.status} ${answer.headers.get('content-type')} ${await answer.text()}`
    tally.count(`${name}: ${status}`, got.startsWith(`${status} ${type} `) && text.test(got), got)
    await witness.statuses()
  }

  /** Checks that the witness signs the program's last checkpoint and responds with these statuses. Counts the verdicts. */
  async function isSigned(name: string, statuses: RegExp, size: number) {
    const { succeeded, printed, output } = await log.witness(witness.url, witness.key)
    const seen = await witness.statuses()
    tally.count(`${name}: the witness responds with ${seen}`, statuses.test(seen), output)
    tally.count(
      `${name}: the checkpoint has the size ${size}`,
      succeeded && printed.split('\n')[1] === `${size}`,
      output
    )
    const signed = join(work, 'signed')
    await writeFile(signed, printed)
    tally.accepted(`${name}: the signed checkpoint`, await run(verifier, ['cosigned', key, vkey, signed]))
    await writeFile(signed, printed.replace(`\n${size}\n`, `\n${size + 1}\n`))
    const forged = await run(verifier, ['cosigned', key, vkey, signed])
    tally.refused(`${name}: another size in the signed checkpoint`, forged, /invalid signature/)
  }

  const first = await requestOf(log, 0)
  const { text } = splitNote(first.checkpoint)
  const other = signNote(text.replace(/.*/, 'other.example/1'), [createSigner('other.example/1')])
  const stranger = signNote(text, [createSigner(readHead(text).origin)])
  await answers('an invalid request', 'new 0\n\n', 400, /not a request/)
  await answers('an unknown origin', witnessText({ ...first, checkpoint: other }), 404, /unknown/)
  await answers(
    'a signature by another key',
    witnessText({ ...first, checkpoint: stranger }),
    403,
    /no verifiable signatures/
  )
  await answers('an old size above the new size', witnessText({ ...first, old: 6 }), 400, /old size/)
  await answers(
    'an old size other than that of the witness',
    witnessText(await requestOf(log, 3)),
    409,
    / 0\n$/,
    'text/x.tlog.size'
  )
  await answers('a proof from the size 0', witnessText({ ...first, hashes: [Buffer.alloc(32)] }), 422, /proof/)
  await isSigned('a new log', /^200$/, 5)

  const fork = await log.fork()
  await log.growTo(200)
  await answers('a checkpoint signed without the program', witnessText(await requestOf(log, 5)), 200, /— witness/)
  await log.growTo(300)
  await isSigned('a log that grew', /^409,200$/, 300)
  await isSigned('the same size again', /^(?:409,)?200$/, 300)
  await log.growTo(301)
  await answers('the previous size', witnessText(await requestOf(log, 5)), 409, / 300\n$/, 'text/x.tlog.size')
  const next = await requestOf(log, 300)
  const hashes = next.hashes.map((hash: Buffer) => flip(hash, -1))
  await answers('a forged proof', witnessText({ ...next, hashes }), 422, /invalid transparency proof/)
  await answers('a missing proof', witnessText({ ...next, hashes: [] }), 422, /invalid transparency proof/)

  /** Records whether the witness refuses a fork with one of these statuses and the program reports the failure. */
  async function isFork(name: string, size: number, statuses: RegExp) {
    await fork.growTo(size)
    const { succeeded, output } = await fork.witness(witness.url, witness.key)
    const seen = await witness.statuses()
    tally.count(`${name} is refused by ${seen}`, !succeeded && statuses.test(seen), output)
  }

  // The fork is first smaller than the signed log, then the same size, then larger. No proof connects the log to the fork.
  await isFork('a smaller fork', 250, /^409$/)
  await isFork('a fork of the same size', 300, /^409(?:,409)?$/)
  await isFork('a larger fork', 400, /^409,422$/)
  await isSigned('the log after its forks', /^(?:409,)?200$/, 301)
  await fork.close()
  await log.close()
  witness.process.stdin?.end()
  await once(witness.process, 'exit')
}
