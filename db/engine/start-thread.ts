import type { Worker, WorkerOptions } from 'node:worker_threads'

/**
 * Starts the thread whose code is the file of this name beside the module that asks, which gives its `import.meta.url`.
 * The program hands this in: it knows whether it has files.
 */
export type StartThread = (name: string, beside: string, options: WorkerOptions) => Worker
