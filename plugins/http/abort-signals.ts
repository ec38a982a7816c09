import type { ServerResponse } from 'node:http'

/** Returns a signal that aborts if the client disconnects before the response is sent, so that work on it can stop. */
export function abortSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}
