import type { Expectation } from '../../db/changes/graphs.ts'
import { ProblemError, versionConflict } from '../../schemas/problem-catalogue.ts'
import { isExpected } from '../http/etags.ts'

/**
 * Returns the precondition of a change, from `If-Match` and from the version in the body, if present. The precondition throws
 * `precondition-failed` or `version-conflict`.
 */
export function expectationOf(ifMatch: string | undefined, version?: number): Expectation {
  return (graph) => {
    const isMeant = graph ? isExpected(ifMatch, graph) : ifMatch === undefined
    if (!isMeant) throw new ProblemError('precondition-failed')
    if (!graph || version === undefined || version === graph.version) return
    throw versionConflict(graph.version, version)
  }
}
