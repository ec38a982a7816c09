import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sparticuz from '@sparticuz/chromium'
import Database from 'better-sqlite3'
import { type Browser, chromium } from 'playwright-core'
import packageJson from '../package.json' with { type: 'json' }

const scratch = join(import.meta.dirname, '../dist/browser')

/** Starts the Chromium installed by npm, or the one in GRAPHSTEAD_TEST_CHROMIUM. WebGL is rendered in software. */
export async function startChromium(): Promise<Browser> {
  const executablePath = process.env.GRAPHSTEAD_TEST_CHROMIUM ?? (await unpackChromium(scratch))
  mkdirSync(scratch, { recursive: true })
  // Chromium stores its profile here.
  process.env.TMPDIR = scratch
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader']
  })
}

/**
 * Unpacks Chromium into a folder, unless that has already been done. Concurrent processes wait for the first. Returns the path
 * of the executable.
 */
export async function unpackChromium(folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const unpacked = join(folder, `chromium-${packageJson.devDependencies['@sparticuz/chromium']}`)
  const release = await lock(join(folder, 'lock'))
  try {
    if (!isWhole(unpacked)) {
      for (const name of readdirSync(folder)) {
        // This process holds the lock, so these files are left over from an interrupted run.
        if (name.startsWith('unpacking-')) rmSync(join(folder, name), { recursive: true })
      }
      const aside = mkdtempSync(join(folder, 'unpacking-'))
      await unpackInto(aside)
      writeFileSync(join(aside, 'sizes.json'), JSON.stringify(sizesOf(aside)))
      rmSync(unpacked, { recursive: true, force: true })
      renameSync(aside, unpacked)
    }
  } finally {
    release()
  }
  return join(unpacked, 'chromium')
}

/** Acquires a lock that is released when this process ends, if not earlier. Returns a function that releases it. */
async function lock(file: string) {
  const database = new Database(file, { timeout: 0 })
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE')
      return () => database.close()
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY') throw error
      await sleep(100)
    }
  }
}

/** Unpacks into an empty folder, because the package unpacks into TMPDIR and trusts existing files there. */
async function unpackInto(folder: string) {
  const before = process.env.TMPDIR
  process.env.TMPDIR = folder
  try {
    await sparticuz.executablePath()
  } finally {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  }
}

function isWhole(folder: string) {
  try {
    return readFileSync(join(folder, 'sizes.json'), 'utf8') === JSON.stringify(sizesOf(folder))
  } catch {
    return false
  }
}

/** Returns the size of every file in a folder, in bytes, by path. */
function sizesOf(folder: string): [string, number][] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .sort()
    .filter((path) => path !== 'sizes.json')
    .map((path) => [path, statSync(join(folder, path))] as const)
    .filter(([, stats]) => stats.isFile())
    .map(([path, { size }]) => [path, size])
}
