import { AsyncLocalStorage } from 'node:async_hooks'
import { Console } from 'node:console'
import { EventEmitter } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { inspect } from 'node:util'
import { runCommand } from '../../src/dispatch.ts'

// Runs commands in the process of their test. In its asynchronous context, a command sees its own variables, streams and
// listeners in `process`, so that commands can run concurrently and leave nothing behind.

const context = new AsyncLocalStorage<ReturnType<typeof newContext>>()

function newContext(argv: string[], env: NodeJS.ProcessEnv, input: string) {
  const [stdout, stderr] = [new Collector(), new Collector()]
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)])
  return { argv, env, stdin, stdout, stderr, console: new Console({ stdout, stderr }), listeners: new EventEmitter() }
}

class Collector extends Writable {
  #text = ''

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.#text += chunk
    done()
  }

  get text() {
    return this.#text
  }
}

for (const name of ['argv', 'env', 'stdin', 'stdout', 'stderr'] as const) {
  const { get, value } = Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor
  const own = get ?? (() => value)
  Object.defineProperty(process, name, {
    configurable: true,
    get: () => context.getStore()?.[name] ?? own.call(process)
  })
}
for (const name of ['on', 'once', 'off'] as const) {
  const own = process[name] as EventEmitter['on']
  const replaced: EventEmitter['on'] = (event, listener) => {
    const { listeners } = context.getStore() ?? {}
    if (!listeners) return own.call(process, event, listener)
    listeners[name](event, listener)
    return process
  }
  Object.assign(process, { [name]: replaced })
}
for (const name of ['log', 'error'] as const) {
  const own = console[name]
  console[name] = (...args) => (context.getStore()?.console[name] ?? own)(...args)
}

const umask = process.umask()

/**
 * Runs a command line of the program, as `main.ts` would. Returns a promise for the exit code, the output so far, and a
 * function that sends a signal.
 */
export function startCommand(argv: string[], env: NodeJS.ProcessEnv, input = '') {
  const [name = '', ...args] = argv.slice(2)
  const file = join(import.meta.dirname, `../../src/commands/${name}.ts`)
  if (!existsSync(file)) throw new Error(`there is no command ${name}; runProgram starts the program`)
  const own = newContext(argv, env, input)
  const code = context.run(own, async () => {
    try {
      return await runCommand({ summary: '', load: () => import(file) }, `graphstead ${name}`, args)
    } catch (error) {
      own.stderr.write(inspect(error))
      return 1
    } finally {
      own.listeners.emit('exit')
      process.umask(umask)
    }
  })
  return {
    code,
    stdout: () => own.stdout.text,
    stderr: () => own.stderr.text,
    signal: (signal: NodeJS.Signals) => own.listeners.emit(signal, signal)
  }
}
