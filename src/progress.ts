/** A line on the terminal that tells how far something is. Silent where there is no terminal. */
export function progressLine(label: string, total: number, stream: NodeJS.WriteStream = process.stderr) {
  return {
    /** So many are done, of so many; `note` says what is at hand. */
    update(done: number, note: string, of = total) {
      if (!stream.isTTY || of <= 1) return
      const width = 24
      const filled = Math.round((done / of) * width)
      const line = `${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${of} ${note}`
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    /** Takes the line away again. */
    clear() {
      if (stream.isTTY) stream.write('\r\u001b[2K')
    }
  }
}
