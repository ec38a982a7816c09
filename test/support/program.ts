import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import tap, { type Test } from 'tap'
import { environmentOf } from './engine.ts'
import { PASSWORD } from './helper.ts'
import { startCommand } from './in-process.ts'

export const root = join(import.meta.dirname, '..', '..')

/**
 * The program under test, if the variable specifies it. An executable must behave the same, so it runs every command.
 * JavaScript compiled from the source runs only the commands that need a process.
 */
const given = process.env.GRAPHSTEAD_TEST_PROGRAM || undefined
const compiled = given?.endsWith('.js') ? given : undefined
export const executable = compiled === undefined ? given : undefined
/** The command line that starts the program. */
export const programLine: [string, ...string[]] = executable
  ? [executable]
  : [process.execPath, compiled ?? join(root, 'src/graphstead.js')]

/** The number of processes of each server. With more than one, no server runs in the test's own process. */
const workers = process.env.GRAPHSTEAD_TEST_WORKERS ?? '1'

/** Returns the environment for the program, without the machine's settings. */
function environment(settings: Record<string, string>) {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(GRAPHSTEAD_|NODE_OPTIONS|TAP|NODE_V8)/.test(name)
  )
  return { ...Object.fromEntries(inherited), ...settings }
}

export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
}

/** Returns the database settings for a data folder. */
function storeOf(args: string[], { GRAPHSTEAD_DATA }: Record<string, string>) {
  const data = args.includes('--data') ? args[args.indexOf('--data') + 1] : GRAPHSTEAD_DATA
  return data === undefined ? {} : environmentOf(tap, data)
}

/** Returns the command line of the program. `under` wraps it in a line of bash in which `"$@"` is the program. */
function commandLine(args: string[], under: string | undefined): [string, string[]] {
  const [program, ...first] = programLine
  const command = [...first, ...args]
  return under === undefined ? [program, command] : ['bash', ['-c', under, 'bash', program, ...command]]
}

/** Runs a command and waits for it to finish, in this process unless an executable is under test. */
export async function run(args: string[], env: Record<string, string> = {}, stdin = ''): Promise<Outcome> {
  if (executable) return runProgram(args, env, stdin)
  const { code, stdout, stderr } = startCommand(
    [...programLine, ...args],
    environment({ ...(await storeOf(args, env)), ...env }),
    stdin
  )
  return { code: await code, stdout: stdout(), stderr: stderr() }
}

/** Runs the program with the given command and waits for it to exit. */
export async function runProgram(
  args: string[],
  env: Record<string, string> = {},
  stdin = '',
  under?: string
): Promise<Outcome> {
  const settings = { ...(await storeOf(args, env)), ...env }
  const child = spawn(...commandLine(args, under), { env: environment(settings), stdio: 'pipe' })
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, stdout, stderr }
}

export interface Server {
  url: string
  stdout(): string
  stderr(): string
  /** Sends the signal. Returns the exit code. */
  stop(signal?: 'SIGINT' | 'SIGTERM'): Promise<number | null>
}

export interface ServerProcess extends Server {
  child: ChildProcess
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

const serveOn = (data: string | undefined, args: string[]) => [
  ...['serve', '--port', '0'],
  ...(data === undefined ? [] : ['--data', data]),
  ...args
]

async function settingsOf(data: string | undefined, env: Record<string, string>) {
  const database = data === undefined ? {} : await environmentOf(tap, data)
  return environment({ GRAPHSTEAD_ADMIN_PASSWORD: PASSWORD, GRAPHSTEAD_WORKERS: workers, ...database, ...env })
}

const addressIn = (stderr: string) => /Graphstead is running at (https?:\/\/[^,]+),/.exec(stderr)?.[1]

/**
 * Starts a server for the folder on a free port, in this process unless an executable is under test. The server stops when the
 * test ends, at the latest.
 */
export async function serve(
  t: Test,
  data: string,
  args: string[] = [],
  env: Record<string, string> = {}
): Promise<Server> {
  if (executable || workers !== '1') return serveProgram(t, data, args, env)
  const { code, stdout, stderr, signal } = startCommand(
    [...programLine, ...serveOn(data, args)],
    await settingsOf(data, env)
  )
  // On SIGTERM the server would wait for load balancers.
  const stop = (name: NodeJS.Signals = 'SIGINT') => {
    signal(name)
    return code
  }
  t.teardown(() => stop())
  let hasEnded = false
  code.finally(() => {
    hasEnded = true
  })
  while (addressIn(stderr()) === undefined) {
    if (hasEnded) throw new Error(`the server ended with ${await code}: ${stderr()}`)
    await sleep(5)
  }
  return { url: addressIn(stderr()) as string, stdout, stderr, stop }
}

/**
 * Starts a server process on a free port, for the folder if given. The process is stopped when the test ends, if not earlier.
 */
export async function serveProgram(
  t: Test,
  data: string | undefined,
  args: string[] = [],
  env: Record<string, string> = {},
  under?: string
): Promise<ServerProcess> {
  const child = spawn(...commandLine(serveOn(data, args), under), {
    env: await settingsOf(data, env),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.on('exit', (code) => resolve(code)))
  t.teardown(() => {
    child.kill('SIGKILL')
    return ended
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', () => {
      const address = addressIn(stderr)
      if (address) resolve(address)
    })
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${stderr}`)))
  })
  return {
    url,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    stop: (signal = 'SIGTERM') => {
      child.kill(signal)
      return ended
    }
  }
}

/** Returns the ids of the processes of a server: its own, and those of its workers. Linux only. */
export function processesOf({ child: { pid = 0 } }: ServerProcess): [primary: number, ...workers: number[]] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return [pid, ...children.split(' ').filter(Boolean).map(Number)]
}

/** Sends a JSON request, with a token if given. */
export async function call(url: string, method = 'GET', body?: unknown, token?: string) {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` })
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  const payload = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: payload ? JSON.parse(payload) : undefined
  }
}

export async function login(url: string, username = 'admin', password = PASSWORD): Promise<string> {
  const { status, body } = await call(`${url}/api/authenticate`, 'POST', { username, password })
  if (status !== 200) throw new Error(`signing in returned ${status}`)
  return body.id_token
}
