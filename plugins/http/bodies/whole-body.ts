import type { Readable } from 'node:stream'
import { errorCodes, type FastifyRequest } from 'fastify'
import { takeTurn } from '../../../graph/jobs/turns.ts'

/** The number of bytes to join per iteration of the event loop. */
const PIECE = 256 * 1024

/**
 * Chunks up to this size in bytes are merged, since each Buffer has 300 bytes of overhead. The first `FEW` chunks are not
 * copied.
 */
const SMALL = 4096
const FEW = 16

const EMPTY = Buffer.alloc(0)

/**
 * Reads the whole body of a request. Throws Fastify's errors if it exceeds the route's limit, or if its length differs from the
 * declared one.
 */
export async function readWholeBody(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const { 'content-length': announced } = request.headers
  const { bodyLimit } = request.routeOptions
  if (Number(announced) > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  const { chunks, length } = await receive(payload, bodyLimit)
  if (announced !== undefined && length !== Number(announced)) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
  return join(chunks, length)
}

function receive(payload: Readable, limit: number) {
  return new Promise<{ chunks: Buffer[]; length: number }>((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    /**
     * Space for small chunks, the number of bytes filled, and the start of the last element of `chunks` if it lies in that
     * space.
     */
    let space = EMPTY
    let filled = 0
    let start: number | undefined
    payload.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        // The rest is discarded.
        chunks.length = 0
        return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      }
      if (chunks.length < FEW || chunk.length > SMALL) {
        chunks.push(chunk)
        start = undefined
        return
      }
      if (filled + chunk.length > space.length) {
        space = Buffer.allocUnsafeSlow(PIECE)
        filled = 0
        start = undefined
      }
      if (start === undefined) {
        start = filled
        chunks.push(EMPTY)
      }
      chunk.copy(space, filled)
      filled += chunk.length
      chunks[chunks.length - 1] = space.subarray(start, filled)
    })
    payload.on('end', () => resolve({ chunks, length }))
    // Treats an interrupted body as a client error, unless the error has a different status.
    payload.on('error', (error) =>
      reject(Object.assign(error, { statusCode: (error as { statusCode?: number }).statusCode ?? 400 }))
    )
  })
}

/** Joins the chunks into one buffer. Large bodies are joined piece by piece, so that they do not block the event loop. */
async function join(chunks: Buffer[], length: number) {
  if (length <= PIECE) return Buffer.concat(chunks, length)
  const whole = Buffer.allocUnsafeSlow(length)
  let [offset, pieceEnd] = [0, 0]
  for (const [index, chunk] of chunks.entries()) {
    if (offset >= pieceEnd) {
      await takeTurn()
      pieceEnd = offset + PIECE
    }
    offset += chunk.copy(whole, offset)
    // Frees each chunk once it is copied. Otherwise, a body would take up twice its size in memory.
    chunks[index] = EMPTY
  }
  return whole
}
