import { AggregatorRegistry, Counter, Histogram, type Registry } from 'prom-client'

/** The metrics of a process, as objects. */
export type Metrics = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/** Returns the metrics of several processes together in Prometheus's text format (0.0.4). */
export function textOfMetrics(metrics: Metrics[]): Promise<string> {
  return AggregatorRegistry.aggregate(metrics).metrics()
}

/** Adds up the metrics of several processes. */
export function sumOfMetrics(metrics: Metrics[]): Metrics {
  const sums = AggregatorRegistry.aggregate(metrics).getMetricsAsArray() as unknown as Metrics
  return sums.map(
    ({ help, name, type, aggregator, values }) => ({ help, name, type, aggregator, values }) as Metrics[number]
  )
}

/** Returns the counters and histograms, which still count when the process has ended. */
export async function countsOf(register: Registry): Promise<Metrics> {
  const metrics = register.getMetricsAsArray() as unknown[]
  const counts = metrics.filter((metric) => metric instanceof Counter || metric instanceof Histogram)
  return (await Promise.all(counts.map((metric) => metric.get()))) as Metrics
}
