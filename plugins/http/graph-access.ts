import { ProblemError } from '../../schemas/errors.ts'
import type { GraphRecord } from '../../schemas/graph.ts'
import { etagOf, isExpected } from './etags.ts'

/** Whether the change is meant for the graph as it is. Throws `precondition-failed` or `version-conflict`. */
export function expectState(
  graph: Pick<GraphRecord, 'id' | 'version' | 'updatedAt'>,
  ifMatch: string | undefined,
  version = graph.version
) {
  if (!isExpected(ifMatch, etagOf(graph))) throw new ProblemError('precondition-failed')
  if (version !== graph.version) {
    throw new ProblemError('version-conflict', {
      detail: `The stored graph has version ${graph.version}, not ${version}.`,
      errors: [{ pointer: '#/version', code: 'version-conflict', detail: `is not ${graph.version}` }]
    })
  }
}

/** An id beyond what JSON can name exactly is nobody's: not found, and never rounded to another. */
export function idOf(digits: string) {
  const id = Number(digits)
  return Number.isSafeInteger(id) ? id : -1
}
