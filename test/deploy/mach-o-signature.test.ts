import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import t from 'tap'
import { signed } from '../../deploy/mach-o-signature.ts'

// The SQLite addon for Macs with Apple silicon, which is signed by Apple's linker, and offsets in that file.
const IDENTIFIER = 'better_sqlite3.node'
const SIGNATURE = 0x1e_52e0
const LINKEDIT = 0x1c_4000
/**
 * The offset of the code length in the code directory. Apple's linker writes the length of the section; other tools write that
 * of the whole segment.
 */
const CODE_LENGTH = SIGNATURE + 20 + 72

const addon = readFileSync(
  join(createRequire(import.meta.url).resolve('better-sqlite3/package.json'), '../prebuilds/darwin-arm64.node')
)

/** Returns the offset of a segment's load command. */
const commandOf = (name: string) => addon.indexOf(`${name}\0`) - 8

function unsigned() {
  const file = Buffer.from(addon.subarray(0, SIGNATURE))
  const end = 32 + file.readUInt32LE(20)
  file.fill(0, end - 16, end)
  file.writeUInt32LE(file.readUInt32LE(16) - 1, 16)
  file.writeUInt32LE(file.readUInt32LE(20) - 16, 20)
  file.writeBigUInt64LE(BigInt(SIGNATURE - LINKEDIT), commandOf('__LINKEDIT') + 48)
  return file
}

t.test('a signature is identical to that of Apple’s linker', async (t) => {
  const ours = signed(unsigned(), IDENTIFIER)
  t.equal(ours.readBigUInt64BE(CODE_LENGTH), 0x1b_8000n, 'the code length covers the whole segment')
  addon.copy(ours, CODE_LENGTH, CODE_LENGTH, CODE_LENGTH + 8)
  t.equal(ours.compare(addon), 0)
})

t.test('a file that is already signed is refused', async (t) => {
  t.test('twice', async (t) => {
    t.throws(() => signed(addon, IDENTIFIER), { message: 'the Mach-O file is already signed' })
  })

  t.test('a file that is not Mach-O is refused', async (t) => {
    for (const file of [Buffer.alloc(0), Buffer.alloc(100), readFileSync(process.execPath).subarray(0, 1000)])
      t.throws(() => signed(file, 'one'), { message: 'not a 64-bit Mach-O file' })
  })

  t.test('a file with data after its last segment is refused', async (t) => {
    const longer = Buffer.concat([unsigned(), Buffer.alloc(1)])
    t.throws(() => signed(longer, 'one'), { message: '__LINKEDIT is not the end of the Mach-O file' })
  })

  t.test('a file without room after its load commands is refused', async (t) => {
    const file = unsigned()
    file.writeUInt32LE(32 + file.readUInt32LE(20) + 15, commandOf('__TEXT') + 72 + 48)
    t.throws(() => signed(file, 'one'), { message: 'the Mach-O file has no room for a signature command' })
  })
})
