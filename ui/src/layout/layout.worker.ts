import defaults from 'graphology-layout-forceatlas2/defaults.js'
import iterate from 'graphology-layout-forceatlas2/iterate.js'
import type { Size } from './pack-boxes.ts'
import { tidied } from './tidy-layout.ts'

// ForceAtlas2 (Jacomy et al. 2014, doi:10.1371/journal.pone.0098679), and at its end `tidied`, in a worker, so that the page
// stays responsive.

export interface LayoutTask {
  positions: Float64Array
  source: Uint32Array
  target: Uint32Array
  /** The weight of each edge, positive. */
  weights: Float32Array
  /** The radius of each node in pixels, and the size of the drawing. */
  radii: Float32Array
  space: Size
  /** The maximum duration, in milliseconds. */
  limit: number
}

export interface LayoutStep {
  positions: Float64Array
  isDone: boolean
}

// The library's layout of arrays: numbers per node and per edge.
const NODE = 10
const EDGE = 3

/** Milliseconds of work between checks for messages. */
const INTERVAL = 80
/** The layout is stable when nodes move less than this fraction of its extent, on average. */
const STILL = 0.0002

/** Whether the page has drawn the last step and awaits another. */
let isAwaited = true

self.onmessage = ({ data }: MessageEvent<LayoutTask | 'next'>) => {
  if (data === 'next') isAwaited = true
  else layOut(data)
}

function layOut(task: LayoutTask) {
  const count = task.positions.length / 2
  const nodes = new Float32Array(count * NODE)
  for (let node = 0; node < count; node++) {
    nodes[node * NODE] = task.positions[node * 2] as number
    nodes[node * NODE + 1] = task.positions[node * 2 + 1] as number
    // Mass, convergence, size.
    nodes.set([1, 1, 1], node * NODE + 6)
  }
  const edges = new Float32Array(task.source.length * EDGE)
  task.source.forEach((source, edge) => {
    const [from, to] = [source * NODE, (task.target[edge] as number) * NODE]
    const weight = task.weights[edge] as number
    edges.set([from, to, weight], edge * EDGE)
    nodes[from + 6] = (nodes[from + 6] as number) + weight
    nodes[to + 6] = (nodes[to + 6] as number) + weight
  })
  const settings = {
    ...defaults,
    barnesHutOptimize: count > 1000,
    strongGravityMode: true,
    gravity: 0.05,
    scalingRatio: 10,
    slowDown: 1 + Math.log(Math.max(count, 1))
  }
  const started = performance.now()
  let last = positionsOf(nodes)

  function run() {
    const begun = performance.now()
    let iterations = 0
    do {
      iterate(settings, nodes, edges)
      iterations++
    } while (performance.now() - begun < INTERVAL)
    let positions = positionsOf(nodes)
    const isDone = performance.now() - started > task.limit || movementOf(last, positions) / iterations < STILL
    last = positions.slice()
    if (isDone) positions = tidied({ ...task, positions }, task.space)
    if (isAwaited || isDone)
      self.postMessage({ positions, isDone } satisfies LayoutStep, { transfer: [positions.buffer] })
    isAwaited = false
    if (!isDone) setTimeout(run)
  }
  run()
}

function positionsOf(nodes: Float32Array) {
  const positions = new Float64Array((nodes.length / NODE) * 2)
  for (let node = 0; node < nodes.length / NODE; node++) {
    positions[node * 2] = nodes[node * NODE] as number
    positions[node * 2 + 1] = nodes[node * NODE + 1] as number
  }
  return positions
}

/** The average movement of nodes, as a fraction of the extent. */
function movementOf(before: Float64Array, after: Float64Array) {
  let moved = 0
  let extent = 1e-9
  for (let index = 0; index < after.length; index++) {
    moved += Math.abs((after[index] as number) - (before[index] as number))
    extent = Math.max(extent, Math.abs(after[index] as number))
  }
  return moved / after.length / extent
}
