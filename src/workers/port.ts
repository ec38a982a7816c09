import { lookup } from 'node:dns/promises'
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { getSystemErrorMap } from 'node:util'
import type { Address } from './messages.ts'

/** A bound port that nobody listens on yet. Its handle can be sent to other processes, which then share the connections. */
export interface Port extends Address {
  handle: object
  /** Closes the port in this process. */
  close(): void
}

interface Handle {
  getsockname(out: object): number
  close(): void
}

/** Binds a port. Throws the error of the system, such as EADDRINUSE. */
export async function bindPort(host: string, port: number): Promise<Port> {
  const { address, family } = await lookup(host)
  // Node.js has no public function that binds without accepting connections; node:cluster uses this one for shared ports.
  const { _createServerHandle: create } = net as unknown as {
    _createServerHandle(address: string, port: number, family: number): Handle | number
  }
  const handle = create(address, port, family)
  if (typeof handle === 'number') throw systemError(handle, address, port)
  // The system may report only here that the port is in use.
  const bound: { port?: number } = {}
  const code = handle.getsockname(bound)
  if (code !== 0) throw systemError(code, address, port)
  return { handle, host: address, port: bound.port ?? port, close: () => handle.close() }
}

/** How often, and after how many milliseconds, to try again if a port is in use. */
const ATTEMPTS = 10
const PAUSE = 100

/** Repeats an attempt to use a port for a second, since the workers of a primary that was killed may still hold it. */
export async function untilFree<T>(attempt: () => Promise<T>): Promise<T> {
  for (let made = 1; ; made++) {
    try {
      return await attempt()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || made === ATTEMPTS) throw error
      await sleep(PAUSE)
    }
  }
}

/** Returns an error with the words that Node.js uses for a port that cannot be listened on. */
function systemError(code: number, address: string, port: number) {
  const [name = 'UNKNOWN', text = ''] = getSystemErrorMap().get(code) ?? []
  return Object.assign(new Error(`listen ${name}: ${text} ${address}:${port}`), { code: name })
}
