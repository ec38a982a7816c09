import type { Actor } from '../../../db/actors.ts'
import { requireGraph } from '../../../db/graphs/access.ts'
import { loadConsistently } from '../../../db/graphs/contents.ts'
import { findGraphWithContent, type GraphWithContent } from '../../../db/graphs/graphs.ts'
import type { Store } from '../../../db/store.ts'
import type { Part } from '../../../graph/files/parts.ts'
import type { GraphWorker, LoadableContent } from '../../../graph/jobs/worker.ts'
import type { Question } from '../../../graph/query/subgraph.ts'
import type { GraphSummary } from '../../../schemas/graph-part.ts'
import { loadContent } from './load-content.ts'

/** Provides parts and summaries of graphs that the caller may read. */
export class GraphParts {
  readonly #store: Store
  readonly #worker: GraphWorker

  constructor(store: Store, worker: GraphWorker) {
    this.#store = store
    this.#worker = worker
  }

  /** Returns the summary of a graph. Throws `graph-not-found`. */
  async summary(actor: Actor, id: number): Promise<GraphSummary> {
    return this.#ask(actor, id, (_, content) => this.#worker.summary(content))
  }

  /**
   * Returns the requested part of a graph, as GraphContent in JSON or as a file in the named format. Throws `graph-not-found` or
   * `node-not-found`.
   */
  async subgraph(actor: Actor, id: number, question: Question, format?: string): Promise<Part> {
    return this.#ask(actor, id, ({ name, type }, content) =>
      this.#worker.subgraph(content, question, { format, name, type: type ?? undefined })
    )
  }

  async #ask<T>(
    actor: Actor,
    id: number,
    answer: (graph: GraphWithContent, content: LoadableContent | null) => Promise<T>
  ): Promise<T> {
    const find = async () => requireGraph(await findGraphWithContent(this.#store.read, actor, id))
    return loadConsistently(await find(), find, (graph) => {
      const { content } = graph
      const load = () => loadContent(this.#store, content)
      return answer(graph, content && { id: content.id, size: content.size, load })
    })
  }
}
