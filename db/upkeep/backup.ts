import { rmSync } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { replaceFile, syncFile, syncFolder } from '../engine/disk.ts'
import { StoreRefused } from '../store.ts'
import type { OnProgress, Soundness } from './check.ts'

/** A task for the thread: copy the file `from`, if given, then check the file `to`. */
export interface BackupTask {
  from?: string
  to: string
}

export type BackupMessage =
  | { kind: 'progress'; done: number; total: number; at: string }
  | { kind: 'checked'; soundness: Soundness }
  | { kind: 'refused'; message: string }

/** How often to measure the growing copy and flush it to disk, in milliseconds. */
const INTERVAL = 50

/**
 * Writes a consistent copy of the database, replacing any existing file. The copy gets its name only after it has been checked,
 * so the result is either a complete, sound copy or nothing. Reads and writes continue during the copy, in other processes too.
 * Throws StoreRefused.
 */
export async function backUp(
  from: string,
  to: string,
  startThread: StartThread,
  onProgress: OnProgress = () => {}
): Promise<Soundness> {
  if (await isSame(from, to)) throw new StoreRefused(`${to} is the database itself.`)
  const part = `${to}.${process.pid}.part`
  await rm(part, { force: true })
  // Remove the partial copy if the process exits early.
  const drop = () => rmSync(part, { force: true })
  process.once('exit', drop)
  try {
    const soundness = await inThread({ from, to: part }, startThread, onProgress)
    if (soundness.faults.length > 0) {
      throw new StoreRefused(`The copy is damaged and was discarded: ${soundness.faults.join('; ')}.`)
    }
    await syncFile(part)
    await replaceFile(part, to)
    await syncFolder(dirname(to))
    return soundness
  } catch (error) {
    throw error instanceof StoreRefused
      ? error
      : new StoreRefused(`${to} cannot be written: ${(error as Error).message}.`)
  } finally {
    process.off('exit', drop)
    await rm(part, { force: true })
    await rm(`${part}-journal`, { force: true })
  }
}

/** Returns whether both names refer to the same file. File ids on Windows exceed 2^53. */
async function isSame(...files: [string, string]) {
  const [one, other] = await Promise.all(files.map((file) => stat(file, { bigint: true }).catch(() => undefined)))
  return one !== undefined && one.dev === other?.dev && one.ino === other.ino
}

/** Checks the whole file in a thread. See checkSqlite. Throws StoreRefused. */
export function checkFile(
  file: string,
  startThread: StartThread,
  onProgress: OnProgress = () => {}
): Promise<Soundness> {
  return inThread({ to: file }, startThread, onProgress)
}

function inThread(task: BackupTask, startThread: StartThread, onProgress: OnProgress): Promise<Soundness> {
  return new Promise<Soundness>((resolve, reject) => {
    const worker = startThread('backup-thread', import.meta.url, { workerData: task })
    const watch = task.from === undefined ? undefined : watchSize(task.from, task.to, onProgress)
    const settle = (finish: () => void) => {
      watch?.stop()
      finish()
    }
    worker.on('message', (message: BackupMessage) => {
      if (message.kind === 'progress') {
        watch?.stop()
        onProgress(message.done, message.total, message.at)
      } else if (message.kind === 'checked') settle(() => resolve(message.soundness))
      else settle(() => reject(new StoreRefused(message.message)))
    })
    worker.on('error', (error) => settle(() => reject(error)))
    worker.on('exit', () => settle(() => reject(new Error('the thread ended'))))
  })
}

/** Measures the growing copy and flushes it to disk bit by bit, because a single large flush would delay commits. */
function watchSize(from: string, to: string, onProgress: OnProgress) {
  let running = true
  async function watch() {
    const total = (await stat(from)).size
    while (running) {
      const { size } = await stat(to).catch(() => ({ size: 0 }))
      if (!running) return
      onProgress(Math.min(size, total), total, 'copying')
      await syncFile(to).catch(() => {})
      await new Promise((resolve) => setTimeout(resolve, INTERVAL))
    }
  }
  watch().catch(() => {})
  return {
    stop() {
      running = false
    }
  }
}
