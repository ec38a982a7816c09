import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answers } from './bare.ts'
import { ask, requestOf } from './load.ts'
import { freePort } from './ports.ts'

export const PASSWORD = 'a password for the benchmark'

const root = join(import.meta.dirname, '..')
/** Where there are two cores and something to pin with, servers get one of them and the load generator the other. */
const isPinned = cpus().length > 1 && pin(process.pid, 1)

/** Whether servers and load generator have a core each. */
export function coresAreApart() {
  return isPinned
}

/** What one user does here in a second is more than any user should in a minute. */
export const withoutLimits = ['requests', 'changes', 'bytes', 'denials', 'address'].flatMap((rate) => [
  `--rate-${rate}`,
  '0'
])

/** A server that is measured. */
export interface Server {
  name: string
  port: number
  child: ChildProcess
  /** How much memory it has at the moment, in MiB: its own, without what is mapped from files. */
  memory(): number
  /** The same with what is mapped, as `ps` shows it. */
  resident(): number
  stop(): Promise<void>
}

/** Starts a script of Node, or an executable, on a free port, and waits until the port answers. */
export async function start(
  name: string,
  script: string,
  args: (port: number) => string[],
  {
    channel = false,
    path = '/readyz',
    pinned = isPinned,
    tls = false
  }: { channel?: boolean; path?: string; pinned?: boolean; tls?: boolean } = {}
): Promise<Server> {
  const port = await freePort()
  // Lines of the log are written as they always are, and read by nobody.
  const sink = openSync('/dev/null', 'w')
  const command = /\.[jt]s$/.test(script) ? [process.execPath, join(root, script)] : [join(root, script)]
  command.push(...args(port))
  const [program = '', ...rest] = pinned ? ['taskset', '-c', '0', ...command] : command
  const child = spawn(program, rest, {
    stdio: ['ignore', sink, 'inherit', ...(channel ? (['ipc'] as const) : [])],
    env: { ...process.env, GRAPHSTEAD_ADMIN_PASSWORD: PASSWORD }
  })
  closeSync(sink)
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const server: Server = {
    name,
    port,
    child,
    memory: () => mib(child, 'RssAnon'),
    resident: () => mib(child, 'VmRSS'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
  }
  for (;;) {
    if (child.exitCode !== null) throw new Error(`${name} ended with exit code ${child.exitCode}`)
    try {
      // One that speaks TLS answers with an error to what is no handshake; that it listens is enough.
      if (tls) await listening(port)
      else await ask(port, { request: requestOf('GET', path), check: () => undefined })
      return server
    } catch {
      await sleep(2)
    }
  }
}

/** The program as everybody starts it, on the data in the folder. */
export function startProgram(
  data: string,
  name = 'Graphstead',
  { args = withoutLimits, ...options }: { pinned?: boolean; args?: string[]; tls?: boolean } = {}
) {
  const serve = (port: number) => ['serve', '--port', String(port), '--data', data, ...args]
  return start(name, 'src/graphstead.js', serve, options)
}

/** What `npm run build:exe` makes. */
export const EXECUTABLE = 'dist/graphstead'

/** The executable, with every core that there is. */
export function startExecutable(data: string) {
  const serve = (port: number) => ['serve', '--port', String(port), '--data', data, ...withoutLimits]
  return start('the executable', EXECUTABLE, serve, { pinned: false })
}

/** The same service with a commit for each write. */
export function startOneCommit(data: string) {
  return start('one commit each', 'bench/one-commit.ts', (port) => [String(port), data, ...withoutLimits])
}

/** Bare Fastify, which has to be told what to send. */
export async function startBare() {
  const server = await start('bare Fastify', 'bench/bare.ts', (port) => [String(port)], {
    channel: true,
    path: '/api/graphs'
  })
  return {
    ...server,
    async tell(answers: Answers) {
      server.child.send(answers)
      await once(server.child, 'message')
    }
  }
}

/** Rejects where nobody listens on the port. */
async function listening(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

function mib({ pid }: ChildProcess, field: string) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

function pin(pid: number, core: number) {
  try {
    execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
