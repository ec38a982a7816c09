import type { Fault } from '../../schemas/problem.ts'
import type { CheckContent } from '../content/content.ts'
import type { GraphBuilder } from '../formats/shared/graph-builder.ts'
import { isOfElement } from '../formats/shared/located-faults.ts'

/** The faults of the omitted elements. */
interface LeftOut {
  faults: Fault[]
  faultCount: number
}

/**
 * Omits the nodes and edges with faults, and all edges of those nodes. Returns the faults. Returns undefined and changes
 * nothing if there are no faults, if a fault affects the whole file, or if no node would remain.
 */
export function leaveOutFaulty(into: GraphBuilder, check: CheckContent): LeftOut | undefined {
  if (into.isFaulty) return undefined
  const leftOut = into.faulty
  const found = check(into.content, { byCause: true, leftOut })
  const faultCount = into.faultCount + found.faultCount
  const { nodes, edges } = leftOut
  if (faultCount === 0 || !found.faults.every(isOfElement) || nodes.size === into.content.nodes.length) return undefined
  const faults = into.locatedFaults(found.faults)
  into.leaveOut(leftOut)
  into.losses.add('faulty-dropped', into.skipped + nodes.size + edges.size)
  return { faults, faultCount }
}
