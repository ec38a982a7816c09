import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** The maximum number of bytes of a response to pass to the operating system at once. */
const PIECE = 64 * 1024

/**
 * The maximum number of chunks per response in each iteration of the event loop. Otherwise, the system might accept megabytes
 * at once.
 */
const PIECES_IN_A_TURN = 4

/**
 * Returns the bytes as a stream of small chunks, without copying them. If the bytes were written all at once, the connection
 * would hold them, and TLS would hold a copy, until the client has received them.
 */
export function inPieces(...buffers: Buffer[]): Readable {
  return streamInPieces(buffers)
}

/**
 * Like `inPieces`, for bytes that arrive over time. The next chunk is requested once the client has received most of the
 * previous ones.
 */
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
