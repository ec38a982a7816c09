import { decodeBase64, NoteError } from './note.ts'
import { HASH_LENGTH } from './tree.ts'

// Text formats: the tree head (c2sp.org/tlog-checkpoint), the inclusion proof (c2sp.org/tlog-proof), and the witness request
// (c2sp.org/tlog-witness).

/** A tree head: the origin of the log, the number of leaves and the root hash. */
export interface TreeHead {
  origin: string
  size: number
  root: Buffer
}

/** Returns the text of the note that the log signs. */
export function headText({ origin, size, root }: TreeHead): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n`
}

/** Parses the text of an opened checkpoint, ignoring extension lines after the root. Throws NoteError. */
export function readHead(text: string): TreeHead {
  const [origin = '', size = '', root = '', ...others] = text.split('\n')
  const bytes = decodeBase64(root)
  const count = countOf(size)
  // The text ends with a newline.
  if (
    origin === '' ||
    count === undefined ||
    bytes?.length !== HASH_LENGTH ||
    others.pop() !== '' ||
    others.includes('')
  ) {
    throw new NoteError('not a checkpoint: it must begin with an origin, a size and a root')
  }
  return { origin, size: count, root: bytes }
}

/** A proof that an entry is in a log. */
interface LogProof {
  index: number
  /** The sibling hashes along the path from the leaf to the root. */
  hashes: Buffer[]
  /** The signed checkpoint, unverified. */
  checkpoint: string
}

const PROOF = 'c2sp.org/tlog-proof@v1'

/** The maximum number of hashes in a proof. A tree has at most 2^63 leaves. */
const MOST_HASHES = 63

/** Returns the proof as the text of a `.tlog-proof` file. */
export function proofText({ index, hashes, checkpoint }: LogProof): string {
  return `${PROOF}\nindex ${index}\n${linesOf(hashes)}\n${checkpoint}`
}

/** Parses the text of a `.tlog-proof` file, ignoring an `extra` line. Throws NoteError. */
export function readProof(text: string): LogProof {
  const [begin, checkpoint] = partsOf(text)
  const [name, ...lines] = begin
  if (name === PROOF && lines[0]?.startsWith('extra ')) lines.shift()
  const [first = '', ...hashes] = lines
  const index = first.startsWith('index ') ? countOf(first.slice('index '.length)) : undefined
  if (name !== PROOF || index === undefined) throw new NoteError(`not a proof: it must begin with ${PROOF}`)
  return { index, hashes: hashesOf(hashes), checkpoint }
}

/** A request to a witness. `old` is the size of the tree when the witness last saw it, or 0 if it never has. */
interface WitnessRequest {
  old: number
  /** The consistency proof from that size to the checkpoint's size. */
  hashes: Buffer[]
  checkpoint: string
}

/** Returns the body of an `add-checkpoint` request. */
export function witnessText({ old, hashes, checkpoint }: WitnessRequest): string {
  return `old ${old}\n${linesOf(hashes)}\n${checkpoint}`
}

/** Parses the body of an `add-checkpoint` request. Throws NoteError. */
export function readWitnessText(text: string): WitnessRequest {
  const [[first = '', ...hashes], checkpoint] = partsOf(text)
  const old = first.startsWith('old ') ? countOf(first.slice('old '.length)) : undefined
  if (old === undefined) throw new NoteError('not a witness request: it must begin with "old" and a size')
  return { old, hashes: hashesOf(hashes), checkpoint }
}

/** Returns the lines before the first empty line, and the text after that line. */
function partsOf(text: string): [string[], string] {
  const end = text.indexOf('\n\n')
  if (end < 0) throw new NoteError('the empty line before the checkpoint is missing')
  return [text.slice(0, end).split('\n'), text.slice(end + 2)]
}

function linesOf(hashes: readonly Buffer[]): string {
  return hashes.map((hash) => `${hash.toString('base64')}\n`).join('')
}

function hashesOf(lines: readonly string[]): Buffer[] {
  if (lines.length > MOST_HASHES) throw new NoteError(`a proof can have at most ${MOST_HASHES} hashes`)
  return lines.map((line) => {
    const hash = decodeBase64(line)
    if (hash?.length !== HASH_LENGTH) throw new NoteError('a line of the proof is not a hash')
    return hash
  })
}

/** Parses a decimal number without leading zeros. Returns undefined for any other text. */
function countOf(text: string): number | undefined {
  const count = /^(?:0|[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(count) ? count : undefined
}
