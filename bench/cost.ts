import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { creations, exactly, fetched, logIn, mixOf, numbered } from './client.ts'
import { network } from './graphs.ts'
import { ask, type Exchange, load, requestOf } from './load.ts'
import { median } from './measure.ts'
import { type Server, start } from './processes.ts'
import type { Line } from './table.ts'

/** The measures and their units, in the order of the columns in cost.md. */
const units = {
  'GET /api/graphs/{id}, small': 'µs',
  'GET /api/graphs, 20 of 1,000': 'µs',
  '70 % GET, 20 % list, 10 % PUT': 'µs',
  'POST /api/graphs, small': 'µs',
  'PUT /api/graphs, 1 MB': 'µs',
  'POST /api/graphs/import, 1 MB of GraphML': 'µs',
  'start to ready': 'ms',
  'start to ready: CPU': 'ms',
  'memory at rest': 'MiB'
}

/** The figures from one round. A figure is missing if the commit does not have that route. */
export type Costs = Partial<Record<keyof typeof units, number>>

const GRAPHS = 1000
/**
 * The number of requests of each kind, which is the same for each commit. Half as many are sent first, to warm up the compiler
 * and caches.
 */
const SMALL = 8000
const LARGE = 40
/** How long to let the server settle, in milliseconds. It adds new events to the audit log every second. */
const SETTLED = 1100
/** Ratios above this need an explanation in cost.md. */
const TOLERANCE = 1.02

/** Bundles the program for `npm start`. Old commits run the source instead. */
const BUILD_PROGRAM = 'deploy/build-program.ts'

const root = join(import.meta.dirname, '..')

/** Compares the cost of this tree with that of a commit, alternating between them. Accesses the servers only over HTTP. */
export async function cost(folder: string, commit: string | undefined, rounds: number): Promise<Line[]> {
  if (commit === undefined) throw new Error('--only cost needs --base COMMIT')
  const base = join(folder, 'base')
  const remove = () => git('worktree', 'remove', '--force', base)
  git('worktree', 'add', '--detach', base, commit)
  process.once('exit', remove)
  try {
    install(base)
    await import('../deploy/build-program.ts')
    const sides = [
      { program: programOf(base), template: join(folder, 'base-data'), costs: [] as Costs[] },
      { program: programOf(root), template: join(folder, 'tree-data'), costs: [] as Costs[] }
    ] as const
    for (const { program, template } of sides) await fill(await program.serve(template))
    for (let round = 1; round <= rounds; round++) {
      for (const { program, template, costs } of sides) {
        console.error(`round ${round} of ${rounds}: ${program.name}`)
        const data = join(folder, `data-${round}-${program.name}`)
        await cp(template, data, { recursive: true })
        costs.push(await costsOf(() => program.serve(data)))
        await rm(data, { recursive: true })
      }
    }
    const [before, after] = sides
    console.log(`\n${rowOf([before.program.name, after.program.name], before.costs, after.costs)}`)
    return linesOf(before.costs, after.costs)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

function git(...args: string[]) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()
}

/** Installs the packages of a checkout, or links those of this tree if they are identical, and builds its web app. */
function install(base: string) {
  const [theirs, ours] = [base, root].map((tree) => readFileSync(join(tree, 'package-lock.json'), 'utf8'))
  if (theirs === ours) {
    for (const modules of ['node_modules', 'ui/node_modules']) symlinkSync(join(root, modules), join(base, modules))
  } else run('npm', 'ci', '--no-audit', '--no-fund')
  run(process.execPath, 'ui/build.ts')
  if (existsSync(join(base, BUILD_PROGRAM))) run(process.execPath, BUILD_PROGRAM)

  function run(command: string, ...args: string[]) {
    execFileSync(command, args, { cwd: base, stdio: ['ignore', 'ignore', 'inherit'] })
  }
}

/** Returns the program in a checkout, with its rate limits, if any, turned off. */
function programOf(tree: string) {
  const { scripts } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'))
  const bundle = join(tree, 'dist/program/graphstead.js')
  const script = existsSync(bundle) ? bundle : join(tree, /^node (\S+)$/.exec(scripts.graphstead)?.[1] ?? '')
  const helpWith = (...args: string[]) =>
    spawnSync(process.execPath, [script, 'serve', '--help', ...args], { encoding: 'utf8' }).stdout
  // Old commits do not support --all.
  const help = helpWith('--all') || helpWith()
  const limits = [...help.matchAll(/^ +(--rate-\w+)/gm)].flatMap(([, option = '']) => [option, '0'])
  const name = execFileSync('git', ['describe', '--always', '--dirty', '--exclude', '*'], {
    cwd: tree,
    encoding: 'utf8'
  }).trim()
  return {
    name,
    serve: (data: string) => start(name, script, (port) => ['serve', '--port', `${port}`, '--data', data, ...limits])
  }
}

/** Creates the graphs that exist at the start of each round. */
async function fill(server: Server) {
  const token = await logIn(server, 'admin')
  await send(server, 8, GRAPHS, creations(token))
  // Otherwise, each round would begin by adding the events for these graphs to the audit log.
  await sleep(2 * SETTLED)
  await server.stop()
}

/** Starts a server, and measures everything once. */
async function costsOf(serve: () => Promise<Server>): Promise<Costs> {
  const began = performance.now()
  const server = await serve()
  const costs: Costs = { 'start to ready': performance.now() - began, 'start to ready: CPU': server.cpu() }
  try {
    await sleep(SETTLED)
    costs['memory at rest'] = server.resident()
    const token = await logIn(server, 'admin')
    const create = creations(token)
    const { id } = JSON.parse((await ask(server.port, create())).body.toString()) as { id: number }
    const page = await fetched(server, '/api/graphs?size=20', token)
    const [first] = JSON.parse(page.answer.body.toString()) as { id: number }[]
    const one = await fetched(server, `/api/graphs/${first?.id}`, token)
    const rename = replacing(token, { id })
    const replace = replacing(token, { id, content: network(2000, 8000) })

    costs['GET /api/graphs/{id}, small'] = await perRequest(server, 64, 2 * SMALL, () => one.get)
    costs['GET /api/graphs, 20 of 1,000'] = await perRequest(server, 64, SMALL, () => page.get)
    costs['70 % GET, 20 % list, 10 % PUT'] = await perRequest(server, 64, SMALL, mixOf(one.get, page.get, rename))
    costs['POST /api/graphs, small'] = await perRequest(server, 64, SMALL, create)
    costs['PUT /api/graphs, 1 MB'] = await perRequest(server, 4, LARGE, replace)
    costs['POST /api/graphs/import, 1 MB of GraphML'] = await perRequest(server, 4, LARGE, importing(token))
    return costs
  } finally {
    await server.stop()
  }
}

/** Returns the CPU time per request in µs, or undefined if the server does not have the route. */
async function perRequest(server: Server, connections: number, count: number, next: () => Exchange) {
  const { status } = await ask(server.port, { ...next(), check: () => undefined })
  if (status === 404 || status === 405) return undefined
  await send(server, connections, count / 2, next)
  await sleep(SETTLED)
  const before = server.cpu()
  await send(server, connections, count, next)
  await sleep(SETTLED)
  return ((server.cpu() - before) * 1000) / count
}

async function send({ port }: Server, connections: number, count: number, next: () => Exchange) {
  let left = count
  await load({ port, connections, duration: Number.POSITIVE_INFINITY, next: () => (left-- > 0 ? next() : undefined) })
}

function replacing(token: string, graph: { id: number; content?: object }) {
  const next = numbered((number) =>
    requestOf('PUT', '/api/graphs', {
      token,
      body: JSON.stringify({
        ...graph,
        name: `Line ${number}`,
        ...(graph.content && { content: { ...graph.content, label: number } })
      })
    })
  )
  return () => exactly(next(), 200)
}

function importing(token: string) {
  const { nodes, edges } = network(2000, 8500)
  const next = numbered((number) =>
    requestOf('POST', '/api/graphs/import', {
      token,
      headers: { 'Content-Type': 'application/graphml+xml' },
      body: [
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
        '<key id="label" for="all" attr.name="label" attr.type="string"/>',
        '<key id="weight" for="edge" attr.name="weight" attr.type="double"/>',
        `<graph id="${number}" edgedefault="directed">`,
        ...nodes.map(({ id, label }) => `<node id="${id}"><data key="label">${label} ${number}</data></node>`),
        ...edges.map(
          ({ source, target, label }, index) =>
            `<edge source="${source}" target="${target}"><data key="label">${label}</data><data key="weight">${index / 8}</data></edge>`
        ),
        '</graph></graphml>'
      ].join('\n')
    })
  )
  return () => exactly(next(), 201)
}

/** Compares the rounds of a commit with those of this tree. A ratio is the median of the rounds' ratios. */
function compared(before: Costs[], after: Costs[]) {
  return Object.entries(units).map(([path, unit]) => {
    const [theirs, ours] = [before, after].map((costs) => costs.map((cost) => cost[path as keyof Costs] ?? Number.NaN))
    return {
      path,
      unit,
      theirs: theirs as number[],
      ours: ours as number[],
      ratio: median((ours ?? []).map((value, round) => value / (theirs?.[round] ?? Number.NaN)))
    }
  })
}

/** Returns the lines of the table. */
export function linesOf(before: Costs[], after: Costs[]): Line[] {
  const cell = (values: number[], unit: string) =>
    shown(median(values), (figure) => {
      const spread = (Math.max(...values) - Math.min(...values)) / figure
      return `${Math.round(figure).toLocaleString('en')} ${unit} ±${Math.round(spread * 50)} %`
    })
  return compared(before, after).map(({ path, unit, theirs, ours, ratio }) => ({
    path,
    ours: cell(ours, unit),
    theirs: cell(theirs, unit),
    ratio,
    aim: { most: TOLERANCE }
  }))
}

/** Returns the row for cost.md. The issue and the reason are filled in by hand. */
export function rowOf(commits: [base: string, tree: string], before: Costs[], after: Costs[]): string {
  const figure = (values: number[]) => shown(median(values), (value) => Math.round(value).toLocaleString('en'))
  const cells = compared(before, after).map(
    ({ theirs, ours, ratio }) => `${figure(theirs)} → ${figure(ours)} (${shown(ratio, (value) => value.toFixed(2))})`
  )
  return `| | ${[...commits, ...cells].join(' | ')} | |`
}

function shown(figure: number, format: (figure: number) => string) {
  return Number.isNaN(figure) ? '–' : format(figure)
}
