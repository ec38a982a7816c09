import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from './chromium.ts'
import { network } from './graphs.ts'
import { median, percentile } from './measure.ts'
import { PASSWORD, startProgram } from './processes.ts'
import type { Line } from './table.ts'

const ROUNDS = 5
const NODES = 20_000
const EDGES = 80_000
const MEASURED_EDGES = 100_000
const SIZE = { width: 1280, height: 800 }

/** A graph of 2,000 elements. */
const ZOOMED = { nodes: 400, edges: 1600 }

/**
 * Measures the web app in Chromium without a GPU: the time to the first page with an empty cache, the time to draw a graph of
 * 100,000 nodes and edges, the time between frames while the drawing moves, the time to redraw it with a filter, the longest
 * time between frames while zooming a small graph, and the time to compute measures. The baselines are a page with a few words
 * in the same browser, and networkx if it is installed for `python3`.
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
    await addGraph(page, 'Large', NODES, EDGES)
    await addGraph(page, 'Measured', NODES, MEASURED_EDGES)
    await addGraph(page, 'Zoomed', ZOOMED.nodes, ZOOMED.edges)
    const [opened, pictures, filtered, zoomed]: [number[], number[], number[], number[]] = [[], [], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      opened.push(await open(page))
      pictures.push(...(await move(page)))
      filtered.push(await filter(page))
      zoomed.push(Math.max(...(await zoom(page))))
    }
    const keys = await edit(page)
    const [communities, ranks]: [number[], number[]] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      await page.goto('/graphs/2?tab=drawing&colour=none')
      await page.getByRole('button', { name: 'Measures' }).click()
      communities.push(await compute(page, 'Community'))
      ranks.push(await compute(page, 'PageRank'))
    }
    const theirs = measuredByNetworkx(folder)
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
      { ...lineOf('… frame time while it is moved, p95', pictures, 100), ratio: percentile(pictures, 0.95) },
      lineOf('… redrawn with a value filtered out', filtered),
      lineOf('the web app: the longest frame while zooming with 2,000 elements', zoomed, 300),
      {
        ...lineOf('the web app: a keystroke in the table of these nodes, p95', keys, 50),
        ratio: percentile(keys, 0.95)
      },
      {
        ...lineOf(`the web app: communities of ${MEASURED_EDGES.toLocaleString('en')} edges`, communities, 2000),
        theirs: theirs.communities
      },
      { ...lineOf('… their PageRank', ranks, 1000), theirs: theirs.ranks }
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
  await page.getByRole('button', { name: 'Account menu for admin' }).waitFor()
  return page
}

async function addGraph(page: Page, name: string, nodes: number, edges: number) {
  const content = network(nodes, edges)
  const status = await page.evaluate(
    (body) =>
      fetch('/api/graphs', { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
        (response) => response.status
      ),
    JSON.stringify({ name, content })
  )
  if (status !== 201) throw new Error(`POST /api/graphs returned ${status}`)
}

/**
 * A script that resolves once the screen shows everything that the page has drawn so far. Waiting for frames is not enough, but
 * reading a pixel waits for the GPU or its software substitute.
 */
const SHOWN = `new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(() => {
  for (const canvas of document.querySelectorAll('.drawing canvas')) {
    const gl = canvas.getContext('webgl2')
    gl?.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4))
  }
  shown()
})))`

/** Returns the time from the click on a graph's name until the screen shows the whole drawing, in milliseconds. */
async function open(page: Page) {
  await page.goto('/graphs')
  await page.getByRole('link', { name: 'Large' }).waitFor()
  // The page itself measures this, because calls from outside are delayed while it is busy.
  return page.evaluate<number>(`new Promise((done) => {
    const began = performance.now()
    new PerformanceObserver((list) => {
      if (list.getEntriesByName('graphstead-drawn').length === 0) return
      ${SHOWN}.then(() => done(performance.now() - began))
    }).observe({ type: 'mark' })
    for (const link of document.links) if (link.textContent === 'Large') link.click()
  })`)
}

/**
 * Returns the time between a click on a value in the legend and the first frame in which its nodes are hidden, in milliseconds.
 */
async function filter(page: Page) {
  await page.mouse.move(5, 400)
  await page.waitForTimeout(2000)
  return page.evaluate<number>(`new Promise((done) => {
    const began = performance.now()
    for (const button of document.querySelectorAll('button')) if (button.textContent.startsWith('kind 0')) button.click()
    ${SHOWN}.then(() => done(performance.now() - began))
  })`)
}

/** Zooms a small graph in and out with the wheel. Returns the time of each frame, in milliseconds. */
async function zoom(page: Page): Promise<number[]> {
  await page.goto('/graphs/3?tab=drawing')
  await page.getByRole('application').waitFor()
  await page.waitForTimeout(1500)
  await page.mouse.move(500, 400)
  return framesDuring(page, async () => {
    for (let step = 0; step < 30; step++) {
      await page.mouse.wheel(0, step < 15 ? -120 : 120)
      await page.waitForTimeout(40)
    }
    await page.evaluate(SHOWN)
  })
}

/**
 * Changes values in the table of nodes. Returns the time from each key press until the screen shows its effect, in
 * milliseconds: the duration in the Event Timing API (W3C), on which Interaction to Next Paint is based. The API rounds to 8
 * ms, and reports only durations of at least 16 ms.
 */
async function edit(page: Page): Promise<number[]> {
  await page.goto('/graphs/1?tab=nodes')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const grid = page.getByRole('grid')
  const heads = await grid.getByRole('columnheader').allInnerTexts()
  const column = heads.findIndex((head) => head.trim().startsWith('rank'))
  await grid.getByRole('row').nth(3).getByRole('gridcell').nth(column).focus()
  await page.evaluate(`globalThis.keys = new Map(), new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) if (name === 'keydown') keys.set(startTime, duration)
  }).observe({ type: 'event', durationThreshold: 16 })`)
  let count = 0
  for (let round = 0; round < 20; round++) {
    for (const key of [String(1 + (round % 9)), '7', 'Enter']) {
      await page.keyboard.press(key)
      count++
      await page.waitForTimeout(200)
    }
  }
  const shown = await page.evaluate<number[]>('[...keys.values()]')
  // The API does not report shorter durations.
  return [...shown, ...Array.from({ length: Math.max(0, count - shown.length) }, () => 16)]
}

/** Returns the time from the click that starts computing a measure until the measure can be used, in milliseconds. */
async function compute(page: Page, measure: string) {
  await page.getByRole('button', { name: `Calculate ${measure}` }).waitFor()
  return page.evaluate<number>(`new Promise((done) => {
    const began = performance.now()
    const button = (label) => document.querySelector('button[aria-label="' + label + ' ${measure}"]')
    button('Calculate').click()
    const poll = () => (button('Colour nodes by') ? done(performance.now() - began) : setTimeout(poll, 5))
    poll()
  })`)
}

/** Drags the drawing around. Returns the duration of each frame, in milliseconds. */
async function move(page: Page): Promise<number[]> {
  await page.waitForTimeout(1500)
  await page.mouse.move(300, 400)
  await page.mouse.down()
  await page.mouse.move(304, 402)
  const times = await framesDuring(page, async () => {
    for (let step = 1; step <= 25; step++) {
      await page.mouse.move(300 + step * 4, 400 + step * 2)
      await page.waitForTimeout(15)
    }
  })
  await page.mouse.up()
  return times
}

/** Returns the time of each frame while an action runs, in milliseconds. */
async function framesDuring(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(
    'globalThis.pictures = []; (function next(time) { pictures.push(time); globalThis.frame = requestAnimationFrame(next) })()'
  )
  await act()
  const times = await page.evaluate<number[]>('cancelAnimationFrame(frame), pictures.slice(1)')
  return times.slice(1).map((time, index) => time - (times[index] as number))
}

/**
 * A script that computes the same measures with networkx. It prints how long the Louvain method and PageRank take, in
 * milliseconds.
 */
const NETWORKX = `
import json, sys, time, networkx
graph = networkx.DiGraph()
for edge in json.load(open(sys.argv[1]))["edges"]:
    graph.add_edge(edge["source"], edge["target"], weight=edge["metadata"]["weight"])
def timed(compute):
    began = time.perf_counter()
    compute()
    return round((time.perf_counter() - began) * 1000)
print(timed(lambda: networkx.community.louvain_communities(graph.to_undirected(), weight=None, seed=1)), timed(lambda: networkx.pagerank(graph, weight=None)))
`

/** Returns how long networkx takes for the same graph as in the web app, or empty strings if networkx is missing. */
function measuredByNetworkx(folder: string): { communities: string; ranks: string } {
  const file = join(folder, 'measured.json')
  writeFileSync(file, JSON.stringify(network(NODES, MEASURED_EDGES)))
  try {
    const [communities, ranks] = execFileSync('python3', ['-c', NETWORKX, file], { encoding: 'utf8' }).split(' ')
    return { communities: `networkx ${communities} ms`, ranks: `networkx ${Number(ranks)} ms` }
  } catch {
    return { communities: '', ranks: '' }
  }
}

/** Returns a line with the median of the measured times. */
function lineOf(path: string, values: number[], most?: number): Line {
  const aim = { unit: 'ms', ...(most !== undefined && { most }) }
  return { path, ours: rangeOf(values), ratio: median(values), aim }
}

function rangeOf(values: number[]) {
  const [lowest, highest] = [Math.min(...values), Math.max(...values)].map(Math.round)
  return `${lowest} to ${highest} ms`
}
