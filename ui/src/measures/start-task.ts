import type { UndefinedReason } from '../../../picture/measures/undefined-measure.ts'
import type { TaskMessage } from './worker-answer.ts'

export interface TaskEvents<Value> {
  /** Called with the completed fraction, from 0 to 1. */
  onShare(share: number): void
  onValue(value: Value): void
  /** Called with the reason if the value is undefined for the network. */
  onFailure(reason: UndefinedReason | undefined): void
}

/** Runs a task in a new worker. Returns a function that stops it. */
export function startTask<Task, Value>(
  worker: Worker,
  task: Task,
  { onShare, onValue, onFailure }: TaskEvents<Value>
): () => void {
  worker.onmessage = ({ data }: MessageEvent<TaskMessage<Value>>) => {
    if ('share' in data) return onShare(data.share)
    worker.terminate()
    if ('reason' in data) onFailure(data.reason)
    else onValue(data.value)
  }
  worker.onerror = () => {
    worker.terminate()
    onFailure(undefined)
  }
  worker.postMessage(task)
  return () => worker.terminate()
}
