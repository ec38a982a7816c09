import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import tap, { type Test } from 'tap'
import { environmentOf } from './engine.ts'
import { PASSWORD } from './helper.ts'

export const root = join(import.meta.dirname, '..')

/** The program and its first arguments: from source, or the executable that the variable names, which has to behave the same. */
export const executable = process.env.GRAPHSTEAD_TEST_PROGRAM || undefined
const [program, ...first] = executable
  ? [executable]
  : [process.execPath, process.env.GRAPHSTEAD_TEST_BUNDLE ?? join(root, 'src/graphstead.js')]

/** The program's own environment: nothing of the machine's settings. */
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

/** The settings of the database for a data folder. */
function storeOf(args: string[], { GRAPHSTEAD_DATA }: Record<string, string>) {
  const data = args.includes('--data') ? args[args.indexOf('--data') + 1] : GRAPHSTEAD_DATA
  return data === undefined ? {} : environmentOf(tap, data)
}

/** The command line of the program; `under` wraps it in a line of bash in which `"$@"` is the program. */
function commandLine(args: string[], under: string | undefined): [string, string[]] {
  const command = [...first, ...args]
  return under === undefined ? [program, command] : ['bash', ['-c', under, 'bash', program, ...command]]
}

/** Runs a command of the program to its end. */
export async function run(
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
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Sends the signal, and returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** Starts a server process on a free port, in the folder. Ends with the test at the latest. */
export async function serve(
  t: Test,
  data: string,
  args: string[] = [],
  env: Record<string, string> = {},
  under?: string
): Promise<Server> {
  const settings = { GRAPHSTEAD_ADMIN_PASSWORD: PASSWORD, ...(await environmentOf(tap, data)), ...env }
  const child = spawn(...commandLine(['serve', '--port', '0', '--data', data, ...args], under), {
    env: environment(settings),
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
      const address = /Graphstead serves on (https?:\/\/[^,]+),/.exec(stderr)?.[1]
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

/** Sends a request with JSON, with a token if given. */
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
  if (status !== 200) throw new Error(`logging in is ${status}`)
  return body.id_token
}
