import { hash } from 'node:crypto'
import fc from 'fast-check'
import t from 'tap'
import { headText } from '../../audit/checkpoint.ts'
import { createSigner, readVerifier, signNote, verifierText } from '../../audit/note.ts'
import { isQuorum, openCheckpoint, readPolicy } from '../../audit/policy.ts'
import { EMPTY_ROOT } from '../../audit/tree.ts'
import { cosigner } from './cosigner.ts'

// Policies for verifiers (c2sp.org/tlog-policy).

const log = createSigner('log.example/1')
const logKey = verifierText(log.verifier)
const head = { origin: 'log.example/1', size: 0, root: EMPTY_ROOT }

type Witness = ReturnType<typeof cosigner>

const [x1, x2, x3, y1, y2, y3] = ['x1', 'x2', 'x3', 'y1', 'y2', 'y3'].map((name) => cosigner(`${name}.example`)) as [
  ...[Witness, Witness, Witness],
  ...[Witness, Witness, Witness]
]

/** The example in the specification. */
const example = `log ${logKey}

witness X1 ${x1.vkey}
witness X2 ${x2.vkey}
witness X3 ${x3.vkey}
group X-witnesses 2 X1 X2 X3

witness Y1 ${y1.vkey}
witness Y2 ${y2.vkey}
witness Y3 ${y3.vkey}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`

const read = (text: string) => readPolicy(Buffer.from(text))

const checkpoint = signNote(headText(head), [log])
const signedBy = (...witnesses: Witness[]) => checkpoint + witnesses.map((each) => each.cosign(headText(head))).join('')

t.test('the example in the specification requires two witnesses of one group and one of the other', async (t) => {
  const policy = read(example)
  t.same(
    policy.logs.map(({ verifier }) => verifierText(verifier)),
    [logKey]
  )
  t.same([...policy.witnesses.keys()], ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3'])
  const opened = openCheckpoint(signedBy(x1, x3, y2), policy)
  t.same(opened.head, head)
  t.same(opened.log.name, 'log.example/1')
  t.same(
    opened.witnesses.map(({ name }) => name),
    ['x1.example', 'x3.example', 'y2.example']
  )
  const names = ['X1', 'X2', 'X3', 'Y1', 'Y2', 'Y3']
  for (let chosen = 0; chosen < 64; chosen++) {
    const witnesses = names.filter((_, index) => chosen & (1 << index))
    const xs = witnesses.filter((name) => name.startsWith('X')).length
    t.equal(isQuorum(policy, witnesses), xs >= 2 && witnesses.length > xs, witnesses.join())
  }
})

t.test("a checkpoint needs its log's signature, its quorum, and only valid signatures", async (t) => {
  const policy = read(example)
  const refused = (note: string, message: RegExp) =>
    t.throws(() => openCheckpoint(note, policy), { name: 'NoteError', message })
  refused(signedBy(), /too few witnesses/)
  refused(signedBy(x1, y1, y2, y3), /too few witnesses/)
  refused(signedBy(x1, x1, y1), /too few witnesses/)
  refused(signedBy(cosigner('x2.example'), x1, y1), /too few witnesses/)
  const text = headText(head)
  refused(checkpoint + [x1, x2, y1].map((each) => each.cosign(`${text}more\n`)).join(''), /not valid/)
  refused(
    `${text}\n${[x1, x2, y1].map((each) => each.cosign(text)).join('')}`,
    /not signed by a known key of log.example\/1/
  )
  refused(signNote(text, [createSigner('log.example/1')]), /not signed by a known key/)
  const foreign = headText({ ...head, origin: 'log.example/2' })
  refused(
    signNote(foreign, [log]) + [x1, x2, y1].map((each) => each.cosign(foreign)).join(''),
    /not signed by a known key of log.example\/2/
  )
})

t.test('without witnesses the log signature is enough, and its key may come from elsewhere', async (t) => {
  t.same(openCheckpoint(checkpoint, read(`log ${logKey}\nquorum none\n`)).witnesses, [])
  const empty = read('quorum none\n')
  t.throws(() => openCheckpoint(checkpoint, empty), { name: 'NoteError', message: /not signed by a known key/ })
  t.same(openCheckpoint(checkpoint, empty, [log.verifier]).head, head)
  const one = read(`witness one ${x1.vkey}\nquorum one\n`)
  t.same(openCheckpoint(signedBy(x1), one, [log.verifier]).witnesses, [readVerifier(x1.vkey)])
  t.throws(() => openCheckpoint(signedBy(x2), one, [log.verifier]), /too few/)
})

t.test('spaces, comments, addresses and non-ASCII bytes are allowed', async (t) => {
  const lines = [
    '# a comment: é',
    ' \t # another one',
    '',
    ' \t',
    `\tlog\t${logKey} \t https://log.example/é `,
    `witness  Zürich ${x1.vkey} https://x1.example`,
    'quorum Zürich'
  ]
  const policy = read(`${lines.join('\n')}\n`)
  t.equal(policy.logs[0]?.url, 'https://log.example/é')
  t.equal([...policy.witnesses.values()][0]?.url, 'https://x1.example')
  t.same(openCheckpoint(signedBy(x1), policy).head, head)
  const kelvin = `witness \u212a ${x1.vkey}\nquorum K\n`
  t.throws(() => read(kelvin), /K is not defined on an earlier line/)
  const octets = (name: number) => Buffer.concat([Buffer.from(`witness a ${x1.vkey}\ngroup `), Buffer.of(name)])
  const policyOf = (name: number, quorum: number) =>
    readPolicy(Buffer.concat([octets(name), Buffer.from(' any a\nquorum '), Buffer.of(quorum, 10)]))
  t.equal(isQuorum(policyOf(0xfe, 0xfe), ['a']), true)
  t.throws(
    () => policyOf(0xfe, 0xff),
    /is not defined on an earlier line/,
    'different invalid UTF-8 bytes remain distinct'
  )
})

t.test('a malformed policy is refused with the line number', async (t) => {
  const [a, b] = [`witness a ${x1.vkey}`, `witness b ${x2.vkey}`]
  const wrong: [string[], RegExp][] = [
    [[], /has no quorum line/],
    [[a], /has no quorum line/],
    [['quorum none', 'quorum none'], /^line 2 .* only one quorum line/],
    [['quorum'], /^line 1 .* quorum NAME/],
    [['quorum a b'], /quorum NAME/],
    [['quorum a', a], /^line 1 .* a is not defined on an earlier line/],
    [['Quorum none'], /must begin with/],
    [['quorum none # comment'], /quorum NAME/],
    [['quorum none\r'], /control character/],
    [['quorum none\u007f'], /control character/],
    [['quorum\u00a0none'], /must begin with/],
    [['log'], /log KEY/],
    [[`log ${logKey} https://a https://b`], /log KEY/],
    [[`log ${x1.vkey}`], /not a log key/],
    [[`log ${logKey}`, `log ${logKey}`], /^line 2 .* another log has the same key/],
    [[`log ${logKey.slice(0, -4)}`], /not a verifier key/],
    [[`log ${logKey.replace('log.example', 'other')}`], /does not match the key/],
    [['witness a'], /witness NAME KEY/],
    [[`witness a ${x1.vkey} https://a b`], /witness NAME KEY/],
    [[`witness a ${logKey}`], /not a witness key/],
    [[`witness none ${x1.vkey}`], /none is already defined/],
    [[a, `witness a ${x2.vkey}`], /^line 2 .* a is already defined/],
    [[a, `witness b ${x1.vkey}`], /another witness has the same key/],
    [['group g any'], /group NAME/],
    [['group g any a', a], /^line 1 .* a is not defined on an earlier line/],
    [['group g any g'], /g is not defined on an earlier line/],
    [['group g any none'], /none is not defined on an earlier line/],
    [[a, 'group none any a'], /none is already defined/],
    [[a, 'group a any a'], /a is already defined/],
    [[a, 'group g any a a'], /a is already a member/],
    [[a, b, 'group g any a b', 'group h any a'], /^line 4 .* a is already a member/],
    ...['0', '3', '-1', '01', '1.0', '1e0', 'ALL', '9'.repeat(400)].map((count): [string[], RegExp] => [
      [a, b, `group g ${count} a b`],
      /^line 3 .* from 1 to 2/
    ])
  ]
  for (const [lines, message] of wrong) {
    const text = lines.map((line) => `${line}\n`).join('')
    t.throws(() => read(text), { name: 'PolicyError', message }, text)
  }
  t.throws(() => read(example.slice(0, -1)), /must end with a newline/)
  t.throws(() => read(''), /has no quorum line/)
  t.throws(() => readPolicy(Buffer.alloc(100_001, '#')), /at most 100000 bytes/)
  t.equal(read(`${'#'.repeat(99_987)}\nquorum none\n`).quorum, 'none')
})

t.test('a public key under another name is the same key', async (t) => {
  const bytes = Buffer.from(x1.vkey.split('+').slice(2).join('+'), 'base64')
  const id = hash('sha256', Buffer.concat([Buffer.from('other\n'), bytes])).slice(0, 8)
  const other = `other+${id}+${bytes.toString('base64')}`
  t.equal(read(`witness b ${other}\nquorum b\n`).witnesses.size, 1)
  t.throws(() => read(`witness a ${x1.vkey}\nwitness b ${other}\nquorum a\n`), /another witness has the same key/)
})

t.test('random bytes are either read or refused with a policy error', async (t) => {
  const words = ['log', 'witness', 'group', 'quorum', 'none', 'any', 'all', '2', 'a', 'b', logKey, x1.vkey, x2.vkey]
  const texts = fc.array(fc.oneof(fc.constantFrom(...words, ' ', ' ', ' ', '\n', '\n'), fc.string({ maxLength: 3 })))
  let read = 0
  const others: unknown[] = []
  fc.assert(
    fc.property(texts, (pieces) => {
      try {
        readPolicy(Buffer.from(pieces.join('')))
        read++
      } catch (error) {
        if (!(error instanceof Error) || error.name !== 'PolicyError') others.push(error)
      }
    }),
    { numRuns: 1000, examples: [[['quorum', ' ', 'none', '\n']]] }
  )
  t.same(others, [])
  t.ok(read > 0)
})
