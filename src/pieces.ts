import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** So many bytes are with the system at once, for each who is sent something. */
const PIECE = 64 * 1024

/**
 * The bytes as a stream of small pieces, none of which is copied: written whole, they would be held by the connection, and
 * copied by TLS, for as long as the client takes.
 */
export function inPieces(...buffers: Buffer[]): Readable {
  return Readable.from(piecesOf(buffers), { objectMode: false, highWaterMark: PIECE })
}

function* piecesOf(buffers: Buffer[]) {
  for (const buffer of buffers) {
    for (let start = 0; start < buffer.length; start += PIECE) yield buffer.subarray(start, start + PIECE)
  }
}

/** Answers with bytes that all answers share, and that therefore count for none. */
export function sendShared(reply: unknown, bytes: Buffer) {
  return (reply as FastifyReply).header('content-length', String(bytes.length)).send(inPieces(bytes)) as never
}
