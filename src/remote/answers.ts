import type { IncomingMessage } from 'node:http'
import { type TSchema, Type } from '@sinclair/typebox'
import type { GraphRecord } from '../../schemas/graph.ts'
import type { ImportReport } from '../../schemas/graph-file.ts'
import { Fault, type Problem } from '../../schemas/problem.ts'
import { lazyValidatorOf } from '../../schemas/validation.ts'

// Answers of a server elsewhere. It may be another product, or mean harm: commands show no more of it than they have checked.

/** The bytes of the largest answer in JSON that is read: several times those of a page of the longest records. */
const MAX_BYTES = 64 * 1024 * 1024

/** The answer is longer than any of Graphstead. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
}

/** Returns the body as JSON; undefined if it is none. Throws AnswerTooLong, and the error of a connection that breaks. */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  const bytes = await readStart(answer, MAX_BYTES)
  if (bytes.length > MAX_BYTES) throw new AnswerTooLong()
  return parseJson(bytes)
}

/** Returns the value of JSON; undefined if it is none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/** Returns the body up to one byte more than it may have, and ends the connection there. Throws the error of one that breaks. */
export async function readStart(answer: IncomingMessage, longest: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    chunks.push(chunk)
    if (size > longest) break
  }
  return Buffer.concat(chunks).subarray(0, longest + 1)
}

/** Returns the test whether an answer fits. A later server may answer more than this one knows. */
function shape<T>(schema: TSchema) {
  const isValid = lazyValidatorOf(schema)
  return (body: unknown): body is T => isValid(body)
}

const record = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  key: Type.Optional(Type.String()),
  owner: Type.String(),
  access: Type.String(),
  version: Type.Integer(),
  nodeCount: Type.Integer(),
  edgeCount: Type.Integer()
})
const optionalText = Type.Optional(Type.String())

export const isGraph = shape<GraphRecord>(record)
export const isGraphs = shape<GraphRecord[]>(Type.Array(record))
export const isReport = shape<ImportReport>(
  Type.Object({
    format: Type.String({ pattern: '^[a-z0-9-]+$' }),
    version: optionalText,
    nodeCount: Type.Integer(),
    edgeCount: Type.Integer(),
    table: Type.Optional(Type.Object({ sourceColumn: optionalText, targetColumn: optionalText })),
    valid: Type.Boolean(),
    faults: Type.Array(Fault)
  })
)
export const isProblem = shape<Partial<Problem>>(
  Type.Object({
    title: optionalText,
    detail: optionalText,
    code: optionalText,
    errors: Type.Optional(Type.Array(Fault))
  })
)
