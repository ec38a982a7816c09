import { join } from 'node:path'
import { openStore } from '../db/engine/open.ts'
import { openSqlite } from '../db/engine/sqlite/store.ts'
import { buildApp } from '../plugins/app.ts'
import { AuditKeyFiles } from '../src/audit/signing-key.ts'
import { readConfig } from '../src/settings/config.ts'
import { readTokenKey } from '../src/settings/token-key.ts'
import { startThread } from '../src/system/assets.ts'
import { accessLogFor, loggerOptions } from '../src/system/logger.ts'
import { program } from '../src/system/program.ts'

// Runs a variant of the server: node bench/variant.ts VARIANT PORT FOLDER [OPTION…]
// The variant `one-commit` commits each write separately, and `without-log` has no audit log.

const [variant, port = '', data = '', ...settings] = process.argv.slice(2)
const isOneCommit = variant === 'one-commit'
const config = readConfig(['--port', port, '--data', data, ...settings], {})
const file = join(data, 'graphstead.db')
const store = isOneCommit
  ? await openSqlite(file, startThread, { groupSize: 1 })
  : await openStore(config, () => file, startThread)
const accessLog = accessLogFor(config.logLevel)
const app = await buildApp(config, {
  program,
  store,
  tokenKey: readTokenKey(data, undefined),
  logger: loggerOptions(config.logLevel),
  ...(isOneCommit && { auditKey: new AuditKeyFiles({ data }) }),
  ...(accessLog && { accessLog })
})
await app.listen({ port: config.port, host: config.host })
process.on('SIGTERM', async () => {
  await app.close()
  await store.close()
  process.exit(0)
})
