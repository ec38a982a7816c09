import type { Measures, Refusal } from '../../../picture/layout/placed.ts'
import { type Network, type Positions, pullsOf } from '../graph/network/network.ts'
import type { LayoutOrder, PinOrder } from './layout.worker.ts'
import type { LayoutStep, Method } from './task.ts'
import type { LayoutNews } from './worker-news.ts'

/** Returns default sizes for a network that is not drawn because its tables are open. */
export function usualMeasures({ nodes }: Network): Measures {
  return { radii: new Float32Array(nodes.length).fill(6), space: { width: 900, height: 650 } }
}

/** The maximum duration of a stepwise layout, in milliseconds. */
const LIMIT = 30_000

export interface Layout {
  /** Ends the iteration. The last step reported is the tidied result. */
  finish(): void
  /** Pins exactly these nodes at their positions while the layout runs. */
  pin(order: PinOrder): void
  /** Continues a layout that has ended before it settled. */
  resume(): void
  /** Ends the layout immediately. */
  stop(): void
}

interface LayoutEvents {
  onStep(step: LayoutStep): void
  onRefusal(refusal: Refusal): void
  onFailure(): void
}

/**
 * Runs a layout in a worker, starting from these positions. The sizes of the drawing and nodes are in pixels. Reports each step
 * until the layout has settled, run out of time or been stopped, or reports that the worker has failed.
 */
export function startLayout(
  {
    network,
    positions,
    method,
    pinned
  }: { network: Network; positions: Positions; method: Method; pinned: Uint8Array },
  { radii, space }: Measures,
  { onStep, onRefusal, onFailure }: LayoutEvents
): Layout {
  const worker = workerFor(method)
  const order = (order: LayoutOrder) => worker.postMessage(order)
  worker.onmessage = ({ data }: MessageEvent<LayoutNews>) => {
    if ('refusal' in data) {
      worker.terminate()
      return onRefusal(data.refusal)
    }
    const started = performance.now()
    onStep(data)
    if (data.isDone && !data.isUnsettled) return worker.terminate()
    if (data.isDone) return
    // Leaves as much time for user input as the step took to draw.
    requestAnimationFrame(() =>
      requestAnimationFrame(() => setTimeout(() => order('next'), performance.now() - started))
    )
  }
  worker.onerror = () => {
    worker.terminate()
    onFailure()
  }
  const { source, target } = network
  order({
    method,
    positions,
    source,
    target,
    weights: pullsOf(network),
    radii,
    space,
    pinned,
    keepsPositions: method.name === 'force' && method.keepsPositions,
    limit: LIMIT
  })
  return {
    finish: () => order('finish'),
    pin: order,
    resume: () => order('continue'),
    stop: () => worker.terminate()
  }
}

/** Starts the worker for a layout. The bundler recognises workers only in this exact form. */
function workerFor({ name }: Method): Worker {
  return name === 'layered'
    ? new Worker(new URL('./layered.worker.ts', import.meta.url), { type: 'module' })
    : new Worker(new URL('./layout.worker.ts', import.meta.url), { type: 'module' })
}
