import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** The bytes of each answer that are with the system at once. */
const PIECE = 64 * 1024

/** The pieces of each answer that go to the system in a turn of the event loop. The system may take megabytes at once. */
const PIECES_IN_A_TURN = 4

/**
 * Returns the bytes as a stream of small pieces, without copies. Written whole, the connection would hold them, and TLS copy
 * them, for as long as the client takes.
 */
export function inPieces(...buffers: Buffer[]): Readable {
  return streamInPieces(buffers)
}

/** The same for bytes that come by and by: the next are asked for when the client has taken most of those before. */
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

/** Answers with bytes that all answers share, and that therefore count for no user. */
export function sendShared(reply: unknown, bytes: Buffer) {
  return (reply as FastifyReply).header('content-length', String(bytes.length)).send(inPieces(bytes)) as never
}
