import { write } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

// Standard output for lines that must not be lost, and must not make the process wait: its reader may take nothing for hours.

/** The most bytes that a pipe takes whole or not at all (PIPE_BUF of Linux). Lines of the log then come between ours and not into them. */
const WHOLE = 4096

/** The time for a reader to make room, and between two tries, in milliseconds. */
const [PATIENCE, PAUSE] = [1000, 20]

/** Writes the first lines of these to standard output. Returns how many bytes were written. Throws if the reader takes nothing. */
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

/** Returns as many whole lines as fit, or the first one. */
function firstLines(lines: Uint8Array): Uint8Array {
  if (lines.length <= WHOLE) return lines
  const last = lines.lastIndexOf(0x0a, WHOLE - 1)
  return lines.subarray(0, (last < 0 ? lines.indexOf(0x0a) : last) + 1)
}

function writePiece(piece: Uint8Array): Promise<number> {
  // Node.js has made a pipe one that does not wait, as soon as it has the stream.
  const { fd } = process.stdout
  return new Promise((resolve, reject) =>
    write(fd, piece, (error, written) => (error ? reject(error) : resolve(written)))
  )
}
