/** A line on the terminal that tells how far something is. Silent where there is no terminal. */
export function progressLine(label: string, total: number, stream: NodeJS.WriteStream = process.stderr) {
  const shown = stream.isTTY && total > 1
  return {
    /** So many are done; `note` says what is at hand. */
    update(done: number, note: string) {
      if (!shown) return
      const width = 24
      const filled = Math.round((done / total) * width)
      const line = `${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} ${note}`
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    /** Takes the line away again. */
    clear() {
      if (shown) stream.write('\r\u001b[2K')
    }
  }
}
