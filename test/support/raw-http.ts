import { createConnection } from 'node:net'

/** Sends the bytes to a local port, and collects the response until the server closes the connection. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = createConnection(port, '127.0.0.1', () => socket.write(bytes))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(answer))
  })
}
