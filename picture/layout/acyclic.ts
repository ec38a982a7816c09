import { at } from '../model/network.ts'

/** Edges, given by the indexes of their endpoints. */
export interface Ends {
  source: Uint32Array
  target: Uint32Array
}

/**
 * Removes cycles by reversing a small set of edges, using the heuristic of Eades, Lin and Smyth 1993
 * (doi:10.1016/0020-0190(93)90079-O). Keeps loops, and does not reverse any edge unnecessarily. Takes quadratic time in the worst
 * case. Returns the endpoints of all edges and the number of reversed edges.
 */
export function withoutCycles(count: number, { source, target }: Ends): Ends & { reversed: number } {
  const rank = ranksOf(count, { source, target })
  const isBack = (edge: number) => at(rank, at(source, edge)) > at(rank, at(target, edge))
  return {
    source: source.map((from, edge) => (isBack(edge) ? at(target, edge) : from)),
    target: target.map((to, edge) => (isBack(edge) ? at(source, edge) : to)),
    reversed: source.reduce((sum, _, edge) => sum + Number(isBack(edge)), 0)
  }
}

/** Ranks the nodes so that few edges lead to a lower rank. */
function ranksOf(count: number, { source, target }: Ends): Int32Array {
  const [outgoing, incoming] = [edgesFrom(count, source), edgesFrom(count, target)]
  const [outs, ins] = [new Int32Array(count), new Int32Array(count)]
  source.forEach((from, edge) => {
    const to = at(target, edge)
    if (from === to) return
    outs[from] = at(outs, from) + 1
    ins[to] = at(ins, to) + 1
  })
  const rank = new Int32Array(count)
  const left = new Set(Array.from({ length: count }, (_, node) => node))
  const ready = [...left].filter((node) => outs[node] === 0 || ins[node] === 0)
  let [first, last] = [0, count - 1]
  while (left.size > 0) {
    const node = ready.pop() ?? mostLeading(left, outs, ins)
    if (!left.delete(node)) continue
    rank[node] = outs[node] === 0 ? last-- : first++
    for (const [edges, ends, degrees] of [
      [outgoing, target, ins],
      [incoming, source, outs]
    ] as const) {
      for (const edge of edges[node] ?? []) {
        const other = at(ends, edge)
        if (!left.has(other)) continue
        degrees[other] = at(degrees, other) - 1
        if (degrees[other] === 0) ready.push(other)
      }
    }
  }
  return rank
}

/** Returns the node whose out-degree exceeds its in-degree the most. */
function mostLeading(nodes: Set<number>, outs: Int32Array, ins: Int32Array): number {
  let [best, most] = [0, Number.NEGATIVE_INFINITY]
  for (const node of nodes) {
    const lead = at(outs, node) - at(ins, node)
    if (lead > most) [best, most] = [node, lead]
  }
  return best
}

/**
 * Returns the layer of each node, which is one below its lowest predecessor, or else one above its highest successor. The edges
 * must be acyclic, except for loops.
 */
export function layersOf(count: number, { source, target }: Ends): Uint32Array {
  const outgoing = edgesFrom(count, source)
  const missing = new Uint32Array(count)
  target.forEach((to, edge) => {
    if (at(source, edge) !== to) missing[to] = at(missing, to) + 1
  })
  const layers = new Uint32Array(count)
  const first = [...missing.keys()].filter((node) => missing[node] === 0)
  const ready = [...first]
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    for (const edge of outgoing[node] ?? []) {
      const to = at(target, edge)
      if (to === node) continue
      layers[to] = Math.max(at(layers, to), at(layers, node) + 1)
      missing[to] = at(missing, to) - 1
      if (missing[to] === 0) ready.push(to)
    }
  }
  for (const node of first) {
    const below = (outgoing[node] ?? []).map((edge) => at(target, edge)).filter((to) => to !== node)
    if (below.length > 0) layers[node] = Math.min(...below.map((to) => at(layers, to))) - 1
  }
  return layers
}

/** Returns the edges of each node. `ends` contains one endpoint of each edge. */
function edgesFrom(count: number, ends: Uint32Array): number[][] {
  const edges = Array.from({ length: count }, (): number[] => [])
  ends.forEach((node, edge) => {
    edges[node]?.push(edge)
  })
  return edges
}
