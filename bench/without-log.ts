import { join } from 'node:path'
import { openStore } from '../db/engine/open.ts'
import { buildApp } from '../plugins/app.ts'
import { readConfig } from '../src/settings/config.ts'
import { readTokenKey } from '../src/settings/token-key.ts'
import { startThread } from '../src/system/assets.ts'
import { accessLogFor, loggerOptions } from '../src/system/logger.ts'
import { program } from '../src/system/program.ts'

// The same service without the log that proves the audit events: node bench/without-log.ts PORT FOLDER [OPTION…]

const [port = '', data = '', ...settings] = process.argv.slice(2)
const config = readConfig(['--port', port, '--data', data, ...settings], {})
const store = await openStore(config, () => join(data, 'graphstead.db'), startThread)
const accessLog = accessLogFor(config.logLevel)
const app = await buildApp(config, {
  program,
  store,
  tokenKey: readTokenKey(data, undefined),
  logger: loggerOptions(config.logLevel),
  ...(accessLog && { accessLog })
})
await app.listen({ port: config.port, host: config.host })
process.on('SIGTERM', async () => {
  await app.close()
  await store.close()
  process.exit(0)
})
