import { spawn } from 'node:child_process'
import { text as textOf } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { contentChecker } from '../../graph/content/content.ts'
import { readGraphFile } from '../../graph/files/conversion.ts'

/** Reads a hostile file in a child process with limited memory and time. */
export async function readInChild(format: string, file: string, { mebibytes = 400, seconds = 100 } = {}) {
  const args = [`--max-old-space-size=${mebibytes}`, fileURLToPath(import.meta.url), format]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'ignore'], timeout: seconds * 1000 })
  child.stdin.on('error', () => {})
  child.stdin.end(file)
  const [said, status] = await Promise.all([
    textOf(child.stdout),
    new Promise<string>((resolve) => child.on('close', (code, signal) => resolve(String(signal ?? code))))
  ])
  return status === '0' ? said : `ended by ${status}`
}

/** In the child process, prints the first fault, or the size of the graph. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * 1024 * 1024 }
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk)
  const options = { formats: [process.argv[2] as string] }
  const { report } = readGraphFile(Buffer.concat(chunks), options, limits, contentChecker(limits))
  const { faults, nodeCount, edgeCount } = report
  const [first] = faults
  process.stdout.write(first ? `${first.code}, ${first.detail}` : `${nodeCount} nodes, ${edgeCount} edges`)
}
