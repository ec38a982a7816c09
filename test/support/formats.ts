import { contentChecker, contentOf, jsonOf } from '../../graph/content/content.ts'
import { type FileOptions, readGraphFile, writeGraphFile } from '../../graph/files/conversion.ts'
import { writableFormatNamed } from '../../graph/formats/index.ts'
import type { GraphContent } from '../../schemas/graph-content.ts'

const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }
const check = contentChecker(limits)

/** Reads a file. Returns the report, and the content if there are no faults. */
export async function read(format: string | undefined, file: unknown, options: Omit<FileOptions, 'formats'> = {}) {
  const bytes = Buffer.isBuffer(file) ? file : Buffer.from(typeof file === 'string' ? file : JSON.stringify(file))
  const formats = format === undefined ? undefined : [format]
  const { report, stored } = readGraphFile(bytes, { formats, ...options }, limits, check)
  const losses = Object.fromEntries(report.losses.map(({ code, count }) => [code, count]))
  return { ...report, losses, content: stored && contentOf(await jsonOf(stored.body)) }
}

/** Writes a graph as a file. Returns the file, as bytes and as text, with the losses. */
export function write(format: string, content: GraphContent, described: { name?: string; type?: string } = {}) {
  const codec = writableFormatNamed(format)
  if (!codec) throw new Error(`unknown format ${format}`)
  const { losses, chunks } = writeGraphFile({ name: 'g', ...described, content }, codec)
  const bytes = Buffer.concat([...chunks])
  return {
    bytes,
    text: bytes.toString('utf8'),
    losses: Object.fromEntries(losses.map(({ code, count }) => [code, count]))
  }
}
