import type { Static, TObject } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { accountOf } from '../../../db/actors.ts'
import { requireGraph } from '../../../db/graphs/access.ts'
import { findGraphWithContent, type GraphWithContent } from '../../../db/graphs/graphs.ts'
import { findByKey } from '../../../db/graphs/keys.ts'
import type { Store } from '../../../db/store.ts'
import type { GraphWorker } from '../../../graph/jobs/worker.ts'
import type { GraphRecord } from '../../../schemas/graph.ts'
import type { ToolGraph } from '../../../schemas/tools.ts'
import { idOf } from '../../http/urls.ts'

/** A request in which an agent calls a tool, with the parts that tools use. */
export interface ToolCall {
  reply: FastifyReply
  store: Store
  worker: GraphWorker
}

/** The result of a tool. */
export interface ToolResult<Data = object> {
  /** One or two sentences in the server's own words. They may contain numbers, but no text from graphs. */
  summary: string
  /** The result, as defined by the tool's output schema. Any text in it comes from graphs. */
  data: Data
  /** The result as text, if it should not be shown as JSON. */
  text?: string
}

/** A tool for agents. Tools are read-only. */
export interface Tool {
  name: string
  title: string
  description: string
  input: TObject
  output: TObject
  /** Runs the tool with valid input. Throws the same problems as the API. */
  run(call: ToolCall, input: unknown): Promise<ToolResult>
}

/** Defines a tool from its schemas. */
export function defineTool<Input extends TObject, Output extends TObject>(
  definition: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: Input
    output: Output
    run(call: ToolCall, input: Static<Input>): Promise<ToolResult<Static<Output>>>
  }
): Tool {
  return { ...definition, run: (call, input) => definition.run(call, input as Static<Input>) }
}

/**
 * Finds a graph by its id, or by the caller's key. A name that consists only of digits is treated as an id. Throws
 * `graph-not-found`.
 */
export async function findNamedGraph(
  { reply, store }: Pick<ToolCall, 'reply' | 'store'>,
  name: number | string
): Promise<GraphWithContent> {
  const { actor } = reply.request
  const isId = typeof name === 'number' || /^[1-9]\d*$/.test(name)
  const id = isId ? idOf(String(name)) : (await findByKey(store.read, accountOf(actor), name))?.id
  return requireGraph(id === undefined ? undefined : await findGraphWithContent(store.read, actor, id))
}

/** Returns the text, truncated to `most` characters. */
export function shortened(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/** The maximum length of a node's label, in characters. */
const LONGEST_LABEL = 200

/** Returns a node in the form shown to agents. The metadata is truncated JSON. */
export function toToolNode({
  id = '',
  label,
  metadata
}: {
  id?: string | undefined
  label?: string | undefined
  metadata?: string | undefined
}) {
  return {
    id,
    ...(label !== undefined && { label: shortened(label, LONGEST_LABEL) }),
    ...(metadata !== undefined && { metadata })
  }
}

/** Returns a graph's record in the form shown to agents, with the description truncated to `most` characters. */
export function toToolGraph({ description, ...record }: GraphRecord, most: number): ToolGraph {
  return { ...record, ...(description !== undefined && { description: shortened(description, most) }) }
}

/** Returns a count with its noun, such as `1 node` or `2 nodes`. */
export function counted(count: number, noun: string) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
