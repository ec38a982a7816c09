import { createHmac, randomBytes } from 'node:crypto'
import t, { type Test } from 'tap'
import { deviceCookie, deviceOf, hasSession, sessionCookies, sessionOf } from '../../plugins/http/callers/cookies.ts'

// Reading and writing browser cookies, without a server.

const key = randomBytes(32)
/** How long a device is remembered, in seconds. */
const HALF_YEAR = 15_552_000
const NOW = 1_800_000_000_000

const sent = (cookie: string, protocol: 'http' | 'https' = 'http') => ({ protocol, headers: { cookie } })
const without = { protocol: 'http', headers: {} } as const
const signed = (login: string, id: string, expiresAt: string) =>
  createHmac('sha256', key)
    .update(JSON.stringify([login, id, expiresAt]))
    .digest('base64url')

/** Stops the clock until the test ends. */
function stopClock(t: Test) {
  const clock = { now: NOW }
  t.intercept(Date, 'now', { value: () => clock.now })
  return clock
}

t.test('a device stays known for half a year after sign-in', async (t) => {
  const clock = stopClock(t)
  const expiresAt = String(NOW + HALF_YEAR * 1000)
  const cookie = deviceCookie(without, 'ada', key)
  const [pair = '', ...attributes] = cookie.split('; ')
  t.strictSame(attributes, [`Max-Age=${HALF_YEAR}`, 'Path=/', 'HttpOnly', 'SameSite=Strict'])
  const [, id = '', expiry, code] = /^graphstead_device=([\w-]{22})\.(\d+)\.([\w-]{43})$/.exec(pair) ?? []
  t.strictSame([expiry, code], [expiresAt, signed('ada', id, expiresAt)])
  t.equal(deviceOf(sent(pair), 'ada', key), id)
  t.equal(deviceOf(sent(`other=1; ${pair}`), 'ada', key), id)
  t.equal(deviceOf(sent(pair), 'bob', key), undefined)
  t.equal(deviceOf(sent(pair), 'ada', randomBytes(32)), undefined)
  t.equal(deviceOf(sent(`${pair}; ${pair}`), 'ada', key), undefined, 'a cookie sent twice identifies no device')
  t.equal(deviceOf(sent(pair, 'https'), 'ada', key), undefined)
  t.equal(deviceOf(sent(`__Host-${pair}`, 'https'), 'ada', key), id)
  clock.now = Number(expiresAt) - 1
  t.equal(deviceOf(sent(pair), 'ada', key), id)
  clock.now++
  t.equal(deviceOf(sent(pair), 'ada', key), undefined)
})

t.test('a known device keeps its id, and a new device gets a new one', async (t) => {
  stopClock(t)
  const [pair = ''] = deviceCookie(without, 'ada', key).split(';')
  const id = deviceOf(sent(pair), 'ada', key)
  const [again = ''] = deviceCookie(sent(pair), 'ada', key).split(';')
  t.equal(again, pair)
  const [other = ''] = deviceCookie(sent(pair), 'bob', key).split(';')
  t.not(deviceOf(sent(other), 'bob', key), id)
  t.match(deviceCookie({ protocol: 'https', headers: {} }, 'ada', key), /^__Host-graphstead_device=.*; Secure/)
})

t.test('no other cookie identifies a device', async (t) => {
  t.equal(deviceOf(without, 'ada', key), undefined)
  for (const value of ['', '=', '=.', '=..', '=a.b', '=a.9999999999999', `=a.9999999999999.${signed('ada', '', '')}`]) {
    t.equal(deviceOf(sent(`graphstead_device${value}`), 'ada', key), undefined, value)
  }
  t.equal(
    deviceOf(sent(`graphstead_device=a.9.${signed('ada', 'a', '9')}`), 'ada', key),
    undefined,
    'an expired cookie identifies no device'
  )
})

t.test('the error for a session cookie sent twice names the cookie', async (t) => {
  const twice = 'graphstead_session=a;graphstead_session =b'
  t.throws(() => sessionOf(sent(twice)), { message: 'The cookie graphstead_session was sent more than once.' })
  t.equal(hasSession(sent(twice)), true)
  t.equal(sessionOf(sent('graphstead_session=a; graphstead_session2=b')), 'a')
  t.equal(hasSession(without), false)
})

t.test('a session cookie without a maximum age lasts until the browser closes', async (t) => {
  t.strictSame(sessionCookies(without, 'token', undefined), [
    'graphstead_session=token; Path=/; HttpOnly; SameSite=Strict'
  ])
  t.strictSame(sessionCookies({ protocol: 'http', headers: { origin: 'https://a.example' } }, 'token', 60), [
    '__Host-graphstead_session=token; Max-Age=60; Path=/; HttpOnly; Secure; SameSite=Strict',
    'graphstead_session=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict'
  ])
  t.equal(sessionCookies({ protocol: 'http', headers: { origin: 'http://a.example' } }, 'token', 60).length, 1)
})
