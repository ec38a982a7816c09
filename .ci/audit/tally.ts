import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Log, Outcome } from './log.ts'

/** Whether an independent program accepted its input, along with its output. */
export type Verdict = Omit<Outcome, 'printed'>

/** Counts verdicts, and prints wrong ones. */
export class Tally {
  right = 0
  wrong = 0

  /** Counts a verdict. If it is wrong, prints its name and output. */
  count(name: string, isRight: boolean, output = '') {
    if (isRight) this.right++
    else {
      this.wrong++
      console.log(`not ok ${name}\n  ${output.slice(0, 2000)}`)
    }
  }

  /** Counts the verdict as correct if the program accepted the input. */
  accepted(name: string, { succeeded, output }: Verdict) {
    this.count(`${name} is accepted`, succeeded, output)
  }

  /** Counts the verdict as correct if the program refused its input for this reason. */
  refused(name: string, { succeeded, output }: Verdict, reason: RegExp) {
    this.count(`${name} is refused`, !succeeded && reason.test(output), output)
  }
}

/** The environment in which a judge runs: its own folder, and a function that opens a log in a new folder. */
export interface Court {
  tally: Tally
  work: string
  openLog: (folder: string) => Promise<Log>
}

const MINUTE = 60_000

/** Runs a command, and kills it after `timeout` milliseconds. */
export async function run(
  command: string,
  args: readonly string[],
  { env = {}, timeout = 5 * MINUTE, folder }: { env?: Record<string, string>; timeout?: number; folder?: string } = {}
): Promise<Outcome> {
  const options = { cwd: folder, timeout, killSignal: 'SIGKILL', env: { ...process.env, ...env } } as const
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, options)
    return { succeeded: true, printed: stdout, output: `${stderr}${stdout}` }
  } catch (error) {
    const { stdout = '', stderr = '', killed, message } = error as Error & Ended
    return { succeeded: false, printed: stdout, output: `${killed ? 'timeout\n' : ''}${stderr}${stdout}` || message }
  }
}

/** The additional properties of an execFile error. */
interface Ended {
  stdout?: string
  stderr?: string
  killed?: boolean
}

/** Runs a Go command that downloads modules, and retries it once. */
async function runGo(args: readonly string[], env: Record<string, string> = {}) {
  const options = { env, folder: import.meta.dirname }
  const first = await run('go', args, options)
  return first.succeeded ? first : run('go', args, options)
}

/** Builds the verifier in the judge's folder. Returns its path. */
export async function buildVerifier({ work }: Court): Promise<string> {
  const path = join(work, 'verifier')
  const { succeeded, output } = await runGo(['build', '-o', path, '.'])
  if (!succeeded) throw new Error(`the verifier was not built:\n${output}`)
  return path
}

/** Installs a Go module's program in the judge's folder. Returns its path. */
export async function installProgram({ work }: Court, module: string, name: string): Promise<string> {
  const { succeeded, output } = await runGo(['install', module], { GOBIN: work })
  if (!succeeded) throw new Error(`${module} was not installed:\n${output}`)
  return join(work, name)
}
