import type { MeasureMessage, MeasureTask } from './measures.worker.ts'

interface MeasureEvents {
  /** Called with the completed fraction, from 0 to 1. */
  onShare(share: number): void
  onValues(values: Float64Array): void
  onFailure(): void
}

/** Computes a measure in a worker. Returns a function that stops the computation. */
export function startMeasure(task: MeasureTask, { onShare, onValues, onFailure }: MeasureEvents): () => void {
  const worker = new Worker(new URL('./measures.worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<MeasureMessage>) => {
    if ('share' in data) return onShare(data.share)
    worker.terminate()
    onValues(data.values)
  }
  worker.onerror = () => {
    worker.terminate()
    onFailure()
  }
  worker.postMessage(task)
  return () => worker.terminate()
}
