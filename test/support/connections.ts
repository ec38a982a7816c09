import { type AddressInfo, createConnection, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Test } from 'tap'
import { buildApp, type Parts } from '../../plugins/app.ts'
import { connectionsFor } from '../../plugins/http/connections/limits.ts'
import type { Patience } from '../../plugins/http/connections/progress.ts'
import { readConfig } from '../../src/settings/config.ts'
import { program } from '../../src/system/program.ts'
import { openTestStore } from './engine.ts'
import { addUser } from './helper.ts'

/** Starts a server that listens until the test ends, for clients that hold their connections open. */
export async function listenFor(t: Test, args: string[], patience: Patience, parts: Pick<Parts, 'tls' | 'budgets'>) {
  const { store } = await openTestStore(t, t.testdir({}), {})
  const config = readConfig(args, {})
  const connections = connectionsFor(config, patience)
  const app = await buildApp(config, { program, store, tokenKey: Buffer.alloc(32, 1), connections, ...parts })
  await app.listen({ port: 0, host: '127.0.0.1' })
  const sockets: Socket[] = []
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy()
    await app.close()
    await store.close()
  })
  const { port } = app.server.address() as AddressInfo
  const tokenOf = async (login: string) => app.issueToken(await addUser(store, login), false).token
  /** Opens a connection as a hostile client that never closes its side. */
  const open = (localAddress?: string) => {
    const socket = createConnection({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
    socket.on('error', () => {})
    sockets.push(socket)
    return socket
  }
  return { store, server: app.server, port, connections, tokenOf, open }
}

/** Returns whether the condition becomes true within this many milliseconds. */
export async function within(time: number, isSo: () => boolean) {
  const end = performance.now() + time
  while (!isSo() && performance.now() < end) await sleep(20)
  return isSo()
}

/** Collects the bytes that the connection receives. */
export function received(socket: Socket) {
  const answer = { text: '' }
  socket.on('data', (chunk) => {
    answer.text += chunk.toString('latin1')
  })
  return answer
}
