import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answers } from './bare.ts'
import { ask, requestOf } from './load.ts'
import { freePort } from './ports.ts'

export const PASSWORD = 'a password for the benchmark'

const root = join(import.meta.dirname, '..')
/** Whether the servers run on one core and the load generator on another, which needs two cores and `taskset`. */
const isPinned = cpus().length > 1 && pin(process.pid, 1)

/** Returns whether the servers and the load generator have separate cores. */
export function coresAreApart() {
  return isPinned
}

/** Options that turn rate limits off, because the benchmark sends more requests per second than a user may send per minute. */
export const withoutLimits = ['user', 'address'].flatMap((rate) => [`--rate-${rate}`, '0'])

/** A server to measure. */
export interface Server {
  name: string
  port: number
  child: ChildProcess
  /** Returns the process's current memory use in MiB, excluding pages mapped from files. */
  memory(): number
  /** Returns the process's current memory use in MiB, including mapped pages, as in `ps`. */
  resident(): number
  /** Returns the CPU time of all its threads so far, including time in the kernel, in milliseconds. */
  cpu(): number
  stop(): Promise<void>
}

/** Starts a Node.js script or an executable on a free port, and waits until the port responds. */
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
  // The server logs as usual, and the log is discarded.
  const sink = openSync('/dev/null', 'w')
  const command = /\.[jt]s$/.test(script) ? [process.execPath, resolve(root, script)] : [resolve(root, script)]
  command.push(...args(port))
  // A child process inherits the CPU affinity of its parent.
  const cores = pinned ? '0' : `0-${cpus().length - 1}`
  const [program = '', ...rest] = isPinned ? ['taskset', '-c', cores, ...command] : command
  const child = spawn(program, rest, {
    stdio: ['ignore', sink, 'inherit', ...(channel ? (['ipc'] as const) : [])],
    env: { ...process.env, GRAPHSTEAD_ADMIN_PASSWORD: PASSWORD }
  })
  closeSync(sink)
  const kill = () => child.kill('SIGKILL')
  // This handler runs before those that remove the process's files.
  process.prependOnceListener('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  const server: Server = {
    name,
    port,
    child,
    memory: () => mib(child, 'RssAnon'),
    resident: () => mib(child, 'VmRSS'),
    cpu: () => cpuOf(child),
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
      // A TLS server answers plain requests with an error, so an open port is enough.
      if (tls) await listening(port)
      else await ask(port, { request: requestOf('GET', path), check: () => undefined })
      return server
    } catch {
      await sleep(2)
    }
  }
}

const serveArgs = (port: number, data: string, args: string[]) => [
  'serve',
  '--port',
  `${port}`,
  '--data',
  data,
  ...args
]

/** Starts the program with default settings, on the data in the folder, in the same way as `npm start`. */
export async function startProgram(
  data: string,
  name = 'Graphstead',
  { args = withoutLimits, ...options }: { pinned?: boolean; args?: string[]; tls?: boolean } = {}
) {
  await import('../deploy/build-program.ts')
  return start(name, 'dist/program/graphstead.js', (port) => serveArgs(port, data, args), options)
}

/** The executable that `npm run build:exe` builds. */
export const EXECUTABLE = 'dist/graphstead'

/** Starts the executable on all cores. */
export function startExecutable(data: string) {
  return start('the executable', EXECUTABLE, (port) => serveArgs(port, data, withoutLimits), { pinned: false })
}

/** Starts the server with one commit per write, or without the audit log. */
export function startVariant(variant: 'one-commit' | 'without-log', data: string, args: string[] = []) {
  const name = variant === 'one-commit' ? 'one commit each' : 'without the log'
  return start(name, 'bench/variant.ts', (port) => [variant, String(port), data, ...withoutLimits, ...args])
}

/** Starts bare Fastify, which gets its responses from this process. */
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

/** Rejects if nothing is listening on the port. */
async function listening(port: number) {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.destroy()
}

function mib({ pid }: ChildProcess, field: string) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1]) / 1024)
}

function cpuOf({ pid }: ChildProcess) {
  // The second field, the program's name in parentheses, may contain spaces. utime and stime are in hundredths of a second.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function pin(pid: number, core: number) {
  try {
    execFileSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
