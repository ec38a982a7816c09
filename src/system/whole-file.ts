import { rm, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { replaceFile } from '../../db/engine/disk.ts'
import { nameFault } from './platform.ts'
import { printable } from './printable.ts'
import { escapeLines, printError } from './terminal.ts'

/** Tells whether the file is there, and if so, that the command leaves it. Standard output, `-`, is no file. */
export async function isInTheWay(file: string, command: string): Promise<boolean> {
  if (file === '-' || !(await stat(file).catch(() => undefined))) return false
  printError(`graphstead ${command}: ${printable(file)} exists; --force replaces it`)
  return true
}

/**
 * Writes the chunks to a temporary file and renames it, so that no partial file is ever seen, and nobody else reads it; for `-` to standard output.
 * Returns false if the reader of that has seen enough, as `head` may have.
 */
export async function writeWhole(file: string, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<boolean> {
  if (file === '-') {
    try {
      await pipeline(Readable.from(process.stdout.isTTY ? escaped(chunks) : chunks), process.stdout, { end: false })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false
      throw error
    }
  }
  const fault = nameFault(file)
  if (fault) throw new Error(fault)
  const beside = `${file}.${process.pid}.part`
  try {
    await writeFile(beside, chunks, { flag: 'wx', mode: 0o600 })
    await replaceFile(beside, file)
    return true
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** The text of the chunks, for a terminal. */
async function* escaped(chunks: Iterable<Buffer> | AsyncIterable<Buffer>) {
  const decoder = new TextDecoder()
  let left = ''
  for await (const chunk of chunks) {
    const text = left + decoder.decode(chunk, { stream: true })
    // The end of a line may be divided.
    left = text.endsWith('\r') ? '\r' : ''
    yield escapeLines(text.slice(0, text.length - left.length))
  }
  yield escapeLines(left + decoder.decode())
}
