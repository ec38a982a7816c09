/** An answer that emits `close` when it has ended, completely or not. */
interface Closing {
  destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Calls once when the answer has ended: at once if its client has left already. */
export function whenClosed(response: Closing, call: () => void) {
  if (response.destroyed) call()
  else response.once('close', call)
}
