import { write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// Standard output for lines that must not be lost and must not block the process, even if the reader stops reading for hours.

/**
 * The maximum number of bytes that a pipe writes atomically (PIPE_BUF on Linux). Log lines can therefore appear between our
 * lines, but never inside them.
 */
const WHOLE = 4096

/** How long to wait for the reader to free space, and the pause between attempts, in milliseconds. */
const [PATIENCE, PAUSE] = [1000, 20]

/**
 * Writes the first few of these lines to standard output. Returns the number of bytes written. Throws if the reader accepts no
 * data.
 */
export async function writeOutput(lines: Uint8Array): Promise<number> {
  const piece = firstLines(lines)
  const deadline = performance.now() + PATIENCE
  for (;;) {
    try {
      return await writePiece(piece)
    } catch (error) {
      const isFull = (error as NodeJS.ErrnoException).code === 'EAGAIN'
      if (!isFull || performance.now() > deadline) throw error
      await sleep(PAUSE, undefined, { ref: false })
    }
  }
}

/** Returns as many whole lines as fit, but at least the first one. */
function firstLines(lines: Uint8Array): Uint8Array {
  if (lines.length <= WHOLE) return lines
  const last = lines.lastIndexOf(0x0a, WHOLE - 1)
  return lines.subarray(0, (last < 0 ? lines.indexOf(0x0a) : last) + 1)
}

function writePiece(piece: Uint8Array): Promise<number> {
  // Node.js makes a pipe non-blocking as soon as the stream is accessed.
  const { fd } = process.stdout
  return new Promise((resolve, reject) =>
    write(fd, piece, (error, written) => (error ? reject(error) : resolve(written)))
  )
}
