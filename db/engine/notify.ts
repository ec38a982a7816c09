/**
 * Calls a listener of the store. If the listener throws, only emits a process warning, so that listeners cannot affect the
 * outcome of a transaction.
 */
export function notify(listener: () => void) {
  try {
    listener()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
