import type { Store } from '../../db/store.ts'
import { buildApp } from '../../plugins/app.ts'
import type { Command } from '../command.ts'
import { BadSetting, readConfig } from '../settings/config.ts'
import { program } from '../system/program.ts'
import { printData } from '../system/terminal.ts'

export const help = `Usage: graphstead openapi

Prints the OpenAPI 3.1 document of this version, which the server also serves at /openapi.json.`

/** Prints the OpenAPI document. */
const openapi: Command = async (args) => {
  if (args.length > 0) throw new BadSetting(`openapi takes no arguments: ${args[0]}`)
  // The app receives no requests, so the store is never used.
  const app = await buildApp(readConfig([], {}), { program, store: {} as Store, tokenKey: Buffer.alloc(32) })
  await app.ready()
  printData(app.openapiText())
  return 0
}

export default openapi
