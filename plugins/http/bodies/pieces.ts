import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** The number of bytes per response to hand to the operating system at once. */
const PIECE = 64 * 1024

/**
 * The number of pieces per response and iteration of the event loop. Without this limit, the system might accept megabytes at
 * once.
 */
const PIECES_IN_A_TURN = 4

/**
 * Returns the bytes as a stream of small pieces, without copying them. If they were written as a whole, the connection would hold
 * them, and TLS would copy them, for as long as the client takes.
 */
export function inPieces(...buffers: Buffer[]): Readable {
  return streamInPieces(buffers)
}

/** The same for bytes that arrive over time. The next chunk is requested when the client has taken most of the previous ones. */
export function streamInPieces(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Readable {
  return Readable.from(piecesOf(chunks), { objectMode: false, highWaterMark: PIECE })
}

async function* piecesOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  let pieces = 0
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += PIECE) {
      yield chunk.subarray(start, start + PIECE)
      if (++pieces % PIECES_IN_A_TURN === 0) await setImmediate()
    }
  }
}

/** Sends bytes that several responses share, and that therefore do not count towards any user's limit. */
export function sendShared(reply: unknown, bytes: Buffer) {
  return (reply as FastifyReply).header('content-length', String(bytes.length)).send(inPieces(bytes)) as never
}
