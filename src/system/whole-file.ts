import { rm, stat, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { replaceFile } from '../../db/engine/disk.ts'
import { nameFault } from './platform.ts'
import { printable } from './printable.ts'
import { escapeLines, printError } from './terminal.ts'

/**
 * Returns whether the file already exists. If so, reports that the command leaves it unchanged. Standard output, `-`, does not
 * count as a file.
 */
export async function isInTheWay(file: string, command: string): Promise<boolean> {
  if (file === '-' || !(await stat(file).catch(() => undefined))) return false
  printError(`graphstead ${command}: ${printable(file)} already exists; replace it with --force`)
  return true
}

/**
 * Writes the chunks to a temporary file and renames it, so that a partial file is never visible and nobody else can read it.
 * Writes to standard output if the name is `-`. Returns false if the reader has closed standard output early, as `head` does.
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

/** Escapes the chunks as text for a terminal. */
async function* escaped(chunks: Iterable<Buffer> | AsyncIterable<Buffer>) {
  const decoder = new TextDecoder()
  let left = ''
  for await (const chunk of chunks) {
    const text = left + decoder.decode(chunk, { stream: true })
    // A CRLF may be split between chunks.
    left = text.endsWith('\r') ? '\r' : ''
    yield escapeLines(text.slice(0, text.length - left.length))
  }
  yield escapeLines(left + decoder.decode())
}
