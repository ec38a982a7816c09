import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { readConfig } from '../../src/settings/config.ts'
import { readIdentityProvider } from '../../src/settings/identity-provider.ts'
import { run } from '../support/program.ts'

// OpenID Connect settings. The server does not start with invalid or contradictory ones.

const issuer = 'https://login.example.org'
const complete = ['--oidc-issuer', issuer, '--oidc-client-id', 'g', '--public-url', 'https://graphs.example.org']
const withIssuer = (issuer: string) => ['--oidc-issuer', issuer, ...complete.slice(2)]
const withRoles = [...complete, '--oidc-role-claim', 'groups']

t.test('invalid or contradictory settings are reported by name', async (t) => {
  const files = t.testdir({ empty: '', line: '\n', folder: {} })
  const at = (name: string) => join(files, name)
  const withSecret = (name: string) => [...complete, '--oidc-client-secret-file', at(name)]
  const ofIssuer = '--oidc-issuer must be an https URL without a user, query or fragment; http works on loopback only'
  const cases: [string, string[], string][] = [
    ['no client', ['--oidc-issuer', issuer, '--public-url', 'https://x'], '--oidc-issuer requires --oidc-client-id'],
    ['no address', ['--oidc-issuer', issuer, '--oidc-client-id', 'g'], '--oidc-issuer requires --public-url'],
    ['a client alone', ['--oidc-client-id', 'g'], '--oidc-client-id requires --oidc-issuer'],
    ['a secret alone', ['--oidc-client-secret-file', at('line')], '--oidc-client-secret-file requires --oidc-issuer'],
    ['a claim alone', ['--oidc-role-claim', 'groups'], '--oidc-role-claim requires --oidc-issuer'],
    ['users without an issuer', ['--oidc-create-users', 'on'], '--oidc-create-users on requires --oidc-issuer'],
    ['no way to sign in', ['--password-login', 'off'], '--password-login off requires --oidc-issuer'],
    ['a role alone', [...complete, '--oidc-admin-values', 'a'], '--oidc-admin-values requires --oidc-role-claim'],
    ['auditors alone', [...complete, '--oidc-auditor-values', 'a'], '--oidc-auditor-values requires --oidc-role-claim'],
    ['a claim without values', withRoles, '--oidc-role-claim requires --oidc-admin-values or --oidc-auditor-values'],
    ['an empty value', [...withRoles, '--oidc-admin-values', 'a,,b'], '--oidc-admin-values has an empty value'],
    ['a blank value', [...withRoles, '--oidc-auditor-values', ' '], '--oidc-auditor-values has an empty value'],
    [
      'the same value for two roles',
      [...withRoles, '--oidc-admin-values', 'a, b', '--oidc-auditor-values', 'c,b'],
      '--oidc-admin-values and --oidc-auditor-values: b cannot be in both'
    ],
    ['not a URL', withIssuer('login.example.org'), ofIssuer],
    ['http', withIssuer('http://login.example.org'), ofIssuer],
    ['a hostname that begins like loopback', withIssuer('http://localhost.example.org'), ofIssuer],
    ['a hostname that begins like a loopback address', withIssuer('http://127.0.0.1.example.org'), ofIssuer],
    ['another scheme', withIssuer('file:///etc/passwd'), ofIssuer],
    ['a user', withIssuer('https://user@login.example.org'), ofIssuer],
    ['a password', withIssuer('https://:password@login.example.org'), ofIssuer],
    ['a query', withIssuer(`${issuer}/?tenant=1`), ofIssuer],
    ['a fragment', withIssuer(`${issuer}/#a`), ofIssuer],
    ['an empty secret', withSecret('empty'), `--oidc-client-secret-file: ${at('empty')} is empty`],
    ['a secret that is only a newline', withSecret('line'), `--oidc-client-secret-file: ${at('line')} is empty`]
  ]
  for (const [what, args, message] of cases) {
    t.throws(() => readIdentityProvider(readConfig(args, {})), { name: 'BadSetting', message }, what)
  }
  for (const name of ['folder', 'missing']) {
    t.throws(() => readIdentityProvider(readConfig(withSecret(name), {})), {
      name: 'BadSetting',
      message: new RegExp(`^--oidc-client-secret-file: ${at(name)} cannot be read: `)
    })
  }
})

t.test('consistent settings are accepted; without an issuer there is no provider', async (t) => {
  t.equal(readIdentityProvider(readConfig([], {})), undefined)
  const file = join(t.testdir({ secret: ' a secret \r\n' }), 'secret')
  const read = {
    issuer,
    name: 'single sign-on',
    clientId: 'g',
    clientSecret: undefined,
    publicUrl: 'https://graphs.example.org',
    loginClaim: 'preferred_username',
    roleClaim: undefined,
    adminValues: [],
    auditorValues: [],
    createUsers: false
  }
  t.strictSame(readIdentityProvider(readConfig(complete, {})), read)
  const more = ['--oidc-client-secret-file', file, '--oidc-create-users', 'on', '--oidc-admin-values', ' a, b ']
  t.strictSame(readIdentityProvider(readConfig([...withRoles, ...more], {})), {
    ...read,
    clientSecret: ' a secret ',
    roleClaim: 'groups',
    adminValues: ['a', 'b'],
    createUsers: true
  })
  for (const local of ['http://localhost:9000', 'http://127.8.9.1/realm', 'http://[::1]:9000']) {
    t.equal(readIdentityProvider(readConfig(withIssuer(local), {}))?.issuer, local)
  }
})

t.test('invalid settings stop the start: exit code 2, one line, and no data folder', async (t) => {
  const data = join(t.testdir({}), 'data')
  t.strictSame(await run(['serve', '--port', '0', '--data', data, '--oidc-issuer', issuer]), {
    code: 2,
    stdout: '',
    stderr: 'graphstead serve: --oidc-issuer requires --oidc-client-id; see graphstead serve --help\n'
  })
  t.notOk(existsSync(data))
})
