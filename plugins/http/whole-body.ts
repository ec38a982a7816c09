import type { Readable } from 'node:stream'
import { errorCodes, type FastifyRequest } from 'fastify'
import { takeTurn } from './turns.ts'

/** So many bytes are put together in a turn of the event loop. */
const PIECE = 256 * 1024

const EMPTY = Buffer.alloc(0)

/** The body of a request, whole. Throws Fastify's errors where it is longer than its route takes, or not as long as announced. */
export async function wholeBody(request: FastifyRequest, payload: Readable): Promise<Buffer> {
  const { 'content-length': announced } = request.headers
  const { bodyLimit } = request.routeOptions
  if (Number(announced) > bodyLimit) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  const { chunks, length } = await received(payload, bodyLimit)
  if (announced !== undefined && length !== Number(announced)) throw new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH()
  return joined(chunks, length, request)
}

function received(payload: Readable, limit: number) {
  return new Promise<{ chunks: Buffer[]; length: number }>((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    payload.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) return chunks.push(chunk)
      // What still comes is let go.
      chunks.length = 0
      reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    })
    payload.on('end', () => resolve({ chunks, length }))
    // Unless the server says that it is its own, a body that breaks off is the client's fault.
    payload.on('error', (error) =>
      reject(Object.assign(error, { statusCode: (error as { statusCode?: number }).statusCode ?? 400 }))
    )
  })
}

/** One buffer of all; where they are many bytes, piece by piece, so that the event loop does not stand still for them. */
async function joined(chunks: Buffer[], length: number, request: FastifyRequest) {
  if (length <= PIECE) return Buffer.concat(chunks, length)
  const whole = Buffer.allocUnsafeSlow(length)
  let [offset, pieceEnd] = [0, 0]
  for (const [index, chunk] of chunks.entries()) {
    if (offset >= pieceEnd) {
      await takeTurn(request)
      pieceEnd = offset + PIECE
    }
    offset += chunk.copy(whole, offset)
    // The memory of what has been copied is free: otherwise bodies would take twice their size.
    chunks[index] = EMPTY
  }
  return whole
}
