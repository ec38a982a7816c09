import { printable } from './printable.ts'

/** Creates a progress line on the terminal. It prints nothing if there is no terminal, or the terminal cannot erase a line. */
export function progressLine(label: string, stream: NodeJS.WriteStream = process.stderr) {
  return {
    /** Shows `done` of `total`. `note` describes the current item. */
    update(done: number, total: number, note: string) {
      if (!isCapable(stream) || total <= 1) return
      const width = 24
      const filled = Math.round((done / total) * width)
      const line = `${printable(label)} [${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done}/${total} ${printable(note)}`
      stream.write(`\r\u001b[2K${line.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    /** Removes the line. */
    clear() {
      if (isCapable(stream)) stream.write('\r\u001b[2K')
    }
  }
}

function isCapable({ isTTY }: NodeJS.WriteStream) {
  return isTTY && process.env.TERM !== 'dumb'
}
