import { argon2Sync } from 'node:crypto'
import t from 'tap'
import { findWeakness, hashPassword, verifyPassword } from '../../db/users/passwords.ts'
import { only } from '../support/engine.ts'
import { useRealHashes } from '../support/hashes.ts'

const once = only('SQLite', 'hashes use no database')

t.test('a hash is a salted argon2id PHC string, and verifies its password', once, async (t) => {
  useRealHashes(t)
  const [one, two] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  const [, , version, cost, salt = '', hash] = one.split('$')
  const parameters = { memory: 19456, passes: 2, parallelism: 1, tagLength: 32 }
  const nonce = Buffer.from(salt, 'base64')
  const expected = argon2Sync('argon2id', { message: Buffer.from('correct horse'), nonce, ...parameters })
  t.same([version, cost, nonce.length], ['v=19', 'm=19456,t=2,p=1', 16])
  t.equal(hash, expected.toString('base64').replace(/=$/, ''))
  t.not(one, two)
  t.equal(await verifyPassword('correct horse', one), true)
  t.equal(await verifyPassword('correct horse ', one), false)
  t.equal(await verifyPassword('', one), false)
})

t.test('a password matches in any Unicode normalization form', once, async (t) => {
  const hash = await hashPassword('pass phr\u00e9se with accent')
  t.equal(await verifyPassword('pass phre\u0301se with accent', hash), true)
})

t.test('an invalid stored hash is an error, not a wrong password', once, async (t) => {
  await t.rejects(verifyPassword('x', 'plain text'), /PHC/)
  await t.rejects(verifyPassword('x', ''), /PHC/)
})

t.test(
  'passwords of one requester are hashed one at a time, and requests beyond the queue are refused',
  once,
  async (t) => {
    const attempts = Array.from({ length: 230 }, () =>
      verifyPassword('x').then(
        () => 'done',
        (error) => error.code
      )
    )
    const outcomes = await Promise.all(attempts)
    t.equal(outcomes.filter((outcome) => outcome === 'done').length, 201)
    t.equal(outcomes.filter((outcome) => outcome === 'server-busy').length, 29)
  }
)

t.test('the minimum length is in characters, and the maximum in bytes', once, async (t) => {
  t.match(await findWeakness('elevenchars', 'ada'), /12 characters/)
  t.match(await findWeakness('🜁'.repeat(11), 'ada'), /12 characters/)
  t.equal(await findWeakness('twelve chars', 'ada'), undefined)
  t.match(await findWeakness(`é🜁x${'x1'.repeat(126)}`, 'ada'), /256 bytes/)
})

t.test('common passwords are refused, even surrounded by digits and symbols', async (t) => {
  for (const [password, why] of [
    ['password1234!', /common/],
    ['P@ssw0rd2024!', /common/],
    ['!!Dragon2024!!', /common/],
    ['Sunshine12345!', /common/],
    ['monkeymonkey', /repeats|common/],
    ['iloveyou20241', /common/],
    ['abcabcabcabc', /repeats/],
    ['x9!x9!x9!x9!x9', /repeats/],
    ['abcdefghijkl', /common|sequence/],
    ['lkjihgfedcba', /sequence/],
    ['123456789012', /common|sequence/],
    ['qwertyuiop12', /common|sequence/],
    ['qwertyuiopasdfgh', /sequence/],
    ['aaaaaaaaaaaaaa', /common/],
    ['aaaabbbbcccc', /sequence/],
    ['ada.lovelace1', /login/],
    ['Ada.Lovelace.2024', /login/],
    ['Graphstead2024', /product/],
    ['gr4phst3ad!!!', /product/],
    ['my graphstead', /product/]
  ] as const) {
    t.match(await findWeakness(password, 'ada.lovelace'), why, password)
  }
  t.match(await findWeakness('ada123456789!', 'ada'), /login/)
})

t.test('a phrase may contain common words, and a long password may repeat a character', async (t) => {
  for (const password of [
    'correct horse battery',
    'four score and seven',
    'analytical engine',
    'bob and his fiddle',
    'another horse battery',
    'dragon sat on my password',
    'ada likes her difference engine',
    'graphstead runs in my cellar',
    'kT7#pQ2!vX9z',
    'dragon839204175527',
    'пароль для сервера',
    'q7-1234567-zebra-moon'
  ]) {
    t.equal(await findWeakness(password, 'ada'), undefined, password)
  }
})

t.test('a long password is checked quickly', async (t) => {
  const start = performance.now()
  for (const part of ['a', 'ab', '1', '!', 'a1', 'é']) {
    for (let turn = 0; turn < 100; turn++) await findWeakness(part.repeat(256).slice(0, 200), 'ada')
  }
  t.ok(performance.now() - start < 5000)
})
