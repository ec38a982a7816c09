import type { ServerResponse } from 'node:http'

/** Tells when the client has gone away, so that nobody goes on working for it. */
export function gone(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
