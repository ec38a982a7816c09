import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createSigner, verifierText } from '../../audit/note.ts'
import { only } from '../support/engine.ts'
import { listenOn } from '../support/listening.ts'
import { run } from '../support/program.ts'
import { erase, filesOf, noticeOf, type Record, recordOf, recordsOf, writeFiles } from './folders.ts'

// graphstead audit verify, on folders and servers, with honest and forged events.

const sqlite = only('SQLite', 'it needs no database')

const signer = createSigner('graphstead.audit/test/1')
const key = verifierText(signer.verifier)
const records = recordsOf(300)
const honest = filesOf(records, { signer })
const root = (files: Map<string, Buffer>) => files.get('checkpoint')?.toString().split('\n')[2]

/** A folder with the honest log, and a kept folder from before its last 100 events. */
function prepare(t: Test) {
  const folder = t.testdir({})
  const before = filesOf(records.slice(0, 200), { signer })
  const kept = writeFiles(join(folder, 'kept'), before)
  const log = writeFiles(join(folder, 'log'), honest)
  return { folder, log, kept, lines: join(kept, 'events.jsonl'), checkpoint: join(kept, 'checkpoint') }
}

const verify = (...args: string[]) => run(['audit', 'verify', ...args])

t.test('a folder is consistent with a pinned key and kept evidence, and sound without them', sqlite, async (t) => {
  const { log, kept, lines, checkpoint } = prepare(t)
  const tail = [
    'Compared 300 events with their entries.',
    'Nothing was erased.',
    'Nothing was pruned.',
    'The number of events that are not in the tree yet is unknown.',
    ''
  ]
  const looked = `Checked 300 of 300 entries of graphstead.audit/test/1, root ${root(honest)}.`
  t.same(await verify(log, '--key', key, '--kept', kept, '--kept', lines, '--kept', checkpoint), {
    code: 0,
    stdout: [
      `${log} is consistent with the pinned key and with all earlier copies.`,
      looked,
      `Signed by the pinned key ${key}.`,
      ...[kept, lines, checkpoint].map((file) => `Compared with ${file}: 200 entries.`),
      ...tail
    ].join('\n'),
    stderr: ''
  })
  t.same(await verify(log), {
    code: 3,
    stdout: [
      `${log} is internally consistent, but no key was pinned: its owner could have rewritten all of it.`,
      looked,
      `Signed by the key ${key}, which only the log itself vouches for: pin it with --key.`,
      'Not compared with an earlier copy: specify one with --kept.',
      ...tail
    ].join('\n'),
    stderr: ''
  })
  const pinned = await verify(log, '--key', join(log, 'key'))
  t.same(pinned.code, 3)
  t.match(pinned.stdout, /is internally consistent, but it was not compared with an earlier copy: its owner/)
  const { code, stdout } = await verify(log, '--kept', checkpoint, '--json')
  const { outcome, kept: compared, isPinned, size } = JSON.parse(stdout)
  t.same([code, outcome, isPinned, size], [3, 'sound', false, 300])
  t.same(compared, [{ name: checkpoint, entries: 200, signed: false }])
})

t.test('kept evidence exposes an owner who rewrites the log with the real key', sqlite, async (t) => {
  const { folder, kept, lines, checkpoint } = prepare(t)
  const forged = filesOf(records.with(150, recordOf(151, { principal: 'eve' })), { signer })
  const log = writeFiles(join(folder, 'forged'), forged)
  t.equal((await verify(log, '--key', key)).code, 3, 'nothing kept')
  const byLines = await verify(log, '--key', key, '--kept', lines, '--json')
  t.same([byLines.code, JSON.parse(byLines.stdout).firstIndex], [1, 150])
  const told = await verify(log, '--key', key, '--kept', kept, '--kept', checkpoint)
  t.equal(told.code, 1)
  t.same(told.stdout.split('\n').slice(0, 5), [
    `${log} is not consistent:`,
    `  ${kept}: entry 150 differs from the kept entry`,
    `  ${checkpoint}: one of the first 200 entries has changed since this checkpoint`,
    'The first index known to be wrong is 150.',
    `Checked 300 of 300 entries of graphstead.audit/test/1, root ${root(forged)}.`
  ])
})

t.test('erased and pruned parts are reported, and are a fault if no event accounts for them', sqlite, async (t) => {
  const { folder, kept, checkpoint } = prepare(t)
  const told = { parts: '1', events: '1', 'ids.principal': '281', reason: 'x' }
  const erased = records.with(280, erase(records[280] as Record, ['principal']))
  const notices = [noticeOf(301, 'AUDIT_ERASED', told), noticeOf(302, 'AUDIT_PRUNED', { firstIndex: '256' })]
  const log = writeFiles(join(folder, 'told'), filesOf([...erased, ...notices], { signer, firstIndex: 256 }))
  const sound = await verify(log, '--key', key, '--kept', kept, '--kept', checkpoint)
  t.same(sound.stdout.split('\n').slice(-6), [
    `Compared with ${checkpoint}: 200 entries.`,
    'Compared 46 events with their entries.',
    'Erased: 1 part of 1 event; the log accounts for all.',
    'Pruned: the first 256 entries; the log accounts for them.',
    'The number of events that are not in the tree yet is unknown.',
    ''
  ])
  t.equal(sound.code, 0)
  const silent = writeFiles(join(folder, 'silent'), filesOf(erased, { signer, firstIndex: 256 }))
  const found = await verify(silent, '--key', key, '--kept', kept)
  t.equal(found.code, 1)
  t.same(found.stdout.split('\n').slice(1, 4), [
    '  log: parts of events erased without an AUDIT_ERASED event in the tree: 1',
    '  log: the entries from 0 to 255 are missing, but no AUDIT_PRUNED event in the tree records their removal',
    'The first index known to be wrong is 0.'
  ])
  t.match(found.stdout, /Erased: 1 part of 1 event; the log does not account for 1\./)
  t.match(found.stdout, /Pruned: the first 256 entries; the log does not account for the last 256\./)
})

t.test('damaged and hostile files end with one sentence', sqlite, async (t) => {
  const { folder, kept } = prepare(t)
  const bundle = 'tile/entries/000'
  const giant = (path: string) => {
    writeFileSync(path, '')
    truncateSync(path, 2 ** 30)
  }
  const replaced = (write: (path: string) => void) => (path: string) => {
    rmSync(path)
    write(path)
  }
  const text = (content: string | Buffer) => replaced((path) => writeFileSync(path, content))
  const cases: [string, (path: string) => void, number, RegExp][] = [
    ['checkpoint', rmSync, 2, /checkpoint does not exist/],
    ['checkpoint', text(''), 1, /not a signed note/],
    ['checkpoint', text('\u0000\u001b]0;x\u0007'), 1, /not a signed note/],
    ['checkpoint', replaced(giant), 2, /is longer than 1000000 bytes/],
    ['checkpoint', replaced(mkdirSync), 2, /is not a file/],
    ['checkpoint', text(`x\u202ey\n1\n${root(honest)}\n\n— x AAAAAAAA\n`), 1, /of x\\u\{202e\}y/],
    ['checkpoint', text(`x\n9007199254740991\n${root(honest)}\n\n— x AAAAAAAA\n`), 1, /the tile .* 256 is missing/],
    ['key', text('x'), 1, /not a verifier key/],
    [bundle, (path) => truncateSync(path, 1000), 1, /is truncated in entry/],
    [bundle, text(''), 1, /has 0 entries instead of 256/],
    [bundle, replaced(giant), 1, /has \d+ entries instead of 256|is truncated/],
    [bundle, replaced(mkdirSync), 2, /is not a file/],
    [bundle, replaced((path) => execFileSync('mkfifo', [path])), 2, /is not a file/],
    ['tile/0/000', replaced(giant), 1, /has 8193 bytes instead of 8192/],
    ['events.jsonl', replaced(mkdirSync), 2, /is not a file/],
    ['events.jsonl', (path) => truncateSync(path, 5000), 1, /the last line is cut off/],
    ['events.jsonl', text(Buffer.from('{"index":"\xff"}\n', 'latin1')), 1, /line 1 of the file: not valid UTF-8/],
    ['events.jsonl', text('{"index":0,"entry":"\u001b[2J"}\n'), 1, /line 1 of the file: not valid JSON/],
    ['events.jsonl', replaced(giant), 1, /a line has more than 4194304 bytes/],
    ['events.jsonl', text(`${'['.repeat(100_000)}\n`), 1, /line 1 of the file: not valid JSON/]
  ]
  for (const [at, [path, damage, code, words]] of cases.entries()) {
    const log = writeFiles(join(folder, `log${at}`), honest)
    damage(join(log, path))
    const { code: exit, stdout, stderr } = await verify(log)
    t.equal(exit, code, `${path} ${words}`)
    t.match(stdout + stderr, words)
    t.notMatch(
      stdout + stderr,
      /\n {4}at |[\u0000-\u0009\u001b\u202e]/,
      'no stack trace, and no control characters for the terminal'
    )
  }
  const log = writeFiles(join(folder, 'log'), honest)
  const noise = join(folder, 'noise')
  const bad: [(path: string) => void, RegExp][] = [
    [() => {}, /noise does not exist/],
    [(path) => writeFileSync(path, ''), /noise is empty/],
    [(path) => writeFileSync(path, 'noise'), /noise is neither a checkpoint nor an export/],
    [(path) => writeFileSync(path, '{}\n'), /noise: line 1 of the file: the index is missing/],
    [giant, /noise is neither a checkpoint/],
    [mkdirSync, /noise contains no checkpoint, tiles or events.jsonl/],
    [(path) => execFileSync('mkfifo', [path]), /noise is not a file/]
  ]
  for (const [make, words] of bad) {
    rmSync(noise, { recursive: true, force: true })
    make(noise)
    const { code, stdout, stderr } = await verify(log, '--key', key, '--kept', noise)
    t.same([code, stdout], [2, ''])
    t.match(stderr, words)
    t.match(stderr, /^graphstead audit verify: [^\n]+\n$/)
  }
  truncateSync(join(kept, 'tile/0/000.p/200'), 32)
  t.match(await verify(log, '--kept', kept), {
    code: 2,
    stderr: /kept: the tile that starts at entry 0 has the wrong length/
  })
})

t.test('invalid arguments are reported', sqlite, async (t) => {
  const { log, folder } = prepare(t)
  const policy = join(folder, 'policy')
  writeFileSync(policy, 'quorum all\n')
  const cases: [string[], string][] = [
    [[], 'specify a folder, a server, --data or --database'],
    [[log, '--data', log], 'specify a folder, a server, --data or --database'],
    [[log, 'x'], 'too many arguments: x'],
    [[log, '--key', 'none'], '--key: none does not exist'],
    [[log, '--key', ''], '--key must have at least 1 characters'],
    [[log, '--key', key.replace(/^g/, 'h')], '--key: the id of the verifier key does not match the key'],
    [[log, '--policy', 'none'], '--policy none: the file does not exist'],
    [[log, '--policy', policy], `--policy ${policy}: line 1 of the policy: all is not defined on an earlier line`],
    [['http://127.0.0.1:1'], 'GRAPHSTEAD_TOKEN is missing']
  ]
  for (const [args, words] of cases) {
    t.same(
      await verify(...args),
      { code: 2, stdout: '', stderr: `graphstead audit verify: ${words}; see graphstead audit verify --help\n` },
      args.join(' ')
    )
  }
  const names = 'key, checkpoint, export, verify, witness, erase, prune'
  const refused = (words: string) => `graphstead audit: ${words}: ${names}; see graphstead audit --help\n`
  t.same(await run(['audit']), { code: 2, stdout: '', stderr: refused('name a subcommand') })
  const unknown = refused('unknown subcommand constructor')
  t.same(await run(['audit', 'constructor']), { code: 2, stdout: '', stderr: unknown })
  t.match(await run(['audit', '--help']), { code: 0, stdout: /verify +verify a log/ })
  t.match(await verify('--help'), { code: 0, stdout: /--kept KEPT .*can be repeated/ })
})

const TOKEN = 'gst_000000000000000000000000000000abcdef'

/** Starts a server with the files of a log. `answer` may handle a request first. Returns the address. */
async function listen(
  t: Test,
  files: Map<string, Buffer>,
  answer?: (path: string, response: ServerResponse) => boolean
) {
  const asked: string[] = []
  const server = createServer((request: IncomingMessage, response) => {
    const path = (request.url ?? '').replace('/base/management/audits/log/', '')
    asked.push(`${request.headers.authorization} ${path}`)
    if (answer?.(path, response)) return
    if (path.startsWith('/base/management/audits?')) {
      response.setHeader('x-total-count', '305').end('[]')
      return
    }
    const bytes = files.get(path)
    response.statusCode = bytes ? 200 : 404
    response.end(bytes)
  })
  return { url: `${await listenOn(t, server)}/base`, asked }
}

const far = (url: string, ...args: string[]) => run(['audit', 'verify', url, ...args], { GRAPHSTEAD_TOKEN: TOKEN })

t.test('the log of a server is verified by its tiles, with the token', sqlite, async (t) => {
  const { checkpoint } = prepare(t)
  const { url, asked } = await listen(t, honest)
  t.same(await far(url, '--key', key, '--kept', checkpoint), {
    code: 0,
    stdout: [
      `${url} is consistent with the pinned key and with all earlier copies.`,
      `Checked 300 of 300 entries of graphstead.audit/test/1, root ${root(honest)}.`,
      `Signed by the pinned key ${key}.`,
      `Compared with ${checkpoint}: 200 entries.`,
      'The log shows entries but not the text of events: an export shows what was erased.',
      'Nothing was pruned.',
      'Not in the tree yet, and therefore not proved: 5 events.',
      ''
    ].join('\n'),
    stderr: ''
  })
  t.same(
    asked.sort(),
    [
      ...['/base/management/audits?size=1', 'checkpoint'],
      ...['tile/0/000', 'tile/0/001.p/44', 'tile/1/000.p/1', 'tile/entries/000', 'tile/entries/001.p/44']
    ].map((path) => `Bearer ${TOKEN} ${path}`)
  )
  const pruned = filesOf([...records, noticeOf(301, 'AUDIT_PRUNED', { firstIndex: '256' })], {
    signer,
    firstIndex: 256
  })
  const { code, stdout } = await far((await listen(t, pruned)).url, '--key', key, '--kept', checkpoint)
  t.equal(code, 3)
  t.match(
    stdout,
    /internally consistent, but entries are missing, and only an export shows whether the log accounts for all of them/
  )
  t.match(stdout, /Pruned: the first 256 entries; the log has an AUDIT_PRUNED event, and an export shows/)
})

t.test('a server that refuses, redirects, is cut off or never ends is reported in one sentence', sqlite, async (t) => {
  const endless = (response: ServerResponse) => {
    const more = () => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536, 1)));
    }
    response.on('drain', more)
    more()
  }
  const stolen: string[] = []
  const thief = createServer((request, response) => {
    stolen.push(request.url ?? '')
    response.end('x')
  })
  const elsewhere = await listenOn(t, thief)
  const cases: [string, (response: ServerResponse) => unknown, number, RegExp][] = [
    ['checkpoint', (response) => response.writeHead(404).end(), 2, /has no checkpoint: is it a Graphstead server\?/],
    ['checkpoint', (response) => response.writeHead(302, { location: elsewhere }).end(), 2, /the server redirects to/],
    [
      'checkpoint',
      (response) => response.writeHead(403).end(JSON.stringify({ detail: 'No\u001b[2J.', code: 'forbidden' })),
      2,
      /^graphstead audit verify: No\\u\{1b\}\[2J\. \(forbidden\)\n$/
    ],
    ['checkpoint', endless, 1, /the note is too long/],
    ['tile/0/000', endless, 1, /has 8193 bytes instead of 8192/],
    ['tile/entries/000', endless, 1, /entries instead of 256|is truncated/],
    ['key', endless, 1, /not a verifier key/],
    ['tile/0/000', (response) => response.writeHead(500).end('{'), 2, /the server responded with 500/]
  ]
  for (const [at, answer, code, words] of cases) {
    const { url } = await listen(t, honest, (path, response) => {
      if (path === at) answer(response)
      return path === at
    })
    const outcome = await far(url)
    t.equal(outcome.code, code, `${at} ${words}`)
    t.match(outcome.stdout + outcome.stderr, words)
  }
  t.same(stolen, [])
})

t.test('the command gives up on a server that sends a byte now and then', sqlite, async (t) => {
  const cases: [(response: ServerResponse) => unknown, RegExp][] = [
    [(response) => response.write('x'), /: the response was cut off\n$/],
    // A server may send any number of these before the response.
    [(response) => response.writeProcessing(), /the server did not respond in time\n$/]
  ]
  await Promise.all(
    cases.map(async ([send, words]) => {
      const { url } = await listen(t, honest, (_path, response) => {
        const timer = setInterval(() => send(response), 100)
        response.once('close', () => clearInterval(timer))
        return true
      })
      const outcome = await far(url, '--timeout', '1s')
      t.equal(outcome.code, 2)
      t.match(outcome.stderr, words)
    })
  )
})

t.test('nothing is verified if the server switches to another protocol', sqlite, async (t) => {
  for (const at of ['checkpoint', 'tile/0/000']) {
    const { url } = await listen(t, honest, (path, response) => {
      if (path !== at) return false
      response.socket?.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n')
      return true
    })
    const outcome = await far(url)
    t.equal(outcome.code, 2, at)
    t.match(outcome.stderr, /the connection was closed without a response\n$/)
  }
})
