import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

// Node.js ends the whole process if a thread is ended between the two steps of creating a compressor
// ("close before init"). A thread therefore marks such sections, and the thread that ends it waits for their end.

/** States of a gate. */
const FREE = 0
const UNINTERRUPTIBLE = 1
const ENDING = 2

/** The gate of this thread, if it is one that may be ended. */
let ownGate: Int32Array | undefined

/** Creates the gate that a thread shares with the one that ends it. */
export function makeGate() {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** A thread that may be ended calls this once with its gate. */
export function endableBy(gate: Int32Array) {
  ownGate = gate
}

/** Runs work, of milliseconds at most, that the end of the thread must not interrupt. */
export function uninterruptible<T>(work: () => T): T {
  if (!ownGate) return work()
  while (Atomics.compareExchange(ownGate, 0, FREE, UNINTERRUPTIBLE) !== FREE) {
    // Waits here for the thread to be ended.
  }
  try {
    return work()
  } finally {
    Atomics.store(ownGate, 0, FREE)
  }
}

/** Ends the thread when its gate allows. Resolves when it has ended. */
export async function endThread(worker: Worker, gate: Int32Array) {
  // A thread that has ended by itself has no id, and its gate may stay closed.
  while (worker.threadId >= 0 && Atomics.compareExchange(gate, 0, FREE, ENDING) !== FREE) await sleep(1)
  await worker.terminate()
}
