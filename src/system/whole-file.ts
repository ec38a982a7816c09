import { rm, writeFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { replaceFile } from '../../db/engine/disk.ts'
import { nameFault } from './platform.ts'

/**
 * Writes the chunks to a temporary file and renames it, so that no partial file is ever seen; for `-` to standard output.
 * Returns false if the reader of that has seen enough, as `head` may have.
 */
export async function writeWhole(file: string, chunks: Iterable<Buffer> | AsyncIterable<Buffer>): Promise<boolean> {
  if (file === '-') {
    try {
      await pipeline(Readable.from(chunks), process.stdout, { end: false })
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
    await writeFile(beside, chunks, { flag: 'wx' })
    await replaceFile(beside, file)
    return true
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}
