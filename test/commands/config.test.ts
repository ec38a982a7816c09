import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TSchema } from '@sinclair/typebox'
import t from 'tap'
import { readTrustProxy } from '../../plugins/http/networks.ts'
import { serveSettings } from '../../schemas/settings.ts'
import { flagOf, readConfig, readSecret, variableOf } from '../../src/settings/config.ts'
import { root, run } from '../support/program.ts'

t.test('flags override environment variables, which override defaults', async (t) => {
  t.match(readConfig([], {}), { host: '127.0.0.1', port: 8080, data: './data', logLevel: 'info', trustProxy: '' })
  const env = { GRAPHSTEAD_PORT: '9001', GRAPHSTEAD_DATA: '/from/env', GRAPHSTEAD_LOG_LEVEL: '' }
  t.match(readConfig([], env), { port: 9001, data: '/from/env', logLevel: 'info' })
  t.match(readConfig(['--port', '9002', '--data=/from/flag'], env), { port: 9002, data: '/from/flag' })
  t.match(readConfig(['--max-nodes', '5', '--body-limit', '2048'], {}), { maxNodes: 5, bodyLimit: 2048 })
})

t.test('an error about an invalid value names its setting', async (t) => {
  const cases: [string[], Record<string, string>, RegExp][] = [
    [['--port', '70000'], {}, /^--port must be at most 65535/],
    [['--port', '80a'], {}, /^--port must be an integer/],
    [['--port', ''], {}, /^--port must be an integer/],
    [['--port', '1e3'], {}, /^--port must be an integer/],
    [['--port'], {}, /--port/],
    [[], { GRAPHSTEAD_PORT: '-1' }, /^GRAPHSTEAD_PORT must be at least 0/],
    [['--log-level', 'loud'], {}, /^--log-level must be one of fatal, /],
    [['--host', ''], {}, /^--host/],
    [['--max-edges', '0'], {}, /^--max-edges/],
    [['--prot', '1'], {}, /--prot/],
    [['extra'], {}, /extra/],
    [['--trust-proxy', 'everybody'], {}, /everybody/],
    [['--trust-proxy', '10.0.0.0/33'], {}, /10\.0\.0\.0\/33/],
    [[], { GRAPHSTEAD_TRUST_PROXY: '300.0.0.1' }, /GRAPHSTEAD_TRUST_PROXY/]
  ]
  for (const [args, env, message] of cases) {
    t.throws(() => readConfig(args, env), { name: 'BadSetting', message }, `${args} ${JSON.stringify(env)}`)
  }
})

t.test('the database URL, which may contain a password, comes from a flag, a variable or a file', async (t) => {
  const file = join(t.testdir({ url: 'postgres://file/x\n' }), 'url')
  t.equal(readConfig([], {}).database, undefined)
  const env = { GRAPHSTEAD_DATABASE_URL_FILE: file }
  t.equal(readConfig([], env).database, 'postgres://file/x')
  t.equal(readConfig([], { ...env, GRAPHSTEAD_DATABASE_URL: 'postgres://env/x' }).database, 'postgres://env/x')
  t.equal(readConfig(['--database', 'postgres://flag/x'], env).database, 'postgres://flag/x')
  t.throws(() => readConfig([], { GRAPHSTEAD_DATABASE_URL_FILE: `${file}x` }), {
    message: /^GRAPHSTEAD_DATABASE_URL_FILE/
  })
  t.equal(readConfig([], { ...env, GRAPHSTEAD_DATABASE_REPLICA_FILE: file }).databaseReplica, 'postgres://file/x')
  t.throws(() => readConfig(['--database-replica', 'postgres://standby/x'], {}), {
    message: '--database-replica works with PostgreSQL only: an SQLite file has no standby'
  })
  t.throws(() => readConfig(['--database-pool-size', '1'], {}), { message: /^--database-pool-size must be at least 2/ })
})

t.test('trusted proxies are all, none, or a list', async (t) => {
  t.equal(readTrustProxy(''), false)
  t.equal(readTrustProxy('false'), false)
  t.equal(readTrustProxy('true'), true)
  t.same(readTrustProxy('loopback, 10.0.0.0/8,2001:db8::/32,::1'), ['loopback', '10.0.0.0/8', '2001:db8::/32', '::1'])
})

t.test('a secret comes from its variable or from a file', async (t) => {
  const file = join(t.testdir({ secret: 'from the file\n' }), 'secret')
  t.equal(readSecret('SECRET', {}), undefined)
  t.equal(readSecret('SECRET', { SECRET: 'direct', SECRET_FILE: file }), 'direct')
  t.equal(readSecret('SECRET', { SECRET_FILE: file }), 'from the file')
  t.throws(() => readSecret('SECRET', { SECRET_FILE: `${file}x` }), { name: 'BadSetting', message: /^SECRET_FILE/ })
})

t.test('docs/configure.md describes every setting with the help text', (t) => {
  const rows = readFileSync(join(root, 'docs/configure.md'), 'utf8').replaceAll('`', '').split('\n')
  for (const [name, { default: preset, description }] of Object.entries<TSchema>(serveSettings)) {
    const [text = '', shown = String(preset ?? '') || 'none'] = (description ?? '').split('; default: ')
    const row = rows.find((row) => row.startsWith(`| --${flagOf(name)} | ${variableOf(name)} | ${shown} | `)) ?? ''
    t.ok(row.endsWith(`${text} |`), name)
  }
  t.end()
})

t.test('the help lists the common settings, and all of them with --all', async (t) => {
  const flagsIn = async (...args: string[]) =>
    [...(await run(['serve', ...args])).stdout.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, flag]) => flag)
  t.equal((await flagsIn('--help')).length, 10 + 3)
  t.same(
    new Set(await flagsIn('--help', '--all')),
    new Set([...Object.keys(serveSettings).map(flagOf), 'demo', 'help'])
  )
})
