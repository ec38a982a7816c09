import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

// Node.js ends the whole process where a thread is ended between the two steps in which it makes a compressor
// ("close before init"). So a thread says when it must not be ended, and whoever ends it waits until it may be.

/** What a gate says. */
const FREE = 0
const UNCUT = 1
const ENDING = 2

/** Of the thread that this is, if it is one that may be ended. */
let ownGate: Int32Array | undefined

/** Makes what a thread and whoever ends it have in common. */
export function makeGate() {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
}

/** To be called once by a thread that may be ended, with its gate. */
export function endableBy(gate: Int32Array) {
  ownGate = gate
}

/** Does what has to be whole before the thread is ended. It takes milliseconds at most. */
export function uncut<T>(work: () => T): T {
  if (!ownGate) return work()
  while (Atomics.compareExchange(ownGate, 0, FREE, UNCUT) !== FREE) {
    // The thread is being ended, here.
  }
  try {
    return work()
  } finally {
    Atomics.store(ownGate, 0, FREE)
  }
}

/** Ends the thread as soon as it may be ended. Resolves when it has ended. */
export async function endThread(worker: Worker, gate: Int32Array) {
  // A thread that has ended by itself says nothing any more, and has no id.
  while (worker.threadId >= 0 && Atomics.compareExchange(gate, 0, FREE, ENDING) !== FREE) await sleep(1)
  await worker.terminate()
}
