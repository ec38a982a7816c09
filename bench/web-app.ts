import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from '../test/chromium.ts'
import { network } from './graphs.ts'
import { median } from './measure.ts'
import { PASSWORD, startProgram } from './processes.ts'
import type { Line } from './table.ts'

const ROUNDS = 5
const NODES = 20_000
const EDGES = 80_000
const MEASURED_EDGES = 100_000
const SIZE = { width: 1280, height: 800 }

/**
 * Measures the web app in a Chromium without a graphics card: the time to the first page with an empty cache, the time
 * to draw a graph of 100,000 nodes and edges, the time between frames while it moves, and the time to compute measures. The baseline is a page of a
 * few words in the same browser.
 */
export async function webApp(folder: string): Promise<Line[]> {
  const server = await startProgram(join(folder, 'data'), 'Graphstead', { pinned: false })
  const url = `http://127.0.0.1:${server.port}`
  const browser = await startChromium()
  try {
    const [first, empty]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      first.push(await firstView(browser, url, (page) => page.getByLabel('Username').waitFor()))
      empty.push(await firstView(browser, `${url}/healthz`, (page) => page.getByText('status').waitFor()))
    }
    const page = await signedIn(browser, url)
    await addGraph(page, 'Large', EDGES)
    await addGraph(page, 'Measured', MEASURED_EDGES)
    const [opened, pictures]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      opened.push(await open(page))
      pictures.push(...(await move(page)))
    }
    const [communities, ranks]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto('/graphs/2?tab=drawing&colour=none')
      await page.getByRole('button', { name: 'Measures' }).click()
      communities.push(await compute(page, 'Community'))
      ranks.push(await compute(page, 'PageRank'))
    }
    return [
      {
        path: 'the web app: first view',
        ours: rangeOf(first),
        theirs: rangeOf(empty),
        ratio: median(first),
        aim: { most: 1000, unit: 'ms' }
      },
      lineOf(
        `the web app: ${NODES.toLocaleString('en')} nodes and ${EDGES.toLocaleString('en')} edges drawn`,
        opened,
        3000
      ),
      lineOf('… a picture while it is moved', pictures, 100),
      lineOf(`the web app: communities of ${MEASURED_EDGES.toLocaleString('en')} edges`, communities, 2000),
      lineOf('… their PageRank', ranks, 1000)
    ]
  } finally {
    await browser.close()
    await server.stop()
  }
}

async function firstView(browser: Browser, url: string, shown: (page: Page) => Promise<void>) {
  const context = await browser.newContext({ viewport: SIZE })
  const page = await context.newPage()
  const began = performance.now()
  await page.goto(url)
  await shown(page)
  const time = performance.now() - began
  await context.close()
  return time
}

async function signedIn(browser: Browser, url: string) {
  const context = await browser.newContext({ viewport: SIZE, baseURL: url })
  const page = await context.newPage()
  await page.goto('/')
  await page.getByLabel('Username').fill('admin')
  await page.getByLabel(/^Password/).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Account of admin' }).waitFor()
  return page
}

async function addGraph(page: Page, name: string, edges: number) {
  const content = network(NODES, edges)
  const status = await page.evaluate(
    (body) =>
      fetch('/api/graphs', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
        (response) => response.status
      ),
    JSON.stringify({ name, content })
  )
  if (status !== 201) throw new Error(`POST /api/graphs is ${status}`)
}

/** The time from the click on its name until the drawing is complete, in milliseconds. */
async function open(page: Page) {
  await page.goto('/graphs')
  await page.getByRole('link', { name: 'Large' }).waitFor()
  // Measured within the page: requests from outside are delayed while it is busy.
  return page.evaluate<number>(`new Promise((done) => {
    const began = performance.now()
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('graphstead-drawn').length === 0) return
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)))
    }).observe({ type: 'mark' })
    for (const link of document.links) if (link.textContent === 'Large') link.click()
  })`)
}

/** The time from the click that computes a measure until the measure can be used, in milliseconds. */
async function compute(page: Page, measure: string) {
  await page.getByRole('button', { name: `Compute ${measure}` }).waitFor()
  return page.evaluate<number>(`new Promise((done) => {
    const began = performance.now()
    const button = (label) => document.querySelector('button[aria-label="' + label + ' ${measure}"]')
    button('Compute').click()
    const look = () => (button('Colour nodes by') ? done(performance.now() - began) : setTimeout(look, 5))
    look()
  })`)
}

/** Drags the drawing about, and returns the time of each frame, in milliseconds. */
async function move(page: Page): Promise<number[]> {
  await page.waitForTimeout(1500)
  await page.mouse.move(300, 400)
  await page.mouse.down()
  await page.mouse.move(304, 402)
  await page.evaluate(
    'globalThis.pictures = []; (function next(time) { pictures.push(time); globalThis.frame = requestAnimationFrame(next) })()'
  )
  for (let step = 1; step <= 25; step++) {
    await page.mouse.move(300 + step * 4, 400 + step * 2)
    await page.waitForTimeout(15)
  }
  const times = await page.evaluate<number[]>('cancelAnimationFrame(frame), pictures.slice(1)')
  await page.mouse.up()
  return times.slice(1).map((time, index) => time - (times[index] as number))
}

function lineOf(path: string, values: number[], most: number): Line {
  return { path, ours: rangeOf(values), theirs: '', ratio: median(values), aim: { most, unit: 'ms' } }
}

function rangeOf(values: number[]) {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)].map(Math.round)
  return `${lowest} to ${highest} ms`
}
