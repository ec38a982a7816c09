/**
 * Calls a listener of the store. If it throws, the process gets a warning: the outcome of a transaction does not depend on who is
 * told of it.
 */
export function notify(listener: () => void) {
  try {
    listener()
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error))
  }
}
