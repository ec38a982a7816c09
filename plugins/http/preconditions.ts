import type { Expectation } from '../../db/graph-changes.ts'
import { ProblemError } from '../../schemas/errors.ts'
import { isExpected } from './etags.ts'

/**
 * Returns the expectation of a change: `If-Match` and the version of its body, if there are any. It throws `precondition-failed`
 * and `version-conflict`.
 */
export function expectationOf(ifMatch: string | undefined, version?: number): Expectation {
  return (graph) => {
    const isMeant = graph ? isExpected(ifMatch, graph) : ifMatch === undefined
    if (!isMeant) throw new ProblemError('precondition-failed')
    if (!graph || version === undefined || version === graph.version) return
    throw new ProblemError('version-conflict', {
      detail: `The stored graph has version ${graph.version}, not ${version}.`,
      errors: [{ pointer: '#/version', code: 'version-conflict', detail: `is not ${graph.version}` }]
    })
  }
}
