import type { Actor } from '../../db/actors.ts'
import { ProblemError } from '../../schemas/errors.ts'
import type { GraphRecord } from '../../schemas/graph.ts'
import { etagOf, isExpected } from './etags.ts'

/** The graph. Throws `graph-not-found` where there is none, or none that the caller may see. */
export function found<T>(graph: T | undefined): T {
  if (graph === undefined) throw new ProblemError('graph-not-found')
  return graph
}

/** The version of a graph. Throws `graph-not-found` where it is undefined, and `version-not-found` where it is null. */
export function foundVersion<T>(version: T | null | undefined): T {
  const present = found(version)
  if (present === null) throw new ProblemError('version-not-found')
  return present
}

/** The graph, if the actor may change it. Throws `forbidden`. */
export function owned<T extends Pick<GraphRecord, 'id' | 'name' | 'owner'>>(
  { account, isAdministrator }: Pick<Actor, 'account' | 'isAdministrator'>,
  graph: T
): T {
  if (graph.owner === account || isAdministrator) return graph
  throw new ProblemError('forbidden', {
    detail: 'Only its owner and administrators may change this graph.',
    target: { type: 'GRAPH', id: graph.id, name: graph.name }
  })
}

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
