import type { Server } from 'node:http'
import type { Connections } from '../../plugins/http/connections/limits.ts'
import { serveMetrics } from '../../plugins/http/connections/metrics-server.ts'
import type { Settings } from '../../schemas/settings.ts'
import { BadSetting } from '../settings/config.ts'

/** Serves the metrics on their own port, if there is one. Throws BadSetting if it cannot be used. */
export async function openMetricsPort(
  text: () => Promise<string>,
  { host, metricsPort: port }: Settings,
  connections: Connections
): Promise<Server | undefined> {
  if (port === undefined) return undefined
  return serveMetrics(text, { host, port, connections }).catch((error: Error) => {
    throw new BadSetting(`--metrics-port: cannot listen: ${error.message}`)
  })
}

/** Closes the port and its connections. */
export function closeMetricsPort(server: Server | undefined) {
  server?.close()
  server?.closeAllConnections()
}
