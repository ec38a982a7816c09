/** A response that emits `close` when it has ended, whether it is complete or not. */
interface Closing {
  destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Calls the function once when the response has ended, or immediately if the client has already disconnected. */
export function whenClosed(response: Closing, call: () => void) {
  if (response.destroyed) call()
  else response.once('close', call)
}
