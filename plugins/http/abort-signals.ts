import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Returns a signal that aborts if the client disconnects before the response is sent, so that work on it can stop. */
export function abortSignalOf(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Runs the task with a signal that aborts if the connection closes in the meantime. */
export async function whileConnected<T>(socket: Socket, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (socket.destroyed) abort()
  socket.once('close', abort)
  try {
    return await task(controller.signal)
  } finally {
    socket.off('close', abort)
  }
}
