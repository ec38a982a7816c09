/** Exits in an orderly way on SIGINT and SIGTERM, so that unfinished files are removed. */
export function exitOnSignals() {
  for (const [signal, code] of Object.entries({ SIGINT: 130, SIGTERM: 143 }))
    process.once(signal, () => process.exit(code))
}
