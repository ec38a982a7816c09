/** Ends the process in order when it is told to end, so that what it was writing is removed. */
export function endInOrder() {
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(code))
}
