import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'

/** Opens the link from a separate address for each visitor, and requests pictures in different sizes, one at a time. */
export function visit(port: number, link: { publicId: string; secret: string }, visitor: number) {
  const { publicId, secret } = link
  const localAddress = `127.0.1.${visitor + 1}`
  const headers = { 'content-type': 'application/json' }
  const send = (method: string, path: string, more: Record<string, string>, body?: string) =>
    new Promise<string>((resolve) => {
      const asked = request({ port, host: '127.0.0.1', localAddress, method, path, headers: { ...headers, ...more } })
      asked.on('response', (answer) => resolve(text(answer).catch(() => '')))
      asked.on('error', () => resolve(''))
      asked.end(body)
    })
  const begin = async () => {
    const opened = await send('POST', `/api/links/${publicId}/open`, {}, JSON.stringify({ secret }))
    const { token } = JSON.parse(opened || '{}') as { token?: string }
    if (token === undefined) return setTimeout(begin, 20)
    for (let number = 0; ; number++) {
      const [width, height] = [300 + visitor * 20, 300 + (number % 1000)]
      const path = `/api/links/${publicId}/picture.png?width=${width}&height=${height}`
      await send('GET', path, { authorization: `Bearer ${token}` })
    }
  }
  begin()
}

/** Keeps one request in flight on each connection, regardless of the responses, and reconnects when the server closes one. */
export function repeat(port: number, connections: number, request: Buffer | (() => Buffer)) {
  const next = typeof request === 'function' ? request : () => request
  for (let index = 0; index < connections; index++) {
    const begin = () => {
      const socket = connect(port, '127.0.0.1', () => socket.write(next()))
      // Matches the start of each response. A start that is split across chunks is missed, but the server eventually closes
      // that connection.
      socket.on('data', (chunk) => {
        if (chunk.includes('HTTP/1.1 ')) socket.write(next())
      })
      socket.on('error', () => {})
      socket.on('close', () => setTimeout(begin, 20))
    }
    begin()
  }
}

/** Opens connections, calls `use` for each, and reopens those that the server closes. */
export function hold(
  port: number,
  connections: number,
  use: (socket: Socket, index: number) => void,
  localAddress = '127.0.0.1'
) {
  for (let index = 0; index < connections; index++) {
    const begin = () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }, () => use(socket, index))
      socket.on('error', () => {})
      socket.on('close', () => setTimeout(begin, 100))
    }
    begin()
  }
}
