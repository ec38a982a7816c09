import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Tells when the client has gone away, so that nobody goes on working for it. */
export function gone(response: ServerResponse): AbortSignal {
  const controller = new AbortController()
  if (response.destroyed) controller.abort()
  response.once('close', () => {
    if (!response.writableFinished) controller.abort()
  })
  return controller.signal
}

/** Runs the task, which is told when the connection closes meanwhile. */
export async function whileThere<T>(socket: Socket, task: (signal: AbortSignal) => Promise<T>): Promise<T> {
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
