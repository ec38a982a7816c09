import { UndefinedMeasure, type UndefinedReason } from '../../../picture/measures/undefined-measure.ts'

/** A worker's message: the completed fraction, from 0 to 1, or finally the value, or why it is undefined. */
export type TaskMessage<Value> = { share: number } | { value: Value } | { reason: UndefinedReason }

/** The time between reports, in milliseconds. */
const INTERVAL = 100

/** Computes a value in a worker, and sends it and the progress to the page. */
export function answer<Value>(compute: (report: (share: number) => void) => Value) {
  let last = performance.now()
  const send = (message: TaskMessage<Value>) => self.postMessage(message)
  try {
    const value = compute((share) => {
      const now = performance.now()
      if (now - last < INTERVAL) return
      last = now
      send({ share })
    })
    send({ value })
  } catch (error) {
    if (!(error instanceof UndefinedMeasure)) throw error
    send({ reason: error.reason })
  }
}
