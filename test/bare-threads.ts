import { syncBuiltinESMExports } from 'node:module'
import workers, { type WorkerOptions } from 'node:worker_threads'

// Loaded before every test file, see .taprc. By itself a thread loads again what the command line of its process loads: in a
// test the tools of tap, which takes most of the time that the thread takes to start.

workers.Worker = class Worker extends workers.Worker {
  constructor(code: string | URL, options?: WorkerOptions) {
    super(code, { execArgv: [], ...options })
  }
}
syncBuiltinESMExports()
