import { constants } from 'node:fs'
import { type FileHandle, open, readFile, stat, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { AuditLineSink, LinePosition } from '../../db/audit/line-sink.ts'
import { replaceFile, syncFolder } from '../../db/engine/disk.ts'
import { writeOutput } from '../system/standard-output.ts'

/** Returns the destination of audit lines, if the settings specify one. */
export function auditLinesFor({ auditLines, data }: { auditLines?: string; data: string }): AuditLineSink | undefined {
  if (auditLines === undefined) return undefined
  if (auditLines === '-') return new AuditLineOutput(join(data, 'audit-lines.position'))
  return new AuditLineFile(auditLines)
}

/** File ids on Windows exceed 2^53. */
const EXACT = { bigint: true } as const

/**
 * A file of lines, with a file next to it that stores the position. The file of lines may be renamed at any time, in which case
 * later lines go into a new one.
 */
export class AuditLineFile implements AuditLineSink {
  readonly name: string
  #file: FileHandle | undefined

  constructor(path: string) {
    this.name = path
  }

  position() {
    return readPosition(`${this.name}.position`)
  }

  async append(lines: Uint8Array, position: LinePosition) {
    const file = await this.#open()
    const { size } = await file.stat()
    try {
      await file.appendFile(lines)
      await file.datasync()
    } catch (error) {
      // A partial line would corrupt the next one.
      await shorten(file, this.name, size).catch(() => {})
      throw error
    }
    await keepPosition(`${this.name}.position`, position)
  }

  /** Opens the file by name. It may be a different file from last time. */
  async #open(): Promise<FileHandle> {
    const there = await stat(this.name, EXACT).catch(() => undefined)
    const known = await this.#file?.stat(EXACT).catch(() => undefined)
    if (this.#file && there && known && there.ino === known.ino && there.dev === known.dev) return this.#file
    await this.close()
    this.#file = await openForLines(this.name)
    return this.#file
  }

  async close() {
    const file = this.#file
    this.#file = undefined
    await file?.close().catch(() => {})
  }
}

/** Opens a file for appending whole lines. A new file is readable only by its owner. */
async function openForLines(path: string): Promise<FileHandle> {
  // Opening a pipe that has no reader would block.
  const { O_RDWR, O_APPEND, O_CREAT, O_NONBLOCK } = constants
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600)
  try {
    if (!(await file.stat()).isFile()) throw new Error(`${path} is not a file`)
    await cutHalfLine(file, path)
    await syncFolder(dirname(path))
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}

/** Removes a partial line that was left by a killed process. */
async function cutHalfLine(file: FileHandle, path: string) {
  const { size } = await file.stat()
  const tail = Buffer.alloc(64 * 1024)
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - tail.length)
    const { bytesRead } = await file.read(tail, 0, end - start, start)
    const lineFeed = tail.subarray(0, bytesRead).lastIndexOf(0x0a)
    if (lineFeed >= 0 || start === 0) {
      if (start + lineFeed + 1 < size) await shorten(file, path, start + lineFeed + 1)
      return
    }
    end = start
  }
}

/** Truncates the file at this path. Windows does not allow that through a handle that was opened for appending. */
function shorten(file: FileHandle, path: string, size: number) {
  return process.platform === 'win32' ? truncate(path, size) : file.truncate(size)
}

/** Standard output. The position is stored in the data folder. */
export class AuditLineOutput implements AuditLineSink {
  readonly name = '-'
  readonly #positionFile: string
  /** The unwritten remainder of lines that were only partly written. */
  #rest: Uint8Array = new Uint8Array()

  constructor(positionFile: string) {
    this.#positionFile = positionFile
  }

  position() {
    return readPosition(this.#positionFile)
  }

  async append(lines: Uint8Array, position: LinePosition) {
    // Complete the partial line first. Duplicate lines are allowed, but partial lines are not.
    await this.#write(this.#rest)
    await this.#write(lines)
    await keepPosition(this.#positionFile, position)
  }

  async #write(bytes: Uint8Array) {
    this.#rest = bytes
    while (this.#rest.length > 0) {
      const written = await writeOutput(this.#rest)
      this.#rest = this.#rest.subarray(written)
    }
  }

  async close() {}
}

async function readPosition(path: string): Promise<LinePosition | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const [, next, leaf] = /^(\d{1,15}) ((?:[0-9a-f]{64})?)\n$/.exec(text) ?? []
  // Ignore a damaged position. All lines are then written again.
  return next === undefined || leaf === undefined ? undefined : { next: Number(next), leaf }
}

async function keepPosition(path: string, { next, leaf }: LinePosition) {
  const draft = `${path}.part`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(`${next} ${leaf}\n`)
    await file.datasync()
  } finally {
    await file.close()
  }
  await replaceFile(draft, path)
}
