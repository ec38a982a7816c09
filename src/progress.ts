/** A progress line on the terminal. Silent without a terminal. */
export function progressLine(label: string, total: number, stream: NodeJS.WriteStream = process.stderr) {
  return {
    /** Shows `done` of `of`; `note` names the current item. */
    update(done: number, note: string, of = total) {
      if (!stream.isTTY || of <= 1) return
      const width = 24
      const filled = Math.round((done / of) * width)
      const line = `${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${of} ${note}`
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    /** Removes the line. */
    clear() {
      if (stream.isTTY) stream.write('\r\u001b[2K')
    }
  }
}
