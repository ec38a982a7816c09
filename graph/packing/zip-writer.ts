import { constants, crc32, deflateRawSync } from 'node:zlib'

/** A file to pack. Its content is requested only after that of the previous file. */
export interface FileToPack {
  name: string
  content: Iterable<string>
}

/** The size of the pieces that are compressed separately, in characters. */
const PIECE = 256 * 1024

/** The version of the zip specification that readers must support, 2.0, as written in each record. */
const VERSION = 20

/** The sizes follow the content, and names are in UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8

/** 1 January 1980, the earliest date, so that equal contents produce equal archives. */
const DATE = 0x21

/** Packs files into a zip archive, piece by piece. The archive must be smaller than 4 GiB. */
export function* zipOf(files: Iterable<FileToPack>): Generator<Buffer> {
  const directory: Buffer[] = []
  let [count, at] = [0, 0]
  for (const { name, content } of files) {
    const fileName = Buffer.from(name)
    const start = Buffer.concat([
      recordOf(0x04034b50, shorts(VERSION, FLAGS, DEFLATE, 0, DATE), longs(0, 0, 0), shorts(fileName.length, 0)),
      fileName
    ])
    yield start
    let [crc, packed, size] = [0, 0, 0]
    for (const { text, isLast } of piecesOf(content)) {
      const bytes = Buffer.from(text)
      crc = crc32(bytes, crc)
      size += bytes.length
      // A piece that is not the last one ends at a byte boundary, so that the next one can follow.
      const piece = deflateRawSync(bytes, { finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH })
      packed += piece.length
      yield piece
    }
    const sizes = longs(crc, packed, size)
    const end = recordOf(0x08074b50, sizes)
    yield end
    directory.push(
      recordOf(
        0x02014b50,
        shorts(VERSION, VERSION, FLAGS, DEFLATE, 0, DATE),
        sizes,
        shorts(fileName.length, 0, 0, 0, 0),
        longs(0, at)
      ),
      fileName
    )
    count++
    at += start.length + packed + end.length
  }
  const list = Buffer.concat(directory)
  yield Buffer.concat([list, recordOf(0x06054b50, shorts(0, 0, count, count), longs(list.length, at), shorts(0))])
}

/** Yields the content in pieces of similar size. */
function* piecesOf(content: Iterable<string>): Generator<{ text: string; isLast: boolean }> {
  let text = ''
  for (const part of content) {
    text += part
    if (text.length < PIECE) continue
    yield { text, isLast: false }
    text = ''
  }
  yield { text, isLast: true }
}

function recordOf(signature: number, ...fields: Buffer[]) {
  return Buffer.concat([longs(signature), ...fields])
}

function shorts(...values: number[]) {
  return Buffer.from(Uint16Array.from(values).buffer)
}

function longs(...values: number[]) {
  return Buffer.from(Uint32Array.from(values).buffer)
}
