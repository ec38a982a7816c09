import type { onResponseHookHandler } from 'fastify'
import fp from 'fastify-plugin'
import { type Aggregator, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { countRecords } from '../../db/upkeep/figures.ts'
import type { Peers } from '../../graph/jobs/peers.ts'
import { plainText, refusals } from '../../schemas/responses.ts'
import type { Connections } from '../http/connections/limits.ts'
import { METRICS_TYPE } from '../http/connections/metrics-server.ts'
import type { Plugin } from '../http/plugin.ts'
import { lastingMetrics, type Metrics, textOfMetrics } from './metric-sums.ts'

declare module 'fastify' {
  interface FastifyInstance {
    metrics: {
      /** Counts a login that was refused because of wrong credentials or too many attempts. */
      countRefusedLogin(reason: 'credentials' | 'identity' | 'throttled'): void
      /** Counts a request that was refused because its user or address exceeded this limit. */
      countExceededRate(budget: string): void
      /** Sets a function that returns the number of free bytes on the disk. */
      watchFreeBytes(ask: () => number | undefined): void
      /** Sets a function that returns the size of the audit log, and the age in seconds of the oldest event not yet in it. */
      watchAuditLog(ask: () => Promise<{ size: number; lag: number }>): void
      /** Counts a worker job that failed, or was stopped because it exceeded its time or memory limit. */
      countEndedJob(reason: string): void
      /** Returns the metrics in Prometheus's text format (0.0.4). */
      text(): Promise<string>
      /** Records the success or failure of a backup. */
      recordBackup(isMade: boolean): void
    }
  }
}

/** The interval at which a worker leaves its counts with the primary, in milliseconds. */
const LEAVING_INTERVAL = 1000

/** Histogram buckets in seconds, from a small GET to a search through all graphs. */
const DURATIONS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const TRANSACTIONS = [1, 2, 5, 10, 20, 50, 100, 200]

interface Options {
  connections: Connections
  version: string
  peers: Peers
}

/** The metrics of the server, which are those of all its processes together. */
const metrics: Plugin<Options> = async (app, { connections, version, peers }) => {
  const { store } = app
  const register = new Registry()
  const registers = [register]

  /**
   * Adds a gauge that is read on each scrape. If `read` returns undefined, the gauge keeps its last value. `aggregator` says how
   * the values of several processes become one.
   */
  function addGauge(
    name: string,
    help: string,
    read: () => Promise<number | undefined> | number,
    aggregator: Aggregator = 'sum'
  ) {
    new Gauge({
      name,
      help,
      registers,
      aggregator,
      async collect() {
        const value = await read()
        if (value !== undefined) this.set(value)
      }
    })
  }

  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of requests from the first byte to the last, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATIONS,
    registers
  })
  const loginsRefused = new Counter({
    name: 'graphstead_logins_refused_total',
    help: 'Logins refused, by reason.',
    labelNames: ['reason'],
    registers
  })
  for (const reason of ['credentials', 'identity', 'throttled']) loginsRefused.inc({ reason }, 0)
  const ratesExceeded = new Counter({
    name: 'graphstead_requests_refused_total',
    help: 'Requests refused because a user or address exceeded a rate limit, by limit.',
    labelNames: ['budget'],
    registers
  })
  const jobsEnded = new Counter({
    name: 'graphstead_jobs_ended_total',
    help: 'Jobs for large files and bodies that failed or exceeded a limit, by reason.',
    labelNames: ['reason'],
    registers
  })
  for (const reason of ['time', 'memory', 'failure']) jobsEnded.inc({ reason }, 0)
  const commits = new Histogram({
    name: 'graphstead_commit_duration_seconds',
    help: 'Time that the database took to commit changes to disk.',
    buckets: DURATIONS,
    registers
  })
  const transactions = new Histogram({
    name: 'graphstead_commit_units',
    help: 'Number of changes per commit.',
    buckets: TRANSACTIONS,
    registers
  })
  addGauge('graphstead_writes_waiting', 'Changes waiting to be committed.', () => store.waiting)
  new Gauge({
    name: 'graphstead_rows',
    help: 'Number of records, by table.',
    labelNames: ['table'],
    registers,
    aggregator: 'first',
    async collect() {
      await refresh(this, 'table', countRecords(store))
    }
  })
  new Gauge({
    name: 'graphstead_store_bytes',
    help: 'Size of the database, and of its write-ahead log.',
    labelNames: ['part'],
    registers,
    aggregator: 'first',
    async collect() {
      await refresh(this, 'part', store.sizes())
    }
  })
  if (store.usesReplica !== undefined) {
    const help = 'Whether the replica is used: 1, or 0 while the primary answers in its place.'
    addGauge('graphstead_replica_used', help, () => Number(store.usesReplica), 'min')
  }
  addGauge('graphstead_connections', 'Open connections.', () => connections.open)
  new Counter({
    name: 'graphstead_connections_cut_total',
    help: 'Connections closed by the server, by reason.',
    labelNames: ['reason'],
    registers,
    collect() {
      this.reset()
      for (const [reason, count] of Object.entries(connections.cuts)) this.inc({ reason }, count)
    }
  })
  let freeBytes: () => number | undefined = () => undefined
  new Gauge({
    name: 'graphstead_free_bytes',
    help: 'Free disk space of the data folder in bytes; absent if it is not measured.',
    registers,
    aggregator: 'first',
    collect() {
      const bytes = freeBytes()
      if (bytes === undefined) this.remove()
      else this.set(bytes)
    }
  })
  let auditLog: () => Promise<Record<string, number>> = async () => ({})
  const readLog = (field: 'size' | 'lag') => () =>
    auditLog().then(
      (log) => log[field],
      () => undefined
    )
  addGauge(
    'graphstead_audit_log_size',
    'Number of events that the latest checkpoint of the audit log covers.',
    readLog('size'),
    'max'
  )
  addGauge(
    'graphstead_audit_log_lag_seconds',
    'Age of the oldest event that is not yet in the audit log; 0 if there is none.',
    readLog('lag'),
    'first'
  )
  const lastBackup = new Gauge({
    name: 'graphstead_backup_last_success_timestamp_seconds',
    help: 'Unix timestamp of the last successful backup, or 0 before the first.',
    registers,
    aggregator: 'max'
  })
  const backupsFailed = new Counter({
    name: 'graphstead_backups_failed_total',
    help: 'Backups that failed.',
    registers
  })
  new Gauge({
    name: 'graphstead_info',
    help: 'Version of the running server.',
    labelNames: ['version'],
    registers,
    aggregator: 'first'
  }).set({ version }, 1)

  store.onCommit = (count, milliseconds) => {
    transactions.observe(count)
    commits.observe(milliseconds / 1000)
  }
  /** Whether a request was counted since the counts were last left with the primary. */
  let hasNewCounts = false
  app.addHook('onRoute', (route) => {
    const observers = new Map([route.method].flat().map((method) => [method, observerOf(requests, method, route.url)]))
    const measure: onResponseHookHandler = ({ method }, { statusCode, elapsedTime }, done) => {
      hasNewCounts = true
      // A GET route also handles HEAD requests, which have their own observer.
      observers.get(method)?.(statusCode, elapsedTime / 1000)
      done()
    }
    route.onResponse = [measure, ...[route.onResponse ?? []].flat()]
  })
  const observeUnknown = observerOf(requests, 'any', 'none')
  app.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    if (request.is404) {
      hasNewCounts = true
      observeUnknown(statusCode, elapsedTime / 1000)
    }
    done()
  })
  // Process metrics (memory, CPU, garbage collection, event loop delay) are collected starting with the first scrape.
  let measuresProcess = false
  function measureProcess() {
    if (measuresProcess || !app.server.listening) return
    measuresProcess = true
    collectDefaultMetrics({ register })
  }

  const leaveCounts = async () => {
    hasNewCounts = false
    peers.leave('metrics', await lastingMetrics(register))
  }
  /** Returns the metrics of this process, and leaves at least the same counts, so that the sums never decrease. */
  async function ownMetrics() {
    measureProcess()
    const metrics = await register.getMetricsAsJSON()
    await leaveCounts()
    return metrics
  }
  peers.onAsked('metrics', ownMetrics)
  const timer = setInterval(() => {
    if (!hasNewCounts || peers.size === 1) return
    leaveCounts().catch((error: unknown) =>
      app.log.error({ err: error }, 'the counts could not be left with the primary')
    )
  }, LEAVING_INTERVAL).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await leaveCounts()
  })

  app.decorate('metrics', {
    countRefusedLogin: (reason) => loginsRefused.inc({ reason }),
    countEndedJob: (reason) => jobsEnded.inc({ reason }),
    countExceededRate: (budget) => ratesExceeded.inc({ budget }),
    watchFreeBytes(ask) {
      freeBytes = ask
    },
    watchAuditLog(ask) {
      auditLog = ask
    },
    async text() {
      measureProcess()
      const others = await peers.ask<Metrics>('metrics')
      return others.length === 0 ? register.metrics() : textOfMetrics([await ownMetrics(), ...others])
    },
    recordBackup(isMade) {
      if (isMade) lastBackup.setToCurrentTime()
      else backupsFailed.inc()
    }
  })
}

/** Returns a function that observes a route's requests. It caches the series for each status, since looking them up is slow. */
function observerOf(requests: Histogram, method: string, route: string) {
  const byStatus: ReturnType<Histogram['labels']>[] = []
  return (status: number, seconds: number) => {
    byStatus[status] ??= requests.labels({ method, route, status: String(status) })
    byStatus[status].observe(seconds)
  }
}

/** Sets the values of a gauge by label. If they cannot be read, they are omitted, and other metrics are unaffected. */
async function refresh(gauge: Gauge, label: string, values: Promise<Record<string, number>>) {
  gauge.reset()
  const known = await values.catch(() => ({}))
  for (const [name, value] of Object.entries(known)) gauge.set({ [label]: name }, value)
}

/** Serves the metrics. The context admits only administrators. */
export const metricsPage: Plugin = async (app) => {
  app.get('/metrics', {
    config: { scope: 'read:audits' },
    schema: {
      tags: ['health'],
      operationId: 'readMetrics',
      summary: 'Fetch the metrics',
      description:
        'Returns the metrics in the Prometheus text format (0.0.4). With `--metrics-port`, the same metrics are served on a separate port without authentication.',
      response: { 200: plainText('The metrics.', METRICS_TYPE), ...refusals(400) }
    },
    handler: async (_request, reply) => reply.type(METRICS_TYPE).send(await app.metrics.text())
  })
}

export default fp(metrics, { name: 'metrics', dependencies: ['store'] })
