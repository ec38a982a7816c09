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
  return Readable.from(piecesOf(buffers), { objectMode: false, highWaterMark: PIECE })
}

async function* piecesOf(buffers: Buffer[]) {
  let pieces = 0
  for (const buffer of buffers) {
    for (let start = 0; start < buffer.length; start += PIECE) {
      yield buffer.subarray(start, start + PIECE)
      if (++pieces % PIECES_IN_A_TURN === 0) await setImmediate()
    }
  }
}

/** Answers with bytes that all answers share, and that therefore count for no user. */
export function sendShared(reply: unknown, bytes: Buffer) {
  return (reply as FastifyReply).header('content-length', String(bytes.length)).send(inPieces(bytes)) as never
}
