import { constants, createGzip, gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { contentChecker } from '../../graph/content/content.ts'
import { readGraphFile } from '../../graph/files/conversion.ts'
import { unpack } from '../../graph/files/unpack.ts'
import { GraphWorker } from '../../graph/jobs/worker.ts'
import { startThread } from '../../src/system/assets.ts'
import { build, problem } from '../support/helper.ts'
import { zip } from '../support/zip.ts'

const MIB = 1024 * 1024

/** Compresses many bytes without holding them all in memory. */
async function gzipOf(piece: Buffer, count: number) {
  const packed: Buffer[] = []
  const stream = createGzip()
  stream.on('data', (chunk) => packed.push(chunk))
  for (let index = 0; index < count; index++) {
    await new Promise<void>((resolve) => stream.write(piece, () => resolve()))
  }
  await new Promise((resolve) => stream.once('end', resolve).end())
  return Buffer.concat(packed)
}

const zeros = Buffer.alloc(MIB)
const line = Buffer.from('a,b\n'.repeat(MIB / 4))

/** Returns the code of the problem, or the unpacked bytes. */
function outcome(bytes: Buffer, limit: number) {
  try {
    return unpack(bytes, limit).bytes.length
  } catch (error) {
    return (error as { code: string }).code
  }
}

t.test('a decompression bomb costs no more than the limit', async (t) => {
  const part = gzipSync(line)
  const bombs: [string, Buffer][] = [
    ['gzip', await gzipOf(zeros, 64)],
    ['zstd', zstdCompressSync(Buffer.alloc(64 * MIB))],
    ['zip', zip([{ name: 'a.csv', content: Buffer.alloc(32 * MIB) }])],
    ['zip with an understated size', zip([{ name: 'a.csv', content: Buffer.alloc(32 * MIB), size: 10 }])],
    ['gzip of text', await gzipOf(line, 64)],
    // Many gzip members, each of which looks harmless.
    ['gzip in parts', Buffer.concat(Array.from({ length: 64 }, () => part))]
  ]
  for (const [name, bomb] of bombs) {
    const before = process.memoryUsage().arrayBuffers
    t.match(outcome(bomb, 8 * MIB), /^(?:body-too-large|file-too-complex)$/, name)
    const growth = process.memoryUsage().arrayBuffers - before
    t.ok(growth < 20 * MIB, `${name}: ${Math.round(growth / MIB)} MiB`)
  }
})

t.test('a file is unpacked up to the limit and up to a ratio', async (t) => {
  let seed = 1
  const noise = Buffer.alloc(2 * MIB)
  for (let index = 0; index < noise.length; index++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    noise[index] = 33 + ((seed >> 16) % 90)
  }
  const packed = gzipSync(noise)
  t.equal(outcome(packed, 2 * MIB), 2 * MIB)
  t.equal(outcome(packed, 2 * MIB - 1), 'body-too-large')
  const small = zstdCompressSync(zeros)
  t.equal(outcome(small, 2 * MIB), MIB, 'a small file may exceed the ratio')
  const large = gzipSync(Buffer.alloc(4 * MIB))
  t.ok(large.length * 250 < 4 * MIB)
  t.equal(outcome(large, 8 * MIB), 'file-too-complex')
  t.equal(outcome(zip([{ name: 'a.csv', content: noise, method: 0 }]), MIB), 'body-too-large')
})

t.test('claimed sizes allocate no memory', async (t) => {
  const frame = zstdCompressSync(Buffer.from('a,b\n'), { params: { [constants.ZSTD_c_windowLog]: 27 } })
  t.equal(outcome(frame, MIB), 4)
  const announced = zip([{ name: 'a.csv', content: 'a,b\n', size: 0xfffffffe }])
  const before = process.memoryUsage().arrayBuffers
  t.equal(outcome(announced, MIB), 'validation-failed')
  t.equal(outcome(zip([{ name: 'a.csv', content: 'a,b\n', size: 2 ** 40, isLarge: true }]), MIB), 'validation-failed')
  t.ok(process.memoryUsage().arrayBuffers - before < 4 * MIB)
})

t.test('an archive with too many entries is refused without listing them', async (t) => {
  const entries = Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}`, content: '', method: 0 }))
  t.equal(outcome(zip(entries), MIB), 'validation-failed')
  t.equal(outcome(zip(entries.slice(0, 100), { count: 60_000 }), MIB), 'validation-failed')
  // Entries may overlap, but at most one is unpacked.
  const bytes = { content: '', packed: Buffer.alloc(0), size: MIB, offset: 0 }
  const overlapping = Array.from({ length: 5000 }, (_, index) => ({ name: `${index}.csv`, ...bytes }))
  t.equal(outcome(zip(overlapping), 64 * MIB), 'format-unknown')
})

t.test('two tables in an archive are limited like a single file', async (t) => {
  const entry = (name: string, content: string | Buffer) => ({ name, content, method: 0 })
  const [nodes, edges] = ['id\n', 'from,to\n'].map((header) => Buffer.from(header.padEnd(MIB / 2, 'a\n')))
  const both = zip([entry('n.csv', nodes as Buffer), entry('e.csv', edges as Buffer)])
  const reading = (limit: number) => unpack(both, limit).tables?.map(({ bytes }) => bytes.length)
  t.same(reading(MIB), [MIB / 2, MIB / 2])
  t.throws(() => reading(MIB - 1), { code: 'body-too-large' })
  for (const content of [Buffer.alloc(32 * MIB), line]) {
    const bomb = zip(['n.csv', 'e.csv'].map((name) => ({ name, content })))
    const before = process.memoryUsage().arrayBuffers
    t.match(outcome(bomb, 8 * MIB), /^(?:body-too-large|file-too-complex)$/)
    t.ok(process.memoryUsage().arrayBuffers - before < 20 * MIB)
  }
})

t.test('packed files are read in a thread, however small they are', async (t) => {
  const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 32 * MIB }
  let threads = 0
  const worker = new GraphWorker(limits, {
    startThread: (...args) => {
      threads++
      return startThread(...args)
    }
  })
  t.teardown(() => worker.close())
  const csv = Buffer.from('Source,Target\na,b\n')
  await worker.readFile(csv, {})
  t.equal(threads, 0)
  const { report } = await worker.readFile(gzipSync(csv), {})
  t.match(report, { nodeCount: 2, edgeCount: 1 })
  t.equal(threads, 1)
  await t.rejects(worker.readFile(await gzipOf(zeros, 40), {}), { code: 'file-too-complex' })
  await t.rejects(worker.readFile(gzipSync(csv).subarray(0, 25), {}), { code: 'validation-failed' })
})

t.test('compressed bytes are never mistaken for a table', async (t) => {
  const limits = { maxNodes: 1000, maxEdges: 1000, bodyLimit: MIB }
  const check = contentChecker(limits)
  const { report } = readGraphFile(gzipSync('Source,Target\na,b\nb,c\n'), { formats: ['csv'] }, limits, check)
  t.match(report, { format: 'csv', nodeCount: 3, edgeCount: 2, valid: true })

  const { as, store } = await build(t)
  const ada = as('ada')
  const send = (bytes: Buffer) => ada.post('/api/graphs/import', bytes, { 'content-type': 'text/csv' })
  const starts = ['\x1f\x8b', 'PK\x03\x04', '\x01\x02\0,\x05'].map((text) => Buffer.from(text, 'latin1'))
  for (const bytes of [gzipSync('').subarray(0, 15), zip([]), ...starts]) {
    const { status } = await send(bytes)
    t.ok(status === 400 || status === 415, `${status}`)
  }
  t.match(await send(await gzipOf(line, 40)), problem(413, 'file-too-complex'))
  t.same(await store.read.selectFrom('graph').select('id').execute(), [])
})
