import type { Command } from '../command.ts'
import { createDemoFolder, removeDemoFolder } from '../demo/folder.ts'
import { demoSettings, readDemoConfig } from '../settings/demo.ts'
import { serverUsage } from '../settings/usage.ts'
import { thisProgram } from '../system/assets.ts'
import { endingSignals } from '../system/platform.ts'
import { ADMIN_PASSWORD, FIRST_LOGIN } from '../workers/first-administrator.ts'
import { runPrimary } from '../workers/primary.ts'
import { runServer } from '../workers/server.ts'
import { exitEarly } from '../workers/service.ts'
import { runWorker, workerNumber } from '../workers/worker.ts'

export const help = serverUsage(
  'serve [options]',
  'Runs the server until it receives SIGTERM or SIGINT.',
  { Demo: demoSettings },
  `Each option is also an environment variable, such as GRAPHSTEAD_PORT; options override variables.

The first start creates the administrator ${FIRST_LOGIN} with the password in
${ADMIN_PASSWORD} or in the file that ${ADMIN_PASSWORD}_FILE points to, or
else with a random one, which it prints once.`
)

/** Runs the server until a signal stops it. */
const serve: Command = async (args) => {
  process.stderr.on('error', () => {})
  const { isDemo, settings } = readDemoConfig(args, process.env)
  const worker = workerNumber()
  if (worker !== undefined) return runWorker(settings, worker)
  if (!isDemo) {
    const command = [...thisProgram(), 'serve', ...args]
    if (settings.workers === 'auto') return runServer(settings, { command })
    const count = Number(settings.workers)
    return count === 1 ? runServer(settings) : runPrimary(settings, count, command)
  }
  const folder = createDemoFolder()
  // The exit handler also runs if open requests take too long and the process exits.
  process.on('exit', () => removeDemoFolder(folder))
  for (const signal of endingSignals(process.stdin.isTTY)) process.once(signal, exitEarly)
  try {
    return await runServer({ ...settings, data: folder }, { isDemo })
  } finally {
    removeDemoFolder(folder)
  }
}

export default serve
