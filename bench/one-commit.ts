import { join } from 'node:path'
import { openSqlite } from '../db/engine/sqlite/store.ts'
import { buildApp } from '../plugins/app.ts'
import { AuditKeyFiles } from '../src/audit/key.ts'
import { readConfig } from '../src/settings/config.ts'
import { readTokenKey } from '../src/settings/token-key.ts'
import { startThread } from '../src/system/assets.ts'
import { accessLogFor, loggerOptions } from '../src/system/logger.ts'
import { program } from '../src/system/program.ts'

// The same service on a store that commits each write separately: node bench/one-commit.ts PORT FOLDER [OPTION…]

const [port = '', data = '', ...settings] = process.argv.slice(2)
const config = readConfig(['--port', port, '--data', data, ...settings], {})
const store = await openSqlite(join(data, 'graphstead.db'), startThread, { groupSize: 1 })
const tokenKey = readTokenKey(data, undefined)
const accessLog = accessLogFor(config.logLevel)
const logger = loggerOptions(config.logLevel)
const app = await buildApp(config, {
  program,
  store,
  tokenKey,
  auditKey: new AuditKeyFiles({ data }),
  logger,
  ...(accessLog && { accessLog })
})
await app.listen({ port: config.port, host: config.host })
process.on('SIGTERM', async () => {
  await app.close()
  await store.close()
  process.exit(0)
})
