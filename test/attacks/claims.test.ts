import t from 'tap'
import { arrivalOf } from '../../plugins/sign-in/provider/claims.ts'

t.test('an unverified e-mail address from the provider is not used as a login', async (t) => {
  const settings = { loginClaim: 'email', roleClaim: undefined, adminValues: [], auditorValues: [] }
  const loginFor = (verified: object) => {
    const claims = { iss: 'https://id.example', sub: '1', email: 'ada@example.org', ...verified }
    return arrivalOf(claims as never, settings as never).login
  }
  t.equal(loginFor({}), 'ada@example.org')
  t.equal(loginFor({ email_verified: true }), 'ada@example.org')
  for (const value of [false, 'false', 'true', 0, 1, null, '', {}, []])
    t.equal(loginFor({ email_verified: value }), undefined, JSON.stringify(value))
})
