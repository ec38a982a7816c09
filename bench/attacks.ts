import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { type Attack, attacks as all, importOf, jgf, type Target } from './attack-catalogue.ts'
import { createGraph, exactly, logIn } from './client.ts'
import { network, unplaced } from './graphs.ts'
import { ask, requestOf } from './load.ts'
import { freePort } from './ports.ts'
import { PASSWORD, type Server, startProgram } from './processes.ts'
import { seed } from './seed.ts'
import type { Line } from './table.ts'

/** How long another user's requests are measured before and during an attack, in milliseconds. */
const CALM = 2000
const ATTACK = 10_000
/** The interval between this user's requests, in milliseconds. The user does not wait for earlier responses. */
const INTERVAL = 20
const SELDOM = 500
/** The longest acceptable waits for a page of graphs, a small upload and a sign-in, in milliseconds. */
const AIMS = { page: 250, upload: 3000, signIn: 1000 }
/** The time after which a response counts as missing, in milliseconds. */
const PATIENCE = 5000

const CLOSE = { Connection: 'close' }

const TLS = ['first.crt', 'first.key'].map((name) => join(import.meta.dirname, '../test/tls', name))

/**
 * Runs each attack against a separate server. Measures how long another user waits for a page of graphs, for uploads and for
 * sign-ins, and the server's peak memory. GRAPHSTEAD_ATTACKS selects attacks; the default is all.
 */
export async function attacks(folder: string): Promise<Line[]> {
  const names = process.env.GRAPHSTEAD_ATTACKS?.split(',') ?? Object.keys(all)
  await seed(join(folder, 'seed'), { graphs: 1000, users: 10, events: 1000, shared: 10 })
  const lines: Line[] = []
  for (const name of names) {
    const attack = all[name]
    if (!attack) throw new Error(`there is no attack ${name}; the attacks are ${Object.keys(all).join(', ')}`)
    console.error(`  ${name} …`)
    const data = join(folder, name)
    cpSync(join(folder, 'seed'), data, { recursive: true })
    const measured = await measureAttack(data, name, attack)
    for (const { ours, ratio, aim } of measured) console.error(`    ${ours} ${Math.round(ratio)} ${aim.unit}`)
    lines.push(...measured)
  }
  return lines
}

async function measureAttack(data: string, name: string, { path, tls = false, prepare }: Attack): Promise<Line[]> {
  const target = await prepareTarget(data, prepare)
  const metricsPort = await freePort()
  const [cert = '', key = ''] = TLS
  const program = await startProgram(data, 'Graphstead', {
    args: ['--metrics-port', String(metricsPort), ...(tls ? ['--tls-cert', cert, '--tls-key', key] : [])],
    tls,
    // The server's threads use all cores, as in production.
    pinned: false
  })
  try {
    const { port } = program
    const page = { ...requests(target.other).page, port, tls }
    const calm = await watch(page, CALM)
    const told: Target = { ...target, port, metricsPort }
    const attacker = spawn(
      'nice',
      [
        process.execPath,
        join(import.meta.dirname, 'attack-catalogue.ts'),
        name,
        JSON.stringify(told),
        String(ATTACK / 1000)
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] }
    )
    const ended = once(attacker, 'exit')
    const memory = followMemory(program)
    await sleep(300)
    const { upload, signIn } = requests(target.other)
    const [watched, uploads, signIns] = await Promise.all([
      watch(page, ATTACK - 1000),
      watch({ ...upload, port, tls }, ATTACK - 1000),
      watch({ ...signIn, port, tls }, ATTACK - 1000)
    ])
    await ended
    const most = memory.end()
    const before = `before: ${describe(calm)}`
    return [
      { path, ours: describe(watched), theirs: before, ratio: watched.p99, aim: { most: AIMS.page, unit: 'ms' } },
      { path: '… upload', ours: describe(uploads), ratio: uploads.p99, aim: { most: AIMS.upload, unit: 'ms' } },
      { path: '… sign-in', ours: describe(signIns), ratio: signIns.p99, aim: { most: AIMS.signIn, unit: 'ms' } },
      { path: '… peak memory', ours: '', ratio: most, aim: { most: 1024, unit: 'MiB' } }
    ]
  } finally {
    await program.stop()
  }
}

/** Returns the other user's requests: a page of graphs, an upload that is parsed in a thread, and a sign-in. */
function requests(token: string) {
  const file = JSON.stringify({ graph: jgf(200, 1000) })
  const body = JSON.stringify({ username: 'user2', password: PASSWORD })
  return {
    page: { request: requestOf('GET', '/api/graphs', { token, headers: CLOSE }), status: 200, interval: INTERVAL },
    upload: { request: importOf(token, file, 'jgf', CLOSE), status: 201, interval: SELDOM },
    signIn: {
      request: requestOf('POST', '/api/authenticate', { body, headers: CLOSE }),
      status: 200,
      interval: SELDOM
    }
  }
}

/**
 * Prepares tokens, a large graph of the attacker, a link to another of their graphs, and a shared graph owned by another user.
 */
async function prepareTarget(data: string, prepare: Attack['prepare']) {
  const program = await startProgram(data)
  try {
    const [token, other] = [await logIn(program, 'user1'), await logIn(program, 'user2')]
    const graphId = await createGraph(program, token, { name: 'Large', content: network(20_000, 100_000) })
    const linkedId = await createGraph(program, token, { name: 'Linked', content: unplaced(network(2000, 5000)) })
    const body = JSON.stringify({ name: 'For everybody' })
    const path = `/api/graphs/${linkedId}/links`
    const answer = await ask(program.port, exactly(requestOf('POST', path, { token, body }), 201))
    const { id, publicId, url } = JSON.parse(answer.body.toString()) as { id: number; publicId: string; url: string }
    const link = { path: `${path}/${id}`, publicId, secret: url.split('#')[1] ?? '' }
    await prepare?.(program, token)
    // The seed's first graphs belong to the administrator and are shared.
    return { token, other, graphId, link, sharedId: 1 }
  } finally {
    await program.stop()
  }
}

interface Watched {
  count: number
  failed: number
  p50: number
  p99: number
  max: number
}

/** A request to send at fixed times, each time on a new connection, and its expected status. */
interface Watch {
  port: number
  tls: boolean
  request: Buffer
  status: number
  /** In milliseconds. */
  interval: number
}

/**
 * Sends the request at fixed times, without waiting for earlier responses, so a server that stalls for a second delays every
 * request in that second. A missing response counts as taking the full time limit.
 */
async function watch(what: Watch, duration: number): Promise<Watched> {
  const asked: Promise<number>[] = []
  const start = performance.now()
  for (let time = 0; time < duration; time += what.interval) {
    const wait = start + time - performance.now()
    if (wait > 0) await sleep(wait)
    asked.push(askOnce(what, start + time))
  }
  const times = Float64Array.from(await Promise.all(asked)).sort()
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  const failed = times.filter((time) => time >= PATIENCE).length
  return { count: times.length, failed, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** Returns the time from `start` to the response, in milliseconds. */
function askOnce({ port, tls, request, status }: Watch, start: number): Promise<number> {
  return new Promise((resolve) => {
    const socket = connectTo(port, tls)
    let answer = ''
    const end = (time: number) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(time)
    }
    const timer = setTimeout(() => end(PATIENCE), start + PATIENCE - performance.now())
    socket.write(request)
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => end(PATIENCE))
    socket.on('close', () => end(answer.startsWith(`HTTP/1.1 ${status}`) ? performance.now() - start : PATIENCE))
  })
}

/** Samples the server's memory ten times a second. */
function followMemory(program: Server) {
  let most = 0
  const timer = setInterval(() => {
    // A server killed by the attack uses no memory; its missing responses reveal the crash.
    if (program.child.exitCode === null && program.child.signalCode === null) most = Math.max(most, program.resident())
  }, 100)
  return {
    end() {
      clearInterval(timer)
      return most
    }
  }
}

function describe({ count, failed, p50, p99, max }: Watched) {
  const answered = failed === 0 ? `${count} responses` : `${failed} of ${count} without a response`
  return `${answered}, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(0)}, longest ${max.toFixed(0)} ms`
}

/** Connects from an address other than the attacker's. Accepts the self-signed certificate of the attacked server. */
function connectTo(port: number, tls: boolean): Socket {
  const where = { port, host: '127.0.0.1', localAddress: '127.0.0.2' }
  return tls ? connectTls({ ...where, rejectUnauthorized: false }) : connect({ ...where, noDelay: true })
}
