import { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { chargeTurns, takeTurn } from '../../../graph/jobs/turns.ts'

/** The minimum size of chunks that are passed on as they arrive, in bytes. */
const LARGE = 4096

/** After gathering this many chunks, which takes about a millisecond, the connection waits for a turn. */
const MANY = 256

/** After the response, the client may send this many more chunks, or more if their average size is at least `AVERAGE` bytes. */
const UNWANTED = 1000
const AVERAGE = 64

/**
 * Gathers the small chunks of a chunked body (RFC 9112, section 7.1) that arrive together, since a small chunk costs as much to
 * process as a large one. A connection that sends many of them has to wait for turns, and is closed if it continues after the
 * response.
 */
export function gatherChunks({ raw, sender }: FastifyRequest, reply: FastifyReply) {
  if (raw.headers['transfer-encoding'] === undefined || !(raw instanceof IncomingMessage)) return
  const push = raw.push.bind(raw)
  const read = raw._read.bind(raw)
  let gathered: Buffer[] = []
  let [chunks, bytes] = [0, 0]
  let isWaiting = false
  let isWanted = false
  let begunAt = 0

  function pushGathered() {
    const pieces = gathered
    gathered = []
    if (pieces.length >= MANY) chargeTurns(sender.holder, performance.now() - begunAt)
    if (pieces.length === 0 || raw.destroyed) return
    if (!push(Buffer.concat(pieces))) raw.socket.pause()
    if (pieces.length >= MANY) wait()
  }

  function wait() {
    isWaiting = true
    raw.socket.pause()
    const goOn = () => {
      isWaiting = false
      if (isWanted) read(LARGE)
      isWanted = false
    }
    takeTurn(sender).then(goOn, goOn)
  }

  raw._read = (size) => {
    if (isWaiting) isWanted = true
    else read(size)
  }
  raw.push = (chunk: Buffer | null) => {
    if (raw.destroyed) return true
    if (chunk !== null) {
      chunks++
      bytes += chunk.length
      if (reply.raw.writableEnded && chunks > UNWANTED && bytes < chunks * AVERAGE) raw.socket.destroy()
      else if (gathered.length > 0 || chunk.length < LARGE) {
        const count = gathered.push(chunk)
        // Otherwise, the system could deliver up to 2 MiB at once.
        if (count === MANY) raw.socket.pause()
        if (count > 1) return true
        begunAt = performance.now()
        setImmediate(pushGathered)
        return true
      }
    }
    pushGathered()
    return push(chunk)
  }
}

/** Reads a chunked body that no handler reads, so that its chunks are counted. Node.js would discard them uncounted. */
export function readUnreadChunks({ raw }: FastifyRequest) {
  if (raw.headers['transfer-encoding'] !== undefined && raw.readableFlowing === null) raw.resume()
}
