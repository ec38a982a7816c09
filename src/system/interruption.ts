/** The exit codes after signals. Windows sends the last two for Ctrl-Break and when the console is closed. */
const codes = { SIGINT: 130, SIGTERM: 143, ...(process.platform === 'win32' && { SIGBREAK: 149, SIGHUP: 129 }) }

/** Exits cleanly on signals, so that incomplete files are removed. */
export function exitOnSignals() {
  for (const [signal, code] of Object.entries(codes)) process.once(signal, () => process.exit(code))
}
