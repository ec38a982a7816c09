import { AggregatorRegistry, Counter, Histogram, type Metric, type Registry } from 'prom-client'

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

/** Returns the metrics that still hold when their process has ended: what it counted, and the maximum that it reached. */
export async function lastingMetrics(register: Registry): Promise<Metrics> {
  const metrics = register.getMetricsAsArray() as unknown[] as (Metric & { aggregator?: string })[]
  const isLasting = (metric: (typeof metrics)[number]) =>
    metric instanceof Counter || metric instanceof Histogram || metric.aggregator === 'max'
  return (await Promise.all(metrics.filter(isLasting).map((metric) => metric.get()))) as Metrics
}
