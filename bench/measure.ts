import { type Exchange, type Load, load } from './load.ts'
import type { Server } from './processes.ts'

/** A server to measure, and its requests. */
export interface Contender {
  server: Server
  next(connection: number): Exchange
}

export interface Plan {
  connections: number
  /** The number of rounds. Each round measures each contender once, so that noise affects all of them equally. */
  rounds: number
  /** The duration of one measurement, in milliseconds. */
  duration: number
  /** The duration of the warm-up for compilation and caches, in milliseconds. */
  warmUp: number
  /** Pauses all other contenders during a measurement, so that their background work counts only towards their own rounds. */
  alone?: boolean
}

/** The figures for one contender, as medians over all rounds. */
export interface Figures {
  server: string
  rate: number
  p50: number
  p99: number
  /** The range of the rounds' rates, relative to the median. */
  spread: number
  /** The contender's memory use after the last round, in MiB. */
  memory: number
  rounds: Load[]
}

/** Measures the contenders in turn, round after round. Throws WrongAnswer. */
export async function measure<const T extends readonly Contender[]>(
  contenders: T,
  plan: Plan
): Promise<{ -readonly [Place in keyof T]: Figures }> {
  const { connections, rounds, duration, warmUp, alone = false } = plan
  const resume = (isOn: (contender: Contender) => boolean) => {
    if (!alone) return
    for (const contender of contenders) contender.server.child.kill(isOn(contender) ? 'SIGCONT' : 'SIGSTOP')
  }
  const run = (contender: Contender, time: number) => {
    const { server, next } = contender
    resume((other) => other === contender)
    return load({ port: server.port, connections, duration: time, next })
  }
  const loads: Load[][] = contenders.map(() => [])
  try {
    for (const contender of contenders) await run(contender, warmUp)
    for (let round = 0; round < rounds; round++) {
      for (const [index, contender] of contenders.entries()) loads[index]?.push(await run(contender, duration))
    }
  } finally {
    resume(() => true)
  }
  const figures = contenders.map(({ server }, index) => figuresOf(server, loads[index] ?? []))
  return figures as { -readonly [Place in keyof T]: Figures }
}

function figuresOf(server: Server, rounds: Load[]): Figures {
  const rates = rounds.map(({ rate }) => rate)
  const rate = median(rates)
  return {
    server: server.name,
    rate,
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
    spread: (Math.max(...rates) - Math.min(...rates)) / rate,
    memory: server.memory(),
    rounds
  }
}

/** Returns the ratio of the contenders' figures: the median of the rounds' ratios. */
export function ratio(first: Figures, second: Figures, figure: 'rate' | 'p50' | 'p99') {
  return median(first.rounds.map((load, round) => load[figure] / (second.rounds[round]?.[figure] ?? Number.NaN)))
}

/** Returns how long the task takes, in milliseconds. */
export async function timed(task: () => unknown) {
  const start = performance.now()
  await task()
  return performance.now() - start
}

export function median(values: number[]) {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

/** Returns the percentile of the values for a fraction from 0 to 1. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
