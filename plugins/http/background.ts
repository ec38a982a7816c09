import type { FastifyInstance } from 'fastify'

/** Runs the task while the server is listening. When the server closes, aborts `stop` and waits for the task to finish. */
export function runInBackground(app: FastifyInstance, stop: AbortController, task: () => Promise<void>) {
  let running: Promise<void> | undefined
  app.addHook('onListen', () => {
    running = task()
  })
  app.addHook('preClose', async () => {
    stop.abort()
    await running
  })
}
