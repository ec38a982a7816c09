import { createHmac, randomBytes } from 'node:crypto'
import t from 'tap'
import { isSignature, signerOf } from '../plugins/http/signatures.ts'

t.test('signatures are those of HMAC-SHA-256', async (t) => {
  for (const size of [0, 1, 32, 64]) {
    const key = randomBytes(size)
    const sign = signerOf(key)
    for (const text of ['', 'text', 'é\u{1f600}', 'x'.repeat(1000)]) {
      t.equal(sign(text), createHmac('sha256', key).update(text).digest('base64url'))
    }
  }
})

t.test('a key longer than a block is refused', async (t) => {
  t.throws(() => signerOf(randomBytes(65)), new RangeError('the key is longer than a block'))
})

t.test('only the whole signature counts as the signature', async (t) => {
  t.equal(isSignature('abc', 'abc'), true)
  t.equal(isSignature('abd', 'abc'), false)
  t.equal(isSignature('ab', 'abc'), false)
  t.equal(isSignature('', ''), true)
})
