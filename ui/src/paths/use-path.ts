import { useMemo } from 'react'
import type { Focus } from '../graph/drawing/overlay.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import type { Network } from '../graph/network/network.ts'
import { type EdgeLengths, edgeLengths } from './edge-lengths.ts'
import type { PathQuery } from './path-query.ts'
import { type Path, shortestPath } from './shortest-path.ts'

type PathAnswer =
  /** The start or end is not chosen yet, or is not in the graph. */
  | { kind: 'open' }
  /** The length attribute no longer exists or is no longer numeric. */
  | { kind: 'noLengths' }
  /** Some edges have negative values. */
  | { kind: 'negative'; count: number }
  | { kind: 'none' }
  | { kind: 'found'; path: Path }

export interface PathState {
  answer: PathAnswer
  measured: EdgeLengths | undefined
  /** The nodes and edges to highlight. */
  focus: Focus | undefined
}

/** Finds the path that the view asks for. */
export function usePath(network: Network, query: PathQuery | undefined, edgeAttributes: Attribute[]): PathState {
  const { from, to, by, isInverse = false, isEitherWay = false } = query ?? {}
  const attribute = edgeAttributes.find(({ key, isNumber }) => key === by && isNumber)
  const measured = useMemo(
    () => attribute && edgeLengths(attribute, network.edges.length, isInverse),
    [attribute, network, isInverse]
  )
  const answer = useMemo((): PathAnswer => {
    const [start, end] = [from, to].map((id) => (id === undefined ? undefined : network.indexOf.get(id)))
    if (start === undefined || end === undefined) return { kind: 'open' }
    if (by !== undefined && !measured) return { kind: 'noLengths' }
    if (measured && measured.negative > 0) return { kind: 'negative', count: measured.negative }
    const path = shortestPath(network, { from: start, to: end, isEitherWay, lengths: measured?.lengths })
    return path ? { kind: 'found', path } : { kind: 'none' }
  }, [network, from, to, by, isEitherWay, measured])
  const focus = useMemo(
    () =>
      answer.kind === 'found' ? { nodes: new Set(answer.path.nodes), edges: new Set(answer.path.edges) } : undefined,
    [answer]
  )
  return { answer, measured, focus }
}
