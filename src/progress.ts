import { printable } from './printable.ts'

/** A progress line on the terminal. Silent without a terminal. */
export function progressLine(label: string, stream: NodeJS.WriteStream = process.stderr) {
  return {
    /** Shows `done` of `total`; `note` names the current item. */
    update(done: number, total: number, note: string) {
      if (!stream.isTTY || total <= 1) return
      const width = 24
      const filled = Math.round((done / total) * width)
      const line = `${label} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} ${printable(note)}`
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    /** Removes the line. */
    clear() {
      if (stream.isTTY) stream.write('\r\u001b[2K')
    }
  }
}
