import { useMemo } from 'react'
import type { Focus } from '../graph/drawing/overlay.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import type { Network } from '../graph/network/network.ts'
import { type EdgeLengths, edgeLengths } from './edge-lengths.ts'
import type { PathQuery } from './path-query.ts'
import { type Path, shortestPaths } from './shortest-paths.ts'

type PathAnswer =
  /** The start or end is not chosen yet, or is not in the graph. */
  | { kind: 'open' }
  /** The length attribute no longer exists or is no longer numeric. */
  | { kind: 'noLengths' }
  /** Some edges have negative values. */
  | { kind: 'negative'; count: number }
  | { kind: 'none' }
  /** A path, its number from 1, and the number of equally short paths. */
  | { kind: 'found'; path: Path; number: number; count: number }

export interface PathState {
  answer: PathAnswer
  measured: EdgeLengths | undefined
  /** The nodes and edges to highlight. */
  focus: Focus | undefined
}

/** Finds the path that the view asks for. */
export function usePath(network: Network, query: PathQuery | undefined, edgeAttributes: Attribute[]): PathState {
  const { from, to, by, isInverse = false, isEitherWay = false, number = 1 } = query ?? {}
  const attribute = edgeAttributes.find(({ key, isNumber }) => key === by && isNumber)
  const measured = useMemo(
    () => attribute && edgeLengths(attribute, network.edges.length, isInverse),
    [attribute, network, isInverse]
  )
  const found = useMemo(() => {
    const [start, end] = [from, to].map((id) => (id === undefined ? undefined : network.indexOf.get(id)))
    if (start === undefined || end === undefined) return { kind: 'open' as const }
    if (by !== undefined && !measured) return { kind: 'noLengths' as const }
    if (measured && measured.negative > 0) return { kind: 'negative' as const, count: measured.negative }
    const paths = shortestPaths(network, { from: start, to: end, isEitherWay, lengths: measured?.lengths })
    return paths ? { kind: 'found' as const, ...paths } : { kind: 'none' as const }
  }, [network, from, to, by, isEitherWay, measured])
  const answer = useMemo((): PathAnswer => {
    if (found.kind !== 'found') return found
    const shown = number >= 1 && number <= found.count ? Math.trunc(number) : 1
    return { kind: 'found', path: found.pathAt(shown - 1), number: shown, count: found.count }
  }, [found, number])
  const focus = useMemo(
    () =>
      answer.kind === 'found' ? { nodes: new Set(answer.path.nodes), edges: new Set(answer.path.edges) } : undefined,
    [answer]
  )
  return { answer, measured, focus }
}
