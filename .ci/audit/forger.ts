import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Source } from './log.ts'

/** Returns the bytes to send instead of the body. */
export type Forgery = (body: Buffer, path: string) => Uint8Array

/** Returns a copy with one bit flipped in the byte at this offset. A negative offset counts from the end. */
export function flip(bytes: Uint8Array, place: number): Buffer {
  const changed = Buffer.from(bytes)
  const index = place < 0 ? changed.length + place : place
  changed.writeUInt8(changed.readUInt8(index) ^ 1, index)
  return changed
}

/** Runs a server that forwards the source's responses, altered by the forgery, while `use` runs. */
export async function withForger<T>(source: Source, forgery: Forgery, use: (forged: Source) => Promise<T>): Promise<T> {
  const server = createServer(async (request, reply) => {
    const { authorization = '' } = request.headers
    try {
      const answer = await fetch(`${source.url}${request.url}`, { headers: { authorization } })
      const body = Buffer.from(await answer.arrayBuffer())
      reply.statusCode = answer.status
      reply.end(answer.ok ? forgery(body, request.url?.slice(1) ?? '') : body)
    } catch (error) {
      reply.statusCode = 502
      reply.end(String(error))
    }
  })
  try {
    return await use({ url: await addressOf(server), token: source.token })
  } finally {
    await stop(server)
  }
}

/** Listens on a free port. Returns the address. */
export async function addressOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export async function stop(server: Server) {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
