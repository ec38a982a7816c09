import type { Links } from '../../../picture/measures/links.ts'
import { at } from '../graph/network/network.ts'
import { isDirected } from './uniform-links.ts'

/**
 * Returns the degree assortativity (Newman 2003, doi:10.1103/PhysRevE.67.026126): the correlation of the degrees at both ends of
 * edges, or of the source's outdegree and the target's indegree if edges are directed. As in networkx, parallel edges count, and
 * an undirected edge counts in both directions, but a loop once. Returns undefined if the degrees at one end do not vary.
 */
export function assortativity(links: Links): number | undefined {
  const { count, source, target } = links
  const isOneWay = isDirected(links)
  const out = new Float64Array(count)
  const incoming = isOneWay ? new Float64Array(count) : out
  for (let edge = 0; edge < source.length; edge++) {
    out[at(source, edge)] = at(out, at(source, edge)) + 1
    incoming[at(target, edge)] = at(incoming, at(target, edge)) + 1
  }
  let [pairs, sumX, sumY, squaresX, squaresY, products] = [0, 0, 0, 0, 0, 0]
  const add = (x: number, y: number) => {
    pairs++
    sumX += x
    sumY += y
    squaresX += x * x
    squaresY += y * y
    products += x * y
  }
  for (let edge = 0; edge < source.length; edge++) {
    const [from, to] = [at(source, edge), at(target, edge)]
    add(at(out, from), at(incoming, to))
    if (!isOneWay && from !== to) add(at(out, to), at(incoming, from))
  }
  const varianceX = squaresX * pairs - sumX * sumX
  const varianceY = squaresY * pairs - sumY * sumY
  if (!(varianceX > 0 && varianceY > 0)) return undefined
  return (products * pairs - sumX * sumY) / Math.sqrt(varianceX * varianceY)
}
