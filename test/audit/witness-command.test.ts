import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { readHead, readWitnessText, type TreeHead } from '../../audit/checkpoint.ts'
import { createSigner, NoteError, openNote, verifierText } from '../../audit/note.ts'
import { isConsistent } from '../../audit/tree.ts'
import { only } from '../support/engine.ts'
import { listenOn } from '../support/listening.ts'
import { run } from '../support/program.ts'
import { cosigner } from './cosigner.ts'
import { filesOf, recordOf, recordsOf, writeFiles } from './folders.ts'

// graphstead audit witness, with a small witness (c2sp.org/tlog-witness) on a socket.

const sqlite = only('SQLite', 'it needs no database')

const signer = createSigner('graphstead.audit/test/1')
const records = recordsOf(700)

const own = cosigner('witness.example/w1')

/** Starts a witness that trusts the key of the log. `answer` may handle a request first. */
async function listen(
  t: Test,
  {
    answer,
    logs = [signer.verifier]
  }: { answer?: (response: ServerResponse) => unknown; logs?: (typeof signer.verifier)[] } = {}
) {
  let seen: Omit<TreeHead, 'origin'> = { size: 0, root: Buffer.alloc(0) }
  const requests: [method: string, path: string, token: string | undefined, old: number, hashes: number][] = []
  const server = createServer(async (request, response) => {
    const { old, hashes, checkpoint } = readWitnessText(await text(request))
    const { method = '', url = '', headers } = request
    requests.push([method, url, headers.authorization, old, hashes.length])
    if (answer) return answer(response)
    const head = readHead(checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1))
    const known = logs.filter(({ name }) => name === head.origin)
    if (known.length === 0) return response.writeHead(404).end()
    try {
      const { text: note } = openNote(checkpoint, known)
      if (old !== seen.size)
        return response.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${seen.size}\n`)
      if (old > 0 && !isConsistent(old, seen.root, head.size, head.root, hashes)) return response.writeHead(422).end()
      seen = head
      return response.end(own.cosign(note))
    } catch (error) {
      if (!(error instanceof NoteError)) throw error
      return response.writeHead(403).end()
    }
  })
  return { url: `${await listenOn(t, server)}/submit`, requests }
}

const witness = (url: string, ...args: string[]) =>
  run(['audit', 'witness', url, ...args], { GRAPHSTEAD_TOKEN: 'gst_000000000000000000000000000000abcdef' })

t.test('a witness signs a log and its extensions, and a policy accepts its signature', sqlite, async (t) => {
  const folder = t.testdir({})
  const { url, requests } = await listen(t)
  for (const size of [300, 512, 700, 700]) {
    const log = writeFiles(join(folder, String(size)), filesOf(records.slice(0, size), { signer }))
    const checkpoint = readFileSync(join(log, 'checkpoint'), 'utf8')
    const note = checkpoint.slice(0, checkpoint.indexOf('\n\n') + 1)
    const { code, stdout, stderr } = await witness(url, '--vkey', own.vkey, '--from', log)
    t.same([code, stderr, stdout], [0, '', checkpoint + own.cosign(note)])
    writeFileSync(join(log, 'checkpoint'), stdout)
  }
  const post = ['POST', '/submit/add-checkpoint', undefined] as const
  t.same(requests, [
    [...post, 0, 0],
    [...post, 0, 0],
    [...post, 300, 8],
    [...post, 0, 0],
    [...post, 512, 1],
    [...post, 0, 0],
    [...post, 700, 0]
  ])
  const log = join(folder, '700')
  const key = verifierText(signer.verifier)
  writeFileSync(join(folder, 'policy'), `log ${key}\nwitness w ${own.vkey}\nquorum w\n`)
  const verify = (at: string) =>
    run(['audit', 'verify', at, '--policy', join(folder, 'policy'), '--kept', join(folder, '300/checkpoint')])
  const signed = await verify(log)
  t.equal(signed.code, 0)
  t.match(signed.stdout, `Signed by the pinned key ${key}. Witnesses: witness.example/w1.`)
  const unsigned = await verify(writeFiles(join(folder, 'unsigned'), filesOf(records, { signer })))
  t.equal(unsigned.code, 1)
  t.match(unsigned.stdout, /too few witnesses have signed the checkpoint to meet the policy/)
})

t.test('a witness that has seen another history does not sign', sqlite, async (t) => {
  const folder = t.testdir({})
  const { url } = await listen(t)
  const submit = async (name: string, all: typeof records) => {
    const log = writeFiles(join(folder, name), filesOf(all, { signer }))
    return witness(url, '--vkey', own.vkey, '--from', log)
  }
  t.equal((await submit('first', records.slice(0, 400))).code, 0)
  const refused = (words: string) => ({ code: 1, stdout: '', stderr: `graphstead audit witness: ${words}\n` })
  t.same(
    await submit('forked', records.with(100, recordOf(101, { principal: 'eve' }))),
    refused('the witness rejected the proof: the log does not extend the last checkpoint it saw')
  )
  t.same(
    await submit('shorter', records.slice(0, 399)),
    refused(
      'the witness has seen 400 entries of this log, which has 399: entries are missing, or this is an older copy'
    )
  )
  t.equal((await submit('longer', records)).code, 0)
})

t.test('refusals and invalid responses from a witness are explained', sqlite, async (t) => {
  const log = writeFiles(join(t.testdir({}), 'log'), filesOf(records.slice(0, 3), { signer }))
  const note = readFileSync(join(log, 'checkpoint'), 'utf8').split('\n\n')[0]
  const submit = (url: string) => witness(url, '--vkey', own.vkey, '--from', log)
  const stranger = cosigner('witness.example/w1')
  const answering = (status: number, body: string | Buffer = '') => ({
    answer: (response: ServerResponse) => response.writeHead(status).end(body)
  })
  const invalid = 'the response from the witness is not a valid signature: '
  const cases: [Parameters<typeof listen>[1], string][] = [
    [
      { logs: [createSigner(signer.verifier.name).verifier] },
      'the witness does not trust the key of the checkpoint: register the key of this log with the witness'
    ],
    [{ logs: [] }, 'the witness does not know this log: register its origin and key with it'],
    [answering(400), 'the witness cannot read the request'],
    [answering(418, '\u001b[2J'), 'the witness responded with 418'],
    [answering(409, 'x'), 'the witness did not report the size it last saw'],
    [answering(409, '3\n'), 'the witness has seen another checkpoint in the meantime: try again'],
    [answering(409, '2'.repeat(200_000)), 'the witness did not report the size it last saw'],
    [answering(200), 'the response from the witness has no signature by witness.example/w1'],
    [answering(200, stranger.cosign(`${note}\n`)), `${invalid}not signed by a known key`],
    [answering(200, own.cosign(`${note}x\n`)), `${invalid}the signature of witness.example/w1 is not valid`],
    [answering(200, own.cosign(`${note}\n`, 2n ** 63n)), `${invalid}the signature of witness.example/w1 is not valid`],
    [
      answering(200, Buffer.alloc(2_000_000, 'x')),
      'the response from the witness has no signature by witness.example/w1'
    ],
    [answering(200, '— witness.example/w1 x\n'), `${invalid}a line of the note is not a signature`]
  ]
  for (const [options, words] of cases) {
    const { url } = await listen(t, options)
    t.same(await submit(url), { code: 1, stdout: '', stderr: `graphstead audit witness: ${words}\n` }, words)
  }
  const cosignature = own.cosign(`${note}\n`)
  const { url } = await listen(t, { answer: (response) => response.end(`noise\n${cosignature}`) })
  const stdout = readFileSync(join(log, 'checkpoint'), 'utf8') + cosignature
  t.same(await submit(url), { code: 0, stdout, stderr: '' }, 'only the signature of the witness is accepted')
})

t.test('invalid arguments of witness are reported', sqlite, async (t) => {
  const log = writeFiles(join(t.testdir({}), 'log'), filesOf(records.slice(0, 3), { signer }))
  const url = 'http://127.0.0.1:1'
  const hint = '; see graphstead audit witness --help'
  const cases: [string[], string][] = [
    [[], `the address of the witness is missing${hint}`],
    [[url, '--from', log], `--vkey is missing${hint}`],
    [[url, '--vkey', own.vkey], `specify a folder, a server, --data or --database${hint}`],
    [[url, 'x', '--vkey', own.vkey], `too many arguments: x${hint}`],
    [
      ['ftp://x', '--vkey', own.vkey],
      `the address of the witness must be a URL such as https://graphs.example.org${hint}`
    ],
    [[url, '--from', log, '--vkey', verifierText(signer.verifier)], `--vkey: the key has the wrong type${hint}`],
    [[url, '--from', join(log, 'none'), '--vkey', own.vkey], `${log}/none/checkpoint does not exist`]
  ]
  for (const [args, words] of cases) {
    const stderr = `graphstead audit witness: ${words}\n`
    t.same(await run(['audit', 'witness', ...args]), { code: 2, stdout: '', stderr }, args.join(' '))
  }
  writeFileSync(join(log, 'checkpoint'), 'x')
  const none = await run(['audit', 'witness', url, '--from', log, '--vkey', own.vkey])
  t.same(none, { code: 2, stdout: '', stderr: 'graphstead audit witness: the log: not a signed note\n' })
})
