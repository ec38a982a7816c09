import type { Program } from '../../plugins/http/services.ts'
import { docsPage, pictureKit, startThread, webApp } from './assets.ts'
import { version } from './version.ts'

/** The parts that this program hands to the service. */
export const program: Program = { version, startThread, webApp, docsPage, pictureKit }
