import t from 'tap'
import { isSignature, signerOf } from '../../plugins/http/signatures.ts'

t.test('signatures are HMAC-SHA-256', async (t) => {
  // RFC 4231, test case 2.
  const expected = Buffer.from('5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843', 'hex')
  t.equal(signerOf(Buffer.from('Jefe'))('what do ya want for nothing?'), expected.toString('base64url'))
})

t.test('only the complete signature is valid', async (t) => {
  t.equal(isSignature('abc', 'abc'), true)
  t.equal(isSignature('abd', 'abc'), false)
  t.equal(isSignature('ab', 'abc'), false)
  t.equal(isSignature('', ''), true)
})
