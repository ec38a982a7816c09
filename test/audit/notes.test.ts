import { createHash, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { headText, proofText, readHead, readProof, readWitnessText, witnessText } from '../../audit/checkpoint.ts'
import {
  createSigner,
  lineOf,
  openNote,
  readSigner,
  readVerifier,
  signerText,
  signNote,
  splitNote,
  verifierText
} from '../../audit/note.ts'
import { GrowingTree } from '../../audit/tiles.ts'
import { EMPTY_ROOT, hashLeaf } from '../../audit/tree.ts'

// The text forms of signed notes, checkpoints and proofs, compared with known answers from other implementations.

const known = JSON.parse(readFileSync(join(import.meta.dirname, '../known-answers/known-answers.json'), 'utf8'))

const refusal = { name: 'NoteError' }

/** Returns the signer of a known answer. The seed follows the algorithm byte. */
function signerOf(name: string, vkey: string, seed: string) {
  return readSigner(`PRIVATE+KEY+${name}+${vkey.split('+')[1]}+${seed}`)
}

t.test('a known note is signed and opened as in other implementations', async (t) => {
  const { name, testSeedWithAlgorithmByteBase64: seed, vkey, text, signatureLine } = known.note
  const signer = signerOf(name, vkey, seed)
  const note = signNote(text, [signer])
  t.equal(note, `${text}\n${signatureLine}\n`)
  t.equal(verifierText(signer.verifier), vkey)
  const verifier = readVerifier(vkey)
  t.same(openNote(note, [verifier]), { text, signers: [verifier] })
  t.equal(signerText(readSigner(signerText(signer))), signerText(signer))

  const { name: other, algorithmByteAndPublicKeyBase64: key, keyIdHex } = known.keyId
  t.equal(readVerifier(`${other}+${keyIdHex}+${key}`).id.toString('hex'), keyIdHex)
})

t.test('the sixteen known checkpoints are signed and opened as in other implementations', async (t) => {
  const { origin, vkey, testSeedWithAlgorithmByteBase64: seed, entries, bySize } = known.checkpoints
  const signer = signerOf(origin, vkey, seed)
  const tree = new GrowingTree()
  t.equal(Object.keys(bySize).length, 16)
  for (let size = 0; size <= 15; size++) {
    if (size > 0) tree.append(hashLeaf(Buffer.from(entries[size - 1])))
    const head = { origin, size, root: tree.root() }
    t.equal(signNote(headText(head), [signer]), bySize[size], `size ${size}`)
    t.same(readHead(openNote(bySize[size], [readVerifier(vkey)]).text), head)
  }
})

t.test('a note needs a valid signature by a known key', async (t) => {
  const [log, stranger] = [createSigner('log.example/1'), createSigner('log.example/1')]
  const { verifier } = log
  const text = 'log.example/1\n3\nAAAA\n'
  const note = signNote(text, [stranger, log])
  t.equal(openNote(note, [verifier]).text, text, 'extra signatures are allowed')
  const refused = (note: string, reason: RegExp, what: string) =>
    t.throws(() => openNote(note, [verifier]), { ...refusal, message: reason }, what)
  refused(signNote(text, [stranger]), /not signed by a known key/, 'a stranger')
  refused(note.replace('\n3\n', '\n4\n'), /not valid/, 'a changed text')
  const [first = '', second = ''] = splitNote(note).lines
  refused(`${text}\n${second.slice(0, -4)}AAA=\n`, /not valid|no signature/, 'a changed signature')
  const malformed: [string, string][] = [
    ['', 'nothing'],
    [text, 'no signature'],
    [`${text}\n`, 'an empty signature'],
    [`${text}\n${second}`, 'no newline at the end'],
    [`${text}\n${second}\n\n`, 'an empty line at the end'],
    [`${text}\n${second.replace('—', '-')}\n`, 'a hyphen'],
    [`${text}\n${second} \n`, 'a space at the end'],
    [`${text}\n— log.example/1 AAAA\n`, 'no signature after the id'],
    [`${text}\n${second.replace('log', 'l\u0000g')}\n`, 'a control character'],
    [`${text}\ud800\n\n${second}\n`, 'half a character'],
    [`${text}\n${`${first}\n`.repeat(101)}`, 'too many signatures'],
    [`${'x'.repeat(1_000_000)}\n\n${second}\n`, 'too long']
  ]
  for (const [note, what] of malformed) refused(note, /./, what)
  t.throws(() => signNote('x', [log]), refusal, 'text without a final newline cannot be signed')
  for (const name of ['', 'a b', 'a+b', 'a\u2003b']) t.throws(() => createSigner(name), refusal, name)
})

t.test('only the exact key format is accepted', async (t) => {
  const signer = createSigner('log.example/1')
  const [vkey, key] = [verifierText(signer.verifier), signerText(signer)]
  t.equal(verifierText(readVerifier(`${vkey}\n`)), vkey)
  const otherId = (text: string) => text.replace(/\+[0-9a-f]{8}\+/, '+00000000+')
  for (const text of ['', 'x', otherId(vkey), vkey.slice(0, -4), `${vkey}=`, vkey.replace('log', 'dog'), key]) {
    t.throws(() => readVerifier(text), refusal, text)
  }
  for (const text of ['', vkey, otherId(key), key.slice(0, -4), key.replace('log', 'dog')]) {
    t.throws(() => readSigner(text), refusal)
  }
})

t.test('a witness also signs the time', async (t) => {
  const { privateKey, verifier } = createSigner('witness.example/w1')
  const log = createSigner('log.example/1')
  // The same key has a different id for a different type.
  const raw = Buffer.from(verifierText(verifier).split('+').slice(2).join('+'), 'base64').subarray(1)
  const id = createHash('sha256')
    .update(`witness.example/w1\n`)
    .update(Buffer.of(4))
    .update(raw)
    .digest('hex')
    .slice(0, 8)
  const witness = readVerifier(`witness.example/w1+${id}+${Buffer.concat([Buffer.of(4), raw]).toString('base64')}`)
  const checkpoint = signNote(headText({ origin: 'log.example/1', size: 0, root: EMPTY_ROOT }), [log])
  const { text } = splitNote(checkpoint)
  const time = Buffer.alloc(8)
  time.writeBigUInt64BE(1_700_000_000n)
  const signature = sign(null, Buffer.from(`cosignature/v1\ntime 1700000000\n${text}`), privateKey)
  const cosigned = checkpoint + lineOf(witness, Buffer.concat([time, signature]))
  t.same(
    openNote(cosigned, [witness, log.verifier]).signers.map(({ name }) => name),
    ['log.example/1', 'witness.example/w1']
  )
  const later = Buffer.from(time)
  later.writeBigUInt64BE(1_700_000_001n)
  const beyond = Buffer.from('8000000000000000', 'hex')
  const unending = sign(null, Buffer.from(`cosignature/v1\ntime ${beyond.readBigUInt64BE()}\n${text}`), privateKey)
  for (const wrong of [
    Buffer.concat([later, signature]),
    signature,
    Buffer.concat([time, signature, time]),
    Buffer.concat([beyond, unending])
  ]) {
    t.throws(() => openNote(checkpoint + lineOf(witness, wrong), [witness]), refusal)
  }
})

t.test(
  'checkpoints, proofs and requests to witnesses round-trip unchanged, and malformed ones are refused',
  async (t) => {
    const root = hashLeaf(Buffer.from('x'))
    const head = { origin: 'log.example/1', size: 109_482, root }
    t.same(readHead(headText(head)), head)
    t.same(readHead(`${headText(head)}extension\n`), head)
    const lines = headText(head)
    const malformed = ['', lines.slice(0, -1), lines.replace('109482', '0109482'), lines.replace('109482', '-1')]
    malformed.push(
      lines.replace('109482', '9007199254740993'),
      lines.replace('=', ''),
      lines.replace('log.example/1', '')
    )
    malformed.push(`${lines}\n`, `${lines}\nx\n`, lines.replace('109482', '1e5'))
    for (const text of malformed) t.throws(() => readHead(text), refusal, text)

    const proof = { index: 73_894, hashes: [root, EMPTY_ROOT], checkpoint: `${lines}\n— x y\n` }
    t.same(readProof(proofText(proof)), proof)
    t.same(readProof(proofText(proof).replace('\nindex', '\nextra YWJj\nindex')), proof)
    t.same(readProof(proofText({ ...proof, hashes: [] })), { ...proof, hashes: [] })
    const text = proofText(proof)
    for (const wrong of [
      '',
      text.replace('@v1', '@v2'),
      text.replace('index', 'at'),
      text.replace('73894', '073894')
    ]) {
      t.throws(() => readProof(wrong), refusal)
    }
    t.throws(() => readProof(text.replace(`${root.toString('base64')}\n`, 'AAAA\n')), /not a hash/)
    t.throws(() => readProof(proofText({ ...proof, hashes: Array(64).fill(root) })), /at most 63/)

    const request = { old: 0, hashes: [root], checkpoint: proof.checkpoint }
    t.same(readWitnessText(witnessText(request)), request)
    t.throws(() => readWitnessText(witnessText(request).replace('old', 'new')), refusal)
  }
)
