import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { deriveKey } from '../../plugins/http/derived-keys.ts'
import { readTokenKey } from '../../src/settings/token-key.ts'

t.test('the first start creates a key that only its owner can read, and later starts read it', async (t) => {
  const folder = t.testdir({})
  const key = readTokenKey(folder)
  t.equal(key.length, 32)
  t.equal(statSync(join(folder, 'token.key')).mode & 0o777, 0o600)
  t.same(readTokenKey(folder), key)
  t.same(readdirSync(folder), ['token.key'], 'no other file is left')
  t.notSame(readTokenKey(t.testdir({ other: {} })), key)
})

t.test('a key that others can read is refused', async (t) => {
  const folder = t.testdir({})
  readTokenKey(folder)
  for (const mode of [0o640, 0o604, 0o660, 0o644]) {
    chmodSync(join(folder, 'token.key'), mode)
    t.throws(() => readTokenKey(folder), { name: 'TokenKeyRefused', message: /token\.key can be read by others/ })
  }
})

t.test('the key can come from another file', async (t) => {
  const folder = t.testdir({ empty: {} })
  const file = join(folder, 'shared.key')
  t.throws(() => readTokenKey(join(folder, 'empty'), file), { name: 'TokenKeyRefused', message: /cannot be read/ })
  writeFileSync(file, 'too short', { mode: 0o600 })
  t.throws(() => readTokenKey(join(folder, 'empty'), file), { name: 'TokenKeyRefused', message: /too short/ })
  writeFileSync(file, Buffer.alloc(40, 7))
  t.same(readTokenKey(join(folder, 'empty'), file), readFileSync(file))
  t.same(readdirSync(join(folder, 'empty')), [], 'no key is created')
})

t.test('derived keys differ by purpose', async (t) => {
  const key = Buffer.alloc(32, 1)
  t.notSame(deriveKey(key, 'a'), deriveKey(key, 'b'))
  t.same(deriveKey(key, 'a'), deriveKey(key, 'a'))
})
