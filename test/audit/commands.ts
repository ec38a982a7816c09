import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { build } from '../support/helper.ts'
import { runProgram } from '../support/program.ts'

export type Server = Awaited<ReturnType<typeof build>>

/** Returns the arguments that select the server's database. */
export function placeOf({ url, folder }: Server) {
  return url === undefined ? ['--data', folder] : ['--database', url]
}

/** Starts the command at low priority, and kills it once the condition holds. Returns its exit code. */
export async function killOnce(args: string[], { folder }: Server, holds: () => Promise<boolean>) {
  const file = join(folder, 'pid')
  const command = runProgram(args, {}, '', `echo $$ > ${file}; exec nice -n 19 "$@"`)
  while (!(await holds())) await sleep(2)
  process.kill(Number(readFileSync(file, 'utf8')), 'SIGKILL')
  return (await command).code
}
