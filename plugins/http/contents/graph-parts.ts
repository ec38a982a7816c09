import type { FastifyReply } from 'fastify'
import { requireGraph } from '../../../db/graphs/access.ts'
import { loadConsistently } from '../../../db/graphs/contents.ts'
import { findGraphWithContent, type GraphWithContent } from '../../../db/graphs/graphs.ts'
import type { Store } from '../../../db/store.ts'
import type { Part } from '../../../graph/files/parts.ts'
import type { GraphWorker, LoadableContent } from '../../../graph/jobs/worker.ts'
import type { Question } from '../../../graph/query/subgraph.ts'
import type { GraphSummary } from '../../../schemas/graph-part.ts'
import { abortSignalOf } from '../abort-signals.ts'
import { loadContent } from './load-content.ts'

type Asked = Pick<FastifyReply, 'request' | 'raw'>

/** Answers questions about parts of the graphs that a caller may read. */
export class GraphParts {
  readonly #store: Store
  readonly #worker: GraphWorker

  constructor(store: Store, worker: GraphWorker) {
    this.#store = store
    this.#worker = worker
  }

  /** Returns the summary of a graph. Throws `graph-not-found`. */
  async summary(asked: Asked, id: number): Promise<GraphSummary> {
    return this.#ask(asked, id, (_, content) => this.#worker.summary(content, callerOf(asked)))
  }

  /**
   * Returns the part of a graph that the question asks for: as GraphContent in JSON, or as a file in the format with this name. Throws
   * `graph-not-found` and `node-not-found`.
   */
  async subgraph(asked: Asked, id: number, question: Question, format?: string): Promise<Part> {
    return this.#ask(asked, id, ({ name, type }, content) =>
      this.#worker.subgraph(content, question, { format, name, type: type ?? undefined }, callerOf(asked))
    )
  }

  async #ask<T>(
    { request }: Asked,
    id: number,
    answer: (graph: GraphWithContent, content: LoadableContent | null) => Promise<T>
  ): Promise<T> {
    const find = async () => requireGraph(await findGraphWithContent(this.#store.read, request.actor, id))
    return loadConsistently(await find(), find, (graph) => {
      const { content } = graph
      const load = () => loadContent(request, this.#store, content)
      return answer(graph, content && { id: content.id, size: content.size, load })
    })
  }
}

function callerOf({ request, raw }: Asked) {
  return { user: request.actor.subject, signal: abortSignalOf(raw) }
}
