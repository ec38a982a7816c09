import type { Program } from '../../plugins/http/services.ts'
import { docsPage, helpPages, pictureKit, startThread, webApp } from './assets.ts'
import { version } from './version.ts'

/** The parts of this program that the service depends on. */
export const program: Program = { version, startThread, webApp, docsPage, helpPages, pictureKit }
