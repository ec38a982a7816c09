/** What tells that an answer has ended, well or not. */
interface Closing {
  destroyed: boolean
  once(event: 'close', listener: () => void): unknown
}

/** Calls once when the answer has ended; at once, if its client has gone already and it will not end again. */
export function whenClosed(response: Closing, call: () => void) {
  if (response.destroyed) call()
  else response.once('close', call)
}
