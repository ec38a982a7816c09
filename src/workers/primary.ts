import { system } from '../../db/actors.ts'
import { recordEvent } from '../../db/audit/events.ts'
import { openStore } from '../../db/engine/open.ts'
import type { Store } from '../../db/store.ts'
import { connectionsFor } from '../../plugins/http/connections/limits.ts'
import { type Metrics, sumOfMetrics, textOfMetrics } from '../../plugins/server/metric-sums.ts'
import type { Settings } from '../../schemas/settings.ts'
import { BadSetting, readSecret } from '../settings/config.ts'
import { startThread } from '../system/assets.ts'
import { endingSignals } from '../system/platform.ts'
import { printError } from '../system/terminal.ts'
import { version } from '../system/version.ts'
import { ADMIN_PASSWORD, createFirstAdministrator } from './first-administrator.ts'
import { closeMetricsPort, openMetricsPort } from './metrics-port.ts'
import { WorkerEnded, WorkerPool } from './pool.ts'
import { bindPort, untilFree } from './port.ts'
import { LONGEST_STOP, readFiles } from './service.ts'
import { Switchboard } from './switchboard.ts'

/** Runs a server whose requests are served by this many workers. This process only holds the port. Returns the exit code. */
export async function runPrimary(config: Settings, count: number, command: readonly string[]): Promise<number> {
  // The workers would each report a fault in these.
  const files = readFiles(config)
  const password = readSecret(ADMIN_PASSWORD, process.env)
  const withStore = async (work: (store: Store) => Promise<unknown>) => {
    const store = await openStore(config, () => files.database, startThread)
    await work(store).finally(() => store.close())
  }
  await withStore((store) => createFirstAdministrator(store, password))
  const port = await untilFree(() => bindPort(config.host, config.port)).catch((error: Error) => {
    throw new BadSetting(`--host and --port: cannot listen: ${error.message}`)
  })
  const stopped = new Promise<NodeJS.Signals>((resolve) => {
    for (const signal of endingSignals(process.stdin.isTTY)) process.on(signal, resolve)
  })
  const board = new Switchboard(sumOfMetrics)
  const pool = new WorkerPool({ command, port, board, warn: printError })
  const metrics = await openMetricsPort(
    async () => textOfMetrics(await board.ask<Metrics>('metrics')),
    config,
    connectionsFor(config)
  )
  if (process.platform !== 'win32') process.on('SIGHUP', () => pool.replaceAll())
  try {
    const first = Promise.all(Array.from({ length: count }, (_, index) => pool.add(index + 1)))
    const urls = await Promise.race([first, stopped.then(() => undefined)])
    if (urls) {
      await withStore((store) =>
        store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STARTED', data: { version } }))
      )
      printError(`Graphstead is running at ${urls[0]}, with its API documented at ${urls[0]}/docs`)
    }
    const signal = await stopped
    // Otherwise, the system would still accept connections after the workers have closed the port.
    port.close()
    await pool.stopAll(signal, LONGEST_STOP)
    if (urls)
      await withStore((store) =>
        store.write((trx) => recordEvent(trx, system, { type: 'SERVER_STOPPED', data: { signal } }))
      )
    return 0
  } catch (error) {
    await pool.stopAll('SIGINT', LONGEST_STOP)
    // The worker has reported why.
    if (error instanceof WorkerEnded) return error.exitCode
    throw error
  } finally {
    closeMetricsPort(metrics)
  }
}
