import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createSigner, verifierText } from '../../audit/note.ts'
import { type Forgery, flip, withForger } from './forger.ts'
import { fetchFrom, type Source } from './log.ts'
import { buildVerifier, type Court, run } from './tally.ts'

// Has the verifier check a server's whole log: its tiles, entries and proofs, its consistency with saved checkpoints, and
// whether forgeries are detected.

const SIZES = [1, 2, 255, 256, 257, 1000, 65_536, 70_000]

/** A forged response, and the reason that the verifier should give for refusing it. */
interface Forged {
  name: string
  path: RegExp
  forge: Forgery
  reason: RegExp
}

const forgeries: Forged[] = [
  {
    name: 'a changed byte in an entry',
    path: /^log\/tile\/entries\//,
    forge: (body) => flip(body, -1),
    reason: /entry \d+ has a different hash than its leaf/
  },
  {
    name: 'a changed byte in a tile',
    path: /^log\/tile\/0\//,
    forge: (body) => flip(body, -1),
    reason: /downloaded inconsistent tile/
  },
  {
    name: 'another size in the checkpoint',
    path: /^log\/checkpoint$/,
    forge: (body) => Buffer.from(`${body}`.replace(/\n(\d+)\n/, '\n9$1\n')),
    reason: /invalid signature/
  },
  {
    name: 'another index in a proof',
    path: /^\d+\/proof$/,
    forge: (body) => Buffer.from(`${body}`.replace(/^index (\d+)$/m, (_, index) => `index ${Number(index) ^ 1}`)),
    reason: /the proof of event \d+: (?:malformed|invalid)/
  },
  {
    name: 'another hash in a consistency proof',
    path: /^log\/consistency\?/,
    forge: (body) => Buffer.from(`${body}`.replace(/("hashes": ?\[")[^"]{4}/, '$1AAAA')),
    reason: /the consistency proof from \d+: /
  }
]

export async function judgeServer(court: Court) {
  const { tally, work, openLog } = court
  const verifier = await buildVerifier(court)
  const key = join(work, 'key')
  const kept: string[] = []

  /** Asks the verifier whether the log is valid and continues the checkpoints. */
  const check = ({ url, token }: Source, older: readonly string[], keyFile = key) =>
    run(verifier, ['server', keyFile, url, ...older], { env: { AUDIT_TOKEN: token } })

  const log = await openLog(join(work, 'log'))
  for (const size of SIZES) {
    await log.growTo(size)
    if (size === 1) await writeFile(key, await fetchFrom(log, 'log/key'))
    tally.accepted(`a server with ${size}`, await check(log, kept))
    const checkpoint = join(work, `checkpoint-${size}`)
    await writeFile(checkpoint, await fetchFrom(log, 'log/checkpoint'))
    kept.push(checkpoint)
  }
  await log.close()

  const small = await openLog(join(work, 'small'))
  await small.growTo(300)
  await writeFile(key, await fetchFrom(small, 'log/key'))
  const common = join(work, 'common')
  await writeFile(common, await fetchFrom(small, 'log/checkpoint'))
  const fork = await small.fork()
  await small.growTo(600)
  const own = join(work, 'own')
  await writeFile(own, await fetchFrom(small, 'log/checkpoint'))
  await fork.growTo(700)
  tally.accepted('a fork after the common part', await check(fork, [common]))
  tally.refused('a fork', await check(fork, [common, own]), /the log does not begin with the tree of 600/)
  tally.refused('a server without a token', await check({ ...small, token: '' }, []), /log\/checkpoint: 401/)
  const stranger = join(work, 'stranger')
  await writeFile(stranger, verifierText(createSigner('log.example/1').verifier))
  tally.refused('a server with another key', await check(small, [], stranger), /no verifiable signatures/)
  for (const { name, path, forge, reason } of forgeries) {
    const outcome = await withForger(
      small,
      (body, asked) => (path.test(asked) ? forge(body, asked) : body),
      (forged) => check(forged, [common])
    )
    tally.refused(`a server with ${name}`, outcome, reason)
  }
  tally.accepted('the server without forgeries', await check(small, [common, own]))
  await fork.close()
  await small.close()
}
