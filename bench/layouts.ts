import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MultiGraph } from 'graphology'
import forceAtlas2Module from 'graphology-layout-forceatlas2'
import { contentChecker, contentOf, jsonNow } from '../graph/content/content.ts'
import { readGraphFile } from '../graph/files/conversion.ts'
import { layoutOf } from '../picture/layout/places.ts'
import { componentsOf } from '../picture/model/components.ts'
import { type Network, networkOf, pullsOf } from '../picture/model/network.ts'
import type { GraphContent } from '../schemas/graph-content.ts'
import { seeded } from './graphs.ts'
import type { Line } from './table.ts'

// The library's type declarations expect a different default export in Node.js than in bundlers.
const forceAtlas2 = forceAtlas2Module as unknown as typeof forceAtlas2Module.default

/** How many nodes are compared with all others. */
const SAMPLE = 200
/** The minimum time for ForceAtlas2, because ours includes compilation. */
const LEAST_SECONDS = 0.3
/** The maximum time for sfdp, in milliseconds. */
const PATIENCE = 120_000

/** The x and y coordinates of all nodes, alternating. */
type Positions = ArrayLike<number>

const limits = { maxNodes: 100_000, maxEdges: 500_000, bodyLimit: 64 * 1024 * 1024 }

/** Files of test/samples, and generated graphs whose nodes are in random order. */
const graphs: Record<string, () => GraphContent> = {
  'les-miserables.gexf': () => sample('les-miserables.gexf'),
  'root.gv': () => sample('root.gv'),
  'usair97.net': () => sample('usair97.net'),
  'c-burnetii.cx2': () => sample('c-burnetii.cx2'),
  'a lattice of 2,500 nodes': () => generated(2500, (node) => [...(node % 50 ? [node - 1] : []), node - 50]),
  'a tree of 3,000 nodes': () => generated(3000, (node) => [Math.floor((node - 1) / 3)]),
  'preferential attachment, 3,000 nodes': () => generated(3000, attached(seeded(3))),
  '60 communities of 1,000 nodes': () => generated(60_000, befriended(seeded(4), 1000))
}

/**
 * Compares the force layout with graphology's ForceAtlas2, with the settings that it infers and as many seconds of CPU time, and with
 * Graphviz's sfdp if it is installed. The ratio is that of the stress: the mean square of the relative error of all distances, if
 * positions are scaled so that it is smallest. The cells also contain the share of neighbours among the closest nodes.
 */
export async function layouts(): Promise<Line[]> {
  return Object.entries(graphs).map(([name, read]) => {
    const network = largestComponent(read())
    const before = process.cpuUsage()
    const { positions } = layoutOf(network)
    const { user, system } = process.cpuUsage(before)
    const seconds = (user + system) / 1e6
    const ours = qualityOf(network, positions)
    const atlas = qualityOf(network, byForceAtlas2(network, Math.max(seconds, LEAST_SECONDS)))
    const graphviz = bySfdp(network)
    return {
      path: `layout of ${name} (${network.nodes.length} nodes, ${network.source.length} edges): stress`,
      ours: `${shown(ours)}, ${seconds.toFixed(2)} s`,
      theirs: `ForceAtlas2: ${shown(atlas)}${graphviz ? `; sfdp: ${shown(qualityOf(network, graphviz.positions))}, ${graphviz.seconds.toFixed(2)} s` : ''}`,
      ratio: ours.stress / atlas.stress,
      aim: { most: 1.2 }
    }
  })
}

function sample(name: string): GraphContent {
  const file = readFileSync(join(import.meta.dirname, '../test/samples', name))
  const { stored, report } = readGraphFile(file, {}, limits, contentChecker(limits))
  if (!stored) throw new Error(`${name}: ${JSON.stringify(report)}`)
  return contentOf(jsonNow(stored.body))
}

/** Returns a graph in which each node has edges to earlier nodes. Negative ones are left out. */
function generated(count: number, targetsOf: (node: number) => number[]): GraphContent {
  const random = seeded(2)
  const order = Array.from({ length: count }, (_, node) => [random(), node] as const).sort(([a], [b]) => a - b)
  const ids = new Map(order.map(([, node], place) => [node, String(place)]))
  const idOf = (node: number) => ids.get(node) as string
  return {
    directed: false,
    nodes: order.map((_, place) => ({ id: String(place) })),
    edges: order.flatMap((_, node) =>
      (node === 0 ? [] : targetsOf(node))
        .filter((target) => target >= 0 && target !== node)
        .map((target) => ({ source: idOf(node), target: idOf(target) }))
    )
  }
}

/** Returns a function that connects each node to two earlier nodes, with a probability proportional to their degrees. */
function attached(random: () => number) {
  const ends = [0]
  return (node: number) => {
    const targets = [0, 1].map(() => ends[Math.floor(random() * ends.length)] as number)
    ends.push(node, node, ...targets)
    return targets
  }
}

/** Returns a function that connects each node to two or three others, 95 % of them in its group. */
function befriended(random: () => number, size: number) {
  return (node: number) =>
    Array.from({ length: node % 3 === 0 ? 3 : 2 }, () =>
      random() < 0.95 ? node - (node % size) + Math.floor(random() * size) : Math.floor(random() * node)
    )
}

function largestComponent(content: GraphContent): Network {
  const network = networkOf(content)
  const components = componentsOf(network.nodes.length, network.source, network.target)
  const largest = components.reduce((one, other) => (other.length > one.length ? other : one))
  const ids = new Set(largest.map((node) => content.nodes[node]?.id))
  return networkOf({
    ...content,
    nodes: content.nodes.filter(({ id }) => ids.has(id)),
    edges: content.edges.filter(({ source }) => ids.has(source))
  })
}

/** Runs ForceAtlas2 from random positions for about the given time. */
function byForceAtlas2(network: Network, seconds: number): Positions {
  const run = (iterations: number) => {
    const random = seeded(1)
    const graph = new MultiGraph()
    const weights = pullsOf(network)
    for (const node of network.nodes.keys()) graph.addNode(node, { x: random(), y: random() })
    for (const [edge, source] of network.source.entries())
      graph.addEdge(source, network.target[edge], { weight: weights[edge] })
    const start = performance.now()
    forceAtlas2.assign(graph, { iterations, settings: forceAtlas2.inferSettings(graph) })
    const positions = graph.mapNodes((_, { x, y }) => [x, y] as [number, number]).flat()
    return { positions, seconds: (performance.now() - start) / 1000 }
  }
  const trial = 10
  // The second run is compiled.
  const { seconds: each } = [run(trial), run(trial)][1] as { seconds: number }
  return run(Math.max(trial, Math.round((seconds / each) * trial))).positions
}

/** Returns the positions of Graphviz's sfdp, or undefined if it is not installed or takes too long. */
function bySfdp({ nodes, source, target }: Network) {
  const edges = Array.from(source, (from, edge) => `${from}--${target[edge]}`)
  const input = `graph {${[...nodes.keys(), ...edges].join(';')}}`
  const start = performance.now()
  const options = { input, encoding: 'utf8', maxBuffer: 2 ** 30, timeout: PATIENCE } as const
  const { status, stdout } = spawnSync('sfdp', ['-Tplain'], options)
  if (status !== 0) return
  const positions = new Float64Array(nodes.length * 2)
  for (const [, node, x, y] of stdout.matchAll(/^node (\d+) (\S+) (\S+)/gm)) {
    positions.set([Number(x), Number(y)], Number(node) * 2)
  }
  return { positions, seconds: (performance.now() - start) / 1000 }
}

interface Quality {
  stress: number
  neighbours: number
}

function shown({ stress, neighbours }: Quality) {
  return `${stress.toFixed(3)}, ${Math.round(neighbours * 100)} %`
}

/** Returns the stress, and the mean share (Jaccard) that a node's neighbours and as many of the closest nodes have in common. */
function qualityOf(network: Network, positions: Positions): Quality {
  const count = network.nodes.length
  const random = seeded(6)
  const nodes = Array.from({ length: Math.min(count, SAMPLE) }, (_, node) =>
    count <= SAMPLE ? node : Math.floor(random() * count)
  )
  const [x, y] = [0, 1].map((axis) => (node: number) => positions[node * 2 + axis] as number) as [Axis, Axis]
  let [pairs, first, second, kept] = [0, 0, 0, 0]
  for (const node of nodes) {
    const steps = stepsFrom(network, node)
    const lengths = Float64Array.from(steps, (_, other) => Math.hypot(x(other) - x(node), y(other) - y(node)))
    const others = [...steps.keys()].filter((other) => (steps[other] as number) > 0)
    for (const other of others) {
      const ratio = (lengths[other] as number) / (steps[other] as number)
      pairs++
      first += ratio
      second += ratio * ratio
    }
    const neighbours = others.filter((other) => steps[other] === 1).length
    const closest = others
      .sort((one, other) => (lengths[one] as number) - (lengths[other] as number))
      .slice(0, neighbours)
    const both = closest.filter((other) => steps[other] === 1).length
    kept += both / (2 * neighbours - both)
  }
  // The sum of (scale · ratio − 1)² is smallest for scale = first ÷ second.
  return { stress: 1 - (first * first) / second / pairs, neighbours: kept / nodes.length }
}

type Axis = (node: number) => number

/** Returns the number of edges between a node and each other node. */
function stepsFrom({ nodes, offsets, incident, source, target }: Network, start: number) {
  const steps = new Int32Array(nodes.length).fill(-1)
  steps[start] = 0
  const queue = [start]
  for (const node of queue) {
    for (let place = offsets[node] as number; place < (offsets[node + 1] as number); place++) {
      const edge = incident[place] as number
      const other = (source[edge] === node ? target[edge] : source[edge]) as number
      if (steps[other] !== -1) continue
      steps[other] = (steps[node] as number) + 1
      queue.push(other)
    }
  }
  return steps
}
