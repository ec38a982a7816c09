import { Type } from '@sinclair/typebox'
import { readHead, witnessText } from '../../../audit/checkpoint.ts'
import { COSIGNATURE, NoteError, openNote, splitNote, type Verifier } from '../../../audit/note.ts'
import { computeFrom, type LogSource, Unreadable } from '../../../audit/source.ts'
import { consistencyProof } from '../../../audit/tree.ts'
import { millisecondsOf } from '../../../schemas/quantities.ts'
import { optionalText } from '../../../schemas/types.ts'
import { logHelp, logSettings, openLog } from '../../audit/log.ts'
import { readKeys } from '../../audit/verifiers.ts'
import type { Command } from '../../command.ts'
import {
  fetchAnswer,
  Refused,
  type RemoteAnswer,
  type RemoteServer,
  readAddress,
  readRemoteSettings,
  Unreachable
} from '../../remote/server.ts'
import { BadSetting } from '../../settings/config.ts'
import { usage } from '../../settings/usage.ts'
import { printable } from '../../system/printable.ts'
import { printData, printError } from '../../system/terminal.ts'

const settings = {
  vkey: Type.String({ minLength: 1, description: 'verifier key of the witness, or a file that contains it' }),
  from: optionalText({ minLength: 1, description: 'folder or server with the log, instead of --data' }),
  ...logSettings
}

export const help = usage(
  'audit witness URL --vkey KEY --from DIR|URL|--data DIR',
  `Sends the checkpoint to a witness (c2sp.org/tlog-witness) at its submission prefix, with a proof that it extends the checkpoint
that the witness saw last. Verifies the response, and prints the checkpoint with the witness's signature. Sends no token.`,
  settings,
  `${logHelp}

Exit codes: 0 the witness signed; 1 it refused, or its signature is invalid; 2 invalid arguments, or the log cannot be read;
3 the witness cannot be reached, or is too busy: try again later.`
)

/** The maximum length of a witness's response, in bytes. */
const LONGEST_ANSWER = 100_000

/** Explanations of error responses (c2sp.org/tlog-witness, add-checkpoint). */
const REFUSALS: Record<number, string> = {
  400: 'the witness cannot read the request',
  403: 'the witness does not trust the key of the checkpoint: register the key of this log with the witness',
  404: 'the witness does not know this log: register its origin and key with it',
  422: 'the witness rejected the proof: the log does not extend the last checkpoint it saw'
}

/** Thrown if the witness does not sign. */
class NotSigned extends Error {}

/** Asks a witness to sign the checkpoint. */
const witness: Command = async (args) => {
  const { values, positionals } = readRemoteSettings(settings, args, process.env)
  const [address, ...others] = positionals
  if (address === undefined) throw new BadSetting('the address of the witness is missing')
  if (others.length > 0) throw new BadSetting(`too many arguments: ${others[0]}`)
  if (values.vkey === undefined) throw new BadSetting('--vkey is missing')
  const server = { url: readAddress(address, 'the address of the witness'), timeout: millisecondsOf(values.timeout) }
  const keys = await readKeys(values.vkey, '--vkey', COSIGNATURE)
  try {
    const log = await openLog(values.from, values, process.env, { isPublic: true })
    printData(await cosign(log.source, server, keys).finally(log.close))
    return 0
  } catch (error) {
    const code = exitCodeOf(error)
    if (code === undefined) throw error
    printError(`graphstead audit witness: ${printable((error as Error).message)}`)
    return code
  }
}

export default witness

function exitCodeOf(error: unknown): number | undefined {
  if (error instanceof NotSigned) return 1
  if (error instanceof Unreadable) return 2
  if (error instanceof Refused || error instanceof Unreachable) return error.isPassing ? 3 : 1
}

/** Returns the checkpoint with the witness's signature. Throws NotSigned, and rethrows errors from sources and servers. */
async function cosign(source: LogSource, server: RemoteServer, keys: readonly Verifier[]): Promise<string> {
  const checkpoint = await source.checkpoint()
  const { text } = readNote(checkpoint)
  const { size } = readHead(text)
  // A witness that has seen an earlier checkpoint responds with that checkpoint's size.
  let answer = await submit(source, server, checkpoint, size, 0)
  if (answer.status === 409) answer = await submit(source, server, checkpoint, size, sizeIn(answer, size))
  if (answer.status === 409) throw new NotSigned('the witness has seen another checkpoint in the meantime: try again')
  if (answer.status !== 200) {
    throw new NotSigned(REFUSALS[answer.status] ?? `the witness responded with ${answer.status}`)
  }
  return checkpoint + cosignatureIn(answer, text, keys)
}

/** Sends the checkpoint with a proof that it extends the tree of size `old`. */
async function submit(source: LogSource, server: RemoteServer, checkpoint: string, size: number, old: number) {
  const hashes =
    old === 0 || old === size ? [] : await computeFrom(source, size, (hashes) => consistencyProof(old, size, hashes))
  const body = witnessText({ old, hashes, checkpoint })
  return fetchAnswer(server, { method: 'POST', path: 'add-checkpoint', text: body }, LONGEST_ANSWER)
}

/** Returns the size that the witness has seen. Throws NotSigned. */
function sizeIn({ body }: RemoteAnswer, size: number): number {
  const text = body.subarray(0, 100).toString()
  const old = /^(?:0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(old)) throw new NotSigned('the witness did not report the size it last saw')
  if (old > size) {
    throw new NotSigned(
      `the witness has seen ${old} entries of this log, which has ${size}: entries are missing, or this is an older copy`
    )
  }
  return old
}

/** Returns the lines of the response that are valid signatures by the keys. Throws NotSigned if there are no such lines. */
function cosignatureIn({ body }: RemoteAnswer, text: string, keys: readonly Verifier[]): string {
  const names = keys.map(({ name }) => `— ${name} `)
  const lines = body
    .subarray(0, LONGEST_ANSWER)
    .toString()
    .split('\n')
    .filter((line) => names.some((name) => line.startsWith(name)))
    .map((line) => `${line}\n`)
    .join('')
  if (lines === '') throw new NotSigned(`the response from the witness has no signature by ${keys[0]?.name}`)
  try {
    openNote(`${text}\n${lines}`, keys)
    return lines
  } catch (error) {
    if (!(error instanceof NoteError)) throw error
    throw new NotSigned(`the response from the witness is not a valid signature: ${error.message}`)
  }
}

/** Splits the checkpoint. Throws Unreadable if it is malformed. */
function readNote(checkpoint: string) {
  try {
    const note = splitNote(checkpoint)
    readHead(note.text)
    return note
  } catch (error) {
    throw error instanceof NoteError ? new Unreadable(`the log: ${error.message}`) : error
  }
}
