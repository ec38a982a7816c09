import { at, type Network } from '../model/network.ts'

/** The number of nodes from which distances are measured. */
const PIVOTS = 12

/** The number of power iterations per principal direction. */
const ROUNDS = 30

/**
 * Returns positions based on the distances to a few pivots, which are nodes far from each other. The axes are the two
 * directions in which these distances vary most (Brandes and Pich 2007, doi:10.1007/978-3-540-70904-6_6). Takes time linear in
 * the size of the network.
 */
export function pivotPositions(network: Network): Float64Array {
  const count = network.nodes.length
  const columns: Float64Array[] = []
  const nearest = new Float64Array(count).fill(Number.POSITIVE_INFINITY)
  let pivot = network.degree.reduce((best, degree, node) => (degree > at(network.degree, best) ? node : best), 0)
  for (let round = 0; round < Math.min(PIVOTS, count); round++) {
    const column = distancesFrom(network, pivot)
    let next = pivot
    for (let node = 0; node < count; node++) {
      nearest[node] = Math.min(at(nearest, node), at(column, node))
      if (at(nearest, node) > at(nearest, next)) next = node
    }
    columns.push(centred(column))
    pivot = next
  }
  const first = mainDirection(columns, undefined)
  const axes = [first, mainDirection(columns, first)]
  const positions = new Float64Array(count * 2)
  for (let node = 0; node < count; node++) {
    axes.forEach((axis, which) => {
      positions[node * 2 + which] = columns.reduce((sum, column, index) => sum + at(column, node) * at(axis, index), 0)
    })
  }
  return positions
}

/**
 * Returns the number of steps to each node, ignoring the directions of edges. For unreachable nodes, this is the maximum plus
 * one.
 */
function distancesFrom({ nodes, source, target, incident, offsets }: Network, start: number): Float64Array {
  const distances = new Float64Array(nodes.length).fill(-1)
  const queue = new Uint32Array(nodes.length)
  distances[start] = 0
  queue[0] = start
  let [length, most] = [1, 0]
  for (let place = 0; place < length; place++) {
    const node = at(queue, place)
    most = at(distances, node)
    for (let index = at(offsets, node); index < at(offsets, node + 1); index++) {
      const edge = at(incident, index)
      const other = at(source, edge) === node ? at(target, edge) : at(source, edge)
      if (at(distances, other) >= 0) continue
      distances[other] = most + 1
      queue[length++] = other
    }
  }
  return distances.map((distance) => (distance < 0 ? most + 1 : distance))
}

function centred(column: Float64Array): Float64Array {
  const mean = column.reduce((sum, value) => sum + value, 0) / column.length
  return column.map((value) => value - mean)
}

/** Returns the direction of greatest variance that is orthogonal to `other`, using power iteration. */
function mainDirection(columns: Float64Array[], other: Float64Array | undefined): Float64Array {
  const covariance = columns.map((one) =>
    columns.map((another) => one.reduce((sum, value, node) => sum + value * at(another, node), 0))
  )
  let axis = Float64Array.from(columns, (_, index) => 1 + index / columns.length)
  for (let round = 0; round < ROUNDS; round++) {
    const next = Float64Array.from(covariance, (row) =>
      row.reduce((sum, value, index) => sum + value * at(axis, index), 0)
    )
    const along = other ? next.reduce((sum, value, index) => sum + value * at(other, index), 0) : 0
    const straight = next.map((value, index) => value - along * (other ? at(other, index) : 0))
    const length = Math.hypot(...straight) || 1
    axis = straight.map((value) => value / length)
  }
  return axis
}
