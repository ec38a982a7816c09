import t, { type Test } from 'tap'
import { EntryError } from '../../audit/disclosure.ts'
import type { KeptLeaves } from '../../audit/kept.ts'
import { type LogLine, openLine, readLine } from '../../audit/line.ts'
import { createSigner, verifierText } from '../../audit/note.ts'
import { readPolicy } from '../../audit/policy.ts'
import { computeFrom, type LogSource, Unreadable } from '../../audit/source.ts'
import { pathOf } from '../../audit/tiles.ts'
import { consistencyProof, EMPTY_ROOT, isConsistent } from '../../audit/tree.ts'
import { type VerificationOptions, verifyLog } from '../../audit/verification.ts'
import { cosigner } from './cosigner.ts'
import { erase, filesOf, lineOf, noticeOf, type Record, recordOf, recordsOf } from './folders.ts'

// Verification of in-memory logs, including those changed by a database owner with or without the real key.

const signer = createSigner('graphstead.audit/test/1')
const pinned = { keys: [signer.verifier] }

type Files = Map<string, Buffer>

async function* linesIn(bytes: Buffer): AsyncGenerator<LogLine> {
  const lines = bytes.toString('latin1').split('\n').slice(0, -1)
  for (const line of lines) yield readLine(Buffer.from(line, 'latin1'))
}

function sourceOf(files: Files): LogSource {
  const lines = files.get('events.jsonl')
  return {
    checkpoint: async () => files.get('checkpoint')?.toString() ?? '',
    key: async () => files.get('key')?.toString(),
    tile: async (place) => files.get(pathOf(place)),
    bundle: async (place) => files.get(pathOf(place)),
    ...(lines && { lines: () => linesIn(lines) })
  }
}

const verify = (files: Files, options: VerificationOptions = {}) => verifyLog(sourceOf(files), options)

/** Checks that this message is the log's only contradiction. */
async function contradicts(t: Test, files: Files, index: number, message: string) {
  t.same((await verify(files, pinned)).contradictions, [{ evidence: 'log', index, message }], message)
}

/** Returns the files with these changes; undefined removes a file. */
function changed(files: Files, changes: { [path: string]: Buffer | undefined }): Files {
  const all = new Map(files)
  for (const [path, bytes] of Object.entries(changes)) {
    if (bytes) all.set(path, bytes)
    else all.delete(path)
  }
  return all
}

/** Returns the bytes with one bit of the byte at this offset flipped. */
function flipped(bytes: Buffer | undefined, at: number): Buffer {
  const copy = Buffer.from(bytes ?? Buffer.alloc(0))
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

const keptCheckpoint = (records: readonly Record[]) => ({
  name: 'checkpoint',
  checkpoint: filesOf(records, { signer }).get('checkpoint')?.toString() ?? ''
})
const keptLines = (records: readonly Record[], from = 0) => ({
  name: 'export',
  lines: () => linesIn(Buffer.from(records.map(lineOf).slice(from).join('')))
})
const keptTiles = (records: readonly Record[]) => {
  const files = filesOf(records, { signer })
  async function* leaves(): AsyncGenerator<KeptLeaves> {
    for (let index = 0; index * 256 < records.length; index++) {
      const width = Math.min(256, records.length - index * 256)
      yield { index: index * 256, hashes: files.get(pathOf({ level: 0, index, width })) ?? Buffer.alloc(0) }
    }
  }
  return { name: 'folder', checkpoint: files.get('checkpoint')?.toString() ?? '', leaves }
}

const records = recordsOf(700)
const honest = filesOf(records, { signer })

t.test('a log is consistent if a key is pinned and evidence was kept, and sound otherwise', async (t) => {
  const kept = [keptCheckpoint(records.slice(0, 300)), keptTiles(records.slice(0, 400)), keptLines(records, 690)]
  const all = await verify(honest, { ...pinned, kept })
  t.same(all, {
    outcome: 'consistent',
    contradictions: [],
    origin: 'graphstead.audit/test/1',
    size: 700,
    root: honest.get('checkpoint')?.toString().split('\n')[2],
    looked: 700,
    key: verifierText(signer.verifier),
    isPinned: true,
    witnesses: [],
    kept: [
      { name: 'checkpoint', entries: 300, signed: true },
      { name: 'folder', entries: 400, signed: true },
      { name: 'export', entries: 10 }
    ],
    shown: 700,
    erased: { parts: 0, events: 0, uncovered: 0 },
    pruned: { entries: 0, uncovered: 0 }
  })
  const bare = changed(honest, { key: undefined, 'events.jsonl': undefined })
  const { shown, erased, key, ...others } = { shown: 0, erased: 0, key: '', ...all }
  t.same(await verify(bare), {
    ...others,
    outcome: 'sound',
    isPinned: false,
    kept: [],
    pruned: { entries: 0, uncovered: 0 }
  })
  const outcomes: [VerificationOptions, string, boolean][] = [
    [{}, 'sound', false],
    [pinned, 'sound', true],
    [{ kept }, 'sound', false],
    [{ ...pinned, kept: [keptCheckpoint([])] }, 'sound', true]
  ]
  for (const [options, outcome, isPinned] of outcomes) {
    const result = await verify(honest, options)
    t.same([result.outcome, result.isPinned, result.contradictions], [outcome, isPinned, []])
  }
})

t.test('logs of all sizes around tile boundaries are sound, including the empty one', async (t) => {
  for (const size of [0, 1, 2, 255, 256, 257, 511, 512, 513]) {
    const progress: number[] = []
    const files = filesOf(records.slice(0, size), { signer })
    const result = await verify(files, { ...pinned, onProgress: (done) => progress.push(done) })
    t.same([result.outcome, result.looked, result.shown], ['sound', size, size], `size ${size}`)
    t.equal(progress.at(-1) ?? 0, size)
  }
  t.equal((await verify(filesOf([], { signer }))).root, EMPTY_ROOT.toString('base64'))
})

/** Attacks by a database owner: the forged events, and the first index that differs. */
const attacks: [name: string, forged: Record[], firstIndex: number][] = [
  ['edit', records.with(300, recordOf(301, { principal: 'eve' })), 300],
  ['delete', records.toSpliced(300, 1), 300],
  ['insert', records.toSpliced(300, 0, recordOf(301, { principal: 'eve' })), 300],
  ['swap', records.with(300, records[301] as Record).with(301, records[300] as Record), 300],
  ['truncate', records.slice(0, 650), 650],
  ['recompute', recordsOf(700).map(({ event }) => recordOf(event.id, { outcome: 'FAILURE' })), 0]
]

t.test('an owner who rewrites the log with the real key contradicts only the kept evidence', async (t) => {
  for (const [name, forged, firstIndex] of attacks) {
    const files = filesOf(forged, { signer })
    t.equal((await verify(files, pinned)).outcome, 'sound', `${name}, nothing kept`)
    const byCheckpoint = await verify(files, { ...pinned, kept: [keptCheckpoint(records)] })
    const message =
      forged.length < 700
        ? `the log has ${forged.length} entries, but the kept checkpoint had 700`
        : 'one of the first 700 entries has changed since this checkpoint'
    t.same(
      [byCheckpoint.outcome, byCheckpoint.firstIndex, byCheckpoint.contradictions],
      ['contradiction', undefined, [{ evidence: 'checkpoint', within: 700, message }]],
      `${name}, a checkpoint kept`
    )
    for (const kept of [keptTiles(records), keptLines(records)]) {
      const result = await verify(files, { ...pinned, kept: [kept] })
      t.same([result.outcome, result.firstIndex], ['contradiction', firstIndex], `${name}, ${kept.name} kept`)
      t.equal(result.contradictions.length, 1)
    }
    const kept = [keptCheckpoint(forged), keptCheckpoint(records.slice(0, 300))]
    const older = await verify(files, { ...pinned, kept })
    const outcome = name === 'recompute' ? 'contradiction' : 'consistent'
    t.equal(older.outcome, outcome, `${name}, an older checkpoint listed after a newer one`)
  }
})

t.test('an index is reported in place of a checkpoint if both contradict the log', async (t) => {
  const files = filesOf(attacks[0]?.[1] ?? [], { signer })
  const { contradictions } = await verify(files, { ...pinned, kept: [keptTiles(records.slice(0, 400))] })
  t.same(contradictions, [{ evidence: 'folder', index: 300, message: 'entry 300 differs from the kept entry' }])
})

t.test("an owner without the key contradicts the log's own checkpoint", async (t) => {
  for (const [name, forged] of attacks) {
    const files = changed(filesOf(forged, { signer }), { checkpoint: honest.get('checkpoint') })
    const result = await verify(files)
    t.equal(result.outcome, 'contradiction', name)
  }
  const stranger = filesOf(records, { signer: createSigner(signer.verifier.name) })
  const signed = await verify(stranger, { ...pinned, kept: [keptTiles(records)] })
  t.same(signed.contradictions, [
    { evidence: 'log', message: 'the checkpoint of graphstead.audit/test/1: not signed by a known key' }
  ])
  t.same([signed.looked, signed.key, signed.isPinned], [700, undefined, false])
  t.equal((await verify(stranger)).outcome, 'sound', 'the log is sound under its own key')
})

t.test('a changed log file is reported with the first affected entry', async (t) => {
  const leaves = pathOf({ level: 0, index: 1, width: 256 })
  const bundle = pathOf({ level: 'entries', index: 1, width: 256 })
  const edge = pathOf({ level: 1, index: 0, width: 2 })
  const entry = records[256]?.bytes.length ?? 0
  const second = 2 + entry + 2 + (records[257]?.bytes.length ?? 0)
  const whole = honest.get(bundle) ?? Buffer.alloc(0)
  const swapped = Buffer.concat([
    whole.subarray(2 + entry, second),
    whole.subarray(0, 2 + entry),
    whole.subarray(second)
  ])
  const tile = (index: number) => `the hash of entry ${index} differs from its tile`
  const cases: [string, Buffer | undefined, number, string][] = [
    [leaves, flipped(honest.get(leaves), 32 * 7), 263, tile(263)],
    [leaves, undefined, 256, 'the tile that starts at entry 256 is missing'],
    [leaves, honest.get(leaves)?.subarray(1), 256, 'the tile that starts at entry 256 has 8191 bytes instead of 8192'],
    [bundle, flipped(honest.get(bundle), 2 + entry + 2 + 20), 257, tile(257)],
    [bundle, swapped, 256, tile(256)],
    [bundle, undefined, 256, 'the entries from 256 on are missing, although older ones exist'],
    [bundle, honest.get(bundle)?.subarray(0, -1), 256, 'the entries from 256 on: the bundle is truncated in entry 255'],
    [bundle, honest.get(bundle)?.subarray(0, 2 + entry), 257, 'the bundle from 256 on has 1 entries instead of 256'],
    [edge, flipped(honest.get(edge), 40), 256, 'tile 0 of level 1 has been altered, from entry 256 on'],
    [edge, undefined, 0, 'tile 0 of level 1 is missing, from entry 0 on'],
    [edge, Buffer.alloc(65), 0, 'tile 0 of level 1 has the wrong length, from entry 0 on']
  ]
  for (const [path, bytes, index, message] of cases) {
    const { outcome, firstIndex, contradictions } = await verify(changed(honest, { [path]: bytes }), pinned)
    t.same([outcome, firstIndex], ['contradiction', index], message)
    t.same(contradictions[0], { evidence: 'log', index, message })
  }
  const neither = await verify(changed(honest, { [leaves]: undefined, [bundle]: undefined }), pinned)
  t.same([neither.looked, neither.firstIndex], [256, 256])
  const partial = pathOf({ level: 0, index: 2, width: 188 })
  const grown = changed(honest, {
    [partial]: undefined,
    [pathOf({ level: 0, index: 2, width: 256 })]: Buffer.alloc(8192)
  })
  t.equal((await verify(grown)).firstIndex, 512, 'a full tile replaces a partial one')
})

t.test('a full tile of a higher level is compared too', async (t) => {
  const many = recordsOf(256)
  const files = filesOf(
    Array.from({ length: 257 * 256 }, (_, index) => many[index % 256] as Record),
    { signer }
  )
  const bare = changed(files, { 'events.jsonl': undefined })
  t.equal((await verify(bare)).outcome, 'sound')
  const path = pathOf({ level: 1, index: 0, width: 256 })
  const forged = changed(bare, { [path]: flipped(bare.get(path), 32 * 3 + 31) })
  await contradicts(t, forged, 768, 'tile 0 of level 1 has been altered, from entry 768 on')
})

t.test('a line whose entry, disclosure or event does not match the tree is refused', async (t) => {
  const line = (index: number) => JSON.parse(lineOf(records[index] as Record, index))
  const withLine = (index: number, value: unknown) => {
    const lines = records.map(lineOf)
    lines[index] = value === undefined ? '' : `${typeof value === 'string' ? value : JSON.stringify(value)}\n`
    return changed(honest, { 'events.jsonl': Buffer.from(lines.join('')) })
  }
  const good = line(300)
  const other = line(301)
  const eve = JSON.parse(lineOf(recordOf(301, { principal: 'eve' }), 300))
  const differs = 'the event differs from its disclosures'
  const events: [string, unknown][] = [
    ['principal', 'eve'],
    ['timestamp', '2020-01-01T00:00:00.000Z'],
    ['outcome', 'DENIED'],
    ['data', {}],
    ['request', null],
    ['target', { ...good.event.target, name: 'X' }],
    ['target', { ...good.event.target, version: 3 }],
    ['more', 1],
    ['principal', undefined]
  ]
  const cases: [unknown, string][] = [
    ...events.map(([name, value]): [unknown, string] => [
      { ...good, event: { ...good.event, [name]: value } },
      differs
    ]),
    [eve, ' differs from the tree'],
    [{ ...good, disclosures: other.disclosures }, 'the disclosure does not belong to this entry'],
    [
      { ...good, disclosures: { ...good.disclosures, principal: good.disclosures.request } },
      'the disclosure does not show principal'
    ],
    [{ ...good, disclosures: { ...good.disclosures, id: 'x' } }, 'the disclosures are malformed'],
    [{ ...good, disclosures: null }, 'the disclosures or the event is missing'],
    [{ ...good, entry: 1 }, 'the entry is missing'],
    [{ ...good, index: -1 }, 'the index is missing'],
    ['{', 'not valid JSON'],
    ['[]', 'the index is missing'],
    [{ ...good, index: 299 }, 'the lines are not ordered by index']
  ]
  for (const [value, words] of cases) {
    const message = words.startsWith(' ')
      ? `the entry in the line of entry 300${words}`
      : `the line of entry 300: ${words}`
    await contradicts(t, withLine(300, value), 300, message)
  }
  for (const index of [300, 699])
    await contradicts(t, withLine(index, undefined), index, `the line of entry ${index} is missing`)
  const longer = changed(honest, {
    'events.jsonl': Buffer.concat([honest.get('events.jsonl') as Buffer, Buffer.from(lineOf(recordOf(701), 700))])
  })
  await contradicts(t, longer, 700, 'the log has 700 entries, but there is a line for entry 700')
  t.throws(() => readLine(Buffer.of(0x7b, 0xff, 0x7d)), { name: 'EntryError', message: 'not valid UTF-8' })
})

const told = {
  ...{ parts: '3', events: '2', reason: 'asked for' },
  ...{ 'ids.principal': '3-5', 'ids.request': '5', 'ids.details': '1,9' }
}

/** Returns a log with three parts erased from events 5 and 9, followed by an erasure event with this data. */
function erasedLog(data: { [name: string]: string } | undefined, more: (records: Record[]) => Record[] = (all) => all) {
  const parts = recordsOf(300)
  parts[4] = erase(parts[4] as Record, ['principal', 'request'])
  parts[8] = erase(parts[8] as Record, ['details'])
  const notices = data ? [noticeOf(301, 'AUDIT_ERASED', data)] : []
  return filesOf(more([...parts, ...notices]), { signer })
}

t.test('erased parts leave every proof unchanged, and an event in the log accounts for them', async (t) => {
  const before = [...recordsOf(300), noticeOf(301, 'AUDIT_ERASED', told)]
  const kept = [keptCheckpoint(before), keptTiles(before), keptLines(before)]
  const result = await verify(erasedLog(told), { ...pinned, kept })
  t.equal(result.outcome, 'consistent', 'exports from before the erasure still verify')
  t.same(result.erased, { parts: 3, events: 2, uncovered: 0 })
  const cases: [{ [name: string]: string } | undefined, number, number][] = [
    [undefined, 3, 4],
    [{ ...told, 'ids.details': '1,5,10-12' }, 1, 8],
    [{ ...told, 'ids.details': '10-8' }, 1, 8],
    [{ ...told, 'ids.principal': '3-4,6-7' }, 1, 4],
    [{ ...told, 'ids.request': '' }, 1, 4],
    [{ ...told, 'ids.request': '5-', 'ids.principal': '-5' }, 2, 4],
    [{ ...told, 'ids.request': 'all', 'ids.principal': '1-99999999999999999', 'ids.details': '9.0' }, 3, 4]
  ]
  for (const [data, uncovered, firstIndex] of cases) {
    const { outcome, erased, contradictions } = await verify(erasedLog(data), pinned)
    t.same([outcome, erased], ['contradiction', { parts: 3, events: 2, uncovered }])
    const message = `parts of events erased without an AUDIT_ERASED event in the tree: ${uncovered}`
    t.same(contradictions, [{ evidence: 'log', message, index: firstIndex }])
  }
  const later = erasedLog({ 'ids.details': '1-9007199254740991' }, (all) => [...all, erase(recordOf(302), ['details'])])
  t.same(
    (await verify(later)).erased,
    { parts: 4, events: 3, uncovered: 3 },
    'an event does not account for later erasures'
  )
  const failed = erasedLog(told, (all) =>
    all.with(300, recordOf(301, { type: 'AUDIT_ERASED', outcome: 'FAILURE', data: told }))
  )
  t.equal((await verify(failed)).outcome, 'contradiction', 'a failed attempt accounts for nothing')
  const twice = erasedLog({ 'ids.principal': '5', 'ids.request': '5' }, (all) => [
    ...all,
    noticeOf(302, 'AUDIT_ERASED', { 'ids.details': '9' })
  ])
  t.same((await verify(twice)).erased, { parts: 3, events: 2, uncovered: 0 }, 'several erasures add up')
})

t.test('an event must be blank where parts are erased', async (t) => {
  const [record] = recordsOf(1) as [Record]
  const bare = JSON.parse(lineOf(erase(record, ['details', 'principal', 'request']), 0))
  const open = (event: object) => openLine({ ...bare, entry: Buffer.from(bare.entry), event })
  t.same(Object.keys(bare.event), ['id', 'timestamp', 'type', 'outcome', 'target'])
  const blank = { ...bare.event, principal: '', request: null, data: {}, target: { ...bare.event.target, name: '' } }
  for (const event of [bare.event, blank]) t.equal(open(event).id, 1)
  for (const wrong of [
    { principal: 'ada' },
    { request: {} },
    { data: { a: '1' } },
    { target: { ...bare.event.target, name: 'X' } },
    { target: { ...bare.event.target, id: 2 } },
    { target: null }
  ]) {
    t.throws(() => open({ ...blank, ...wrong }), { name: 'EntryError', message: /differs/ })
  }
  const untargeted = readLine(Buffer.from(lineOf(noticeOf(1, 'SERVER_STARTED', {}), 0)))
  t.same(Object.keys(openLine(untargeted)), ['id', 'time', 'type', 'outcome', 'data', 'name', 'principal', 'request'])
  t.throws(() => openLine({ ...untargeted, event: { ...(untargeted.event as object), target: {} } }), EntryError)
})

t.test('pruned entries leave old checkpoints consistent, and an event in the log accounts for them', async (t) => {
  const pruned = [...recordsOf(700), noticeOf(701, 'AUDIT_PRUNED', { firstIndex: '512' })]
  const kept = [keptCheckpoint(records.slice(0, 100)), keptTiles(records.slice(0, 600)), keptLines(records)]
  const result = await verify(filesOf(pruned, { signer, firstIndex: 512 }), { ...pinned, kept })
  t.equal(result.outcome, 'consistent')
  t.same([result.pruned, result.shown, result.looked], [{ entries: 512, uncovered: 0 }, 189, 701])
  const forged = filesOf(pruned.with(7, recordOf(8, { principal: 'eve' })), { signer, firstIndex: 512 })
  t.equal((await verify(forged, { ...pinned, kept: [keptTiles(records)] })).firstIndex, 7)
  const less = [...recordsOf(700), noticeOf(701, 'AUDIT_PRUNED', { firstIndex: '256' })]
  const message = 'the entries from 256 to 511 are missing, but no AUDIT_PRUNED event in the tree records their removal'
  await contradicts(t, filesOf(less, { signer, firstIndex: 512 }), 256, message)
  const silent = await verify(filesOf(recordsOf(700), { signer, firstIndex: 256 }))
  t.same([silent.outcome, silent.pruned], ['contradiction', { entries: 256, uncovered: 256 }])
  const withoutLines = (all: Record[]) =>
    changed(filesOf(all, { signer, firstIndex: 256 }), { 'events.jsonl': undefined })
  t.same(
    (await verify(withoutLines(less))).pruned,
    { entries: 256 },
    'only events show how many pruned entries are accounted for'
  )
  t.same((await verify(withoutLines(records))).contradictions.length, 1)
  const pretended = records.with(600, recordOf(601, { type: '"AUDIT_PRUNED"' }))
  t.equal((await verify(withoutLines(pretended))).outcome, 'contradiction')
})

t.test(
  'a checkpoint from an older epoch is compared with the tree, and must be signed by its key if that is pinned',
  async (t) => {
    const older = createSigner('graphstead.audit/test/0')
    const checkpoint = filesOf(records.slice(0, 300), { signer: older }).get('checkpoint')?.toString() ?? ''
    const kept = [{ name: 'old', checkpoint }]
    const unsigned = await verify(honest, { ...pinned, kept })
    t.same([unsigned.outcome, unsigned.kept], ['consistent', [{ name: 'old', entries: 300, signed: false }]])
    const both = await verify(honest, { keys: [signer.verifier, older.verifier], kept })
    t.same([both.outcome, both.kept], ['consistent', [{ name: 'old', entries: 300, signed: true }]])
    const stranger = createSigner('graphstead.audit/test/0').verifier
    await t.rejects(verify(honest, { keys: [signer.verifier, stranger], kept }), {
      name: 'Unreadable',
      message: 'old: not signed by a known key'
    })
    const longer = filesOf(recordsOf(701), { signer: older }).get('checkpoint')?.toString() ?? ''
    const missing = await verify(honest, { ...pinned, kept: [{ name: 'old', checkpoint: longer }] })
    t.same(missing.contradictions, [
      { evidence: 'old', within: 701, message: 'the log has 700 entries, but the kept checkpoint had 701' }
    ])
  }
)

t.test('damaged evidence is not held against the log', async (t) => {
  const { leaves, ...others } = keptTiles(records.slice(0, 300))
  async function* damaged() {
    for await (const { index, hashes } of leaves()) yield { index, hashes: flipped(Buffer.from(hashes), 5) }
  }
  const rejected = async (kept: object, message: string) =>
    t.rejects(verify(honest, { ...pinned, kept: [{ name: 'k', ...kept }] }), { name: 'Unreadable', message })
  await rejected({ checkpoint: others.checkpoint, leaves: damaged }, 'k: its tiles contradict its own checkpoint')
  await rejected({ checkpoint: 'nothing' }, 'k: not a signed note')
  const text = others.checkpoint.replace('300', '3000')
  await rejected({ checkpoint: text }, 'k: the signature of graphstead.audit/test/1 is not valid')
  const turned = Buffer.from(records.map(lineOf).slice(0, 2).reverse().join(''))
  await rejected({ lines: () => linesIn(turned) }, 'k: the lines are not ordered by index')
  await rejected({ lines: () => linesIn(Buffer.from('{}\n')) }, 'k: the index is missing')
  const altered = JSON.parse(lineOf(records[3] as Record, 3))
  altered.event.principal = 'eve'
  const lines = () => linesIn(Buffer.from(`${JSON.stringify(altered)}\n`))
  const result = await verify(honest, { ...pinned, kept: [{ name: 'k', lines }] })
  const words = 'the line of entry 3 has been altered: the event differs from its disclosures'
  t.same(
    result.contradictions,
    [{ evidence: 'k', index: 3, message: words }],
    'a line that contradicts itself is reported'
  )
})

t.test('a policy requires its witnesses, and may name the log', async (t) => {
  const { vkey, cosign: cosignatures } = cosigner('w.example')
  const cosigned = filesOf(records, { signer, cosignatures })
  const policy = (...lines: string[]) => readPolicy(Buffer.from(lines.map((line) => `${line}\n`).join('')))
  const log = `log ${verifierText(signer.verifier)}`
  const one = [`witness w ${vkey}`, 'quorum w']
  const kept = [keptCheckpoint(records)]
  const result = await verify(cosigned, { policy: policy(log, ...one), kept })
  t.same([result.outcome, result.isPinned, result.witnesses], ['consistent', true, ['w.example']])
  t.equal((await verify(cosigned, { policy: policy(...one), kept })).outcome, 'sound', 'the policy pins no log')
  t.equal((await verify(cosigned, { ...pinned, policy: policy(...one), kept })).outcome, 'consistent')
  const lacking = await verify(honest, { policy: policy(log, ...one), kept })
  t.same(lacking.contradictions, [
    {
      evidence: 'log',
      message:
        'the checkpoint of graphstead.audit/test/1: too few witnesses have signed the checkpoint to meet the policy'
    }
  ])
  const stranger = policy(`log ${verifierText(createSigner('x').verifier)}`, 'quorum none')
  t.equal((await verify(cosigned, { policy: stranger })).outcome, 'contradiction')
})

t.test('a malformed checkpoint or key is a contradiction, and a failing source yields no result', async (t) => {
  const none = await verify(changed(honest, { checkpoint: Buffer.from('nothing') }), pinned)
  t.same([none.outcome, none.looked, none.origin], ['contradiction', 0, ''])
  t.same(none.contradictions, [{ evidence: 'log', message: 'the checkpoint: not a signed note' }])
  const key = await verify(changed(honest, { key: Buffer.from('x') }))
  t.match(key.contradictions[0]?.message, /not a verifier key/)
  const failing = { ...sourceOf(honest), tile: () => Promise.reject(new Unreadable('broken')) }
  await t.rejects(verifyLog(failing), { name: 'Unreadable', message: 'broken' })
  const counting = { ...sourceOf(honest), pending: async (size: number, firstIndex: number) => size + firstIndex + 3 }
  t.equal((await verifyLog(counting)).pending, 703)
})

t.test('proofs need only a few tiles', async (t: Test) => {
  const source = sourceOf(honest)
  const asked: string[] = []
  const tile: LogSource['tile'] = (place) => {
    asked.push(pathOf(place))
    return source.tile(place)
  }
  const proof = await computeFrom({ tile }, 700, (hashes) => consistencyProof(300, 700, hashes))
  const rootAt = async (size: number) =>
    Buffer.from((await verify(filesOf(records.slice(0, size), { signer }))).root, 'base64')
  t.equal(isConsistent(300, await rootAt(300), 700, await rootAt(700), proof), true)
  t.equal(new Set(asked).size, asked.length)
  t.ok(asked.length <= 4, asked.join())
  await t.rejects(
    computeFrom({ tile: async () => undefined }, 700, (hashes) => consistencyProof(300, 700, hashes)),
    { name: 'Unreadable', message: /^tile \d of level \d is missing$/ }
  )
})
