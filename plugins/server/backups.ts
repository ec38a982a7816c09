import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import fp from 'fastify-plugin'
import { backupName, backupTime, listBackups } from '../../db/upkeep/backup-names.ts'
import type { Peers } from '../../graph/jobs/peers.ts'
import { runInBackground } from '../http/background.ts'
import type { Plugin } from '../http/plugin.ts'

export interface BackupPlan {
  /** The program and its arguments, to which the name of the new backup is appended. */
  command: string[]
  /** The folder for the backups. */
  folder: string
  /** The interval between backups, in milliseconds. */
  every: number
  /** The number of backups to keep. */
  keep: number
}

/** The delay before retrying a failed backup, in milliseconds. */
const RETRY_DELAY = 5 * 60 * 1000

/** Timers are limited to 32 bits. */
const LONGEST_TIMER = 2 ** 31 - 1

/**
 * Writes backups at a fixed interval, and removes the oldest ones. If the last backup is old enough, the next one starts
 * immediately. Each backup runs in a separate process, so that a failure does not affect the server.
 */
const backups: Plugin<{ plan: BackupPlan; peers: Peers }> = async (app, { plan, peers }) => {
  const { command, folder, every, keep } = plan
  const stop = new AbortController()
  const signal = stop.signal

  async function run() {
    for (let wait = await untilDue(); !signal.aborted; ) {
      await sleep(Math.min(wait, LONGEST_TIMER), undefined, { signal, ref: false }).catch(() => {})
      if (signal.aborted) return
      // While a worker is replaced, both the old and the new one make backups.
      const release = await peers.lock('backup', Math.min(every, LONGEST_TIMER))
      try {
        if ((await untilDue()) === 0) {
          await backUp()
          app.metrics.recordBackup(true)
        }
        wait = await untilDue()
      } catch (error) {
        if (signal.aborted) return
        app.metrics.recordBackup(false)
        app.log.error({ err: error }, 'the backup failed; retrying later')
        wait = Math.min(every, RETRY_DELAY)
      } finally {
        release()
      }
    }
  }

  async function untilDue() {
    const last = (await listBackups(folder)).at(-1)
    if (last === undefined) return 0
    // If the clock was set back, the next backup is delayed by at most the interval.
    return Math.min(every, Math.max(0, backupTime(last) + every - Date.now()))
  }

  async function backUp() {
    const began = performance.now()
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const file = join(folder, backupName())
    const said = await writeTo(file)
    app.log.info({ file, ms: Math.round(performance.now() - began) }, `backup: ${said}`)
    for (const name of (await listBackups(folder)).slice(0, -keep)) await rm(join(folder, name), { force: true })
  }

  async function writeTo(file: string) {
    const [program = '', ...args] = command
    const child = spawn(program, [...args, file], { stdio: ['ignore', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' })
    letOthersGoFirst(child)
    const ended = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve))
    const [said, complaint, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
      // A process that was killed leaves this file behind.
      .finally(() => rm(`${file}.${child.pid}.part`, { force: true }))
    if (code !== 0) throw new Error(complaint.trim() || `it exited with code ${code}`)
    return said.trim()
  }

  runInBackground(app, stop, run)
}

export default fp(backups, { name: 'backups', dependencies: ['metrics'] })

function letOthersGoFirst({ pid }: ChildProcess) {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // The process may have exited already.
  }
}
