import type { IncomingMessage } from 'node:http'
import { type TSchema, Type } from '@sinclair/typebox'
import type { GraphRecord } from '../schemas/graph.ts'
import type { ImportReport } from '../schemas/graph-file.ts'
import { Fault, type Problem } from '../schemas/problem.ts'
import { lazyValidatorOf } from '../schemas/validation.ts'

// Answers of a server elsewhere. It may be another product, or mean harm: commands show no more of it than they have checked.

/** The bytes of the largest answer in JSON that is read: several times those of a page of the longest records. */
const MAX_BYTES = 64 * 1024 * 1024

/** The answer is longer than any of Graphstead. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
}

/** Returns the body as JSON; undefined if it is none. Throws AnswerTooLong, and the error of a connection that breaks. */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BYTES) throw new AnswerTooLong()
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
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
