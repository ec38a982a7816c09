import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

// Node.js aborts the process if a thread is terminated between the two steps of creating a compressor ("close before init").
// Threads therefore mark such sections, and a thread is terminated only after its section ends.

/** The states of a gate. */
const FREE = 0
const UNINTERRUPTIBLE = 1
const ENDING = 2

/** The gate of this thread, if another thread may terminate it. */
let ownGate: Int32Array | undefined

/** Creates a gate, to be shared between a thread and the thread that may terminate it. */
export function makeGate() {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** Sets the gate of this thread. Threads that may be terminated must call this once. */
export function endableBy(gate: Int32Array) {
  ownGate = gate
}

/** Runs work that must not be interrupted by termination. The work may take at most a few milliseconds. */
export function uninterruptible<T>(work: () => T): T {
  if (!ownGate) return work()
  while (Atomics.compareExchange(ownGate, 0, FREE, UNINTERRUPTIBLE) !== FREE) {
    // Spins until the thread is terminated.
  }
  try {
    return work()
  } finally {
    Atomics.store(ownGate, 0, FREE)
  }
}

/** Terminates the thread once its gate allows it. Resolves when the thread has exited. */
export async function endThread(worker: Worker, gate: Int32Array) {
  // A thread that has exited has a negative id, and its gate may remain closed.
  while (worker.threadId >= 0 && Atomics.compareExchange(gate, 0, FREE, ENDING) !== FREE) await sleep(1)
  await worker.terminate()
}
