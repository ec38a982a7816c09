import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { type Browser, chromium } from 'playwright-core'

/** A Chromium that comes with the packages; GRAPHSTEAD_TEST_CHROMIUM names another. It draws by WebGL without a graphics card. */
export async function startChromium(): Promise<Browser> {
  // It unpacks itself there.
  process.env.TMPDIR = join(import.meta.dirname, '..', 'dist', 'browser')
  mkdirSync(process.env.TMPDIR, { recursive: true })
  return chromium.launch({
    executablePath: process.env.GRAPHSTEAD_TEST_CHROMIUM ?? (await sparticuz.executablePath()),
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
  })
}
