import type { IncomingMessage } from 'node:http'
import { type TSchema, Type } from '@sinclair/typebox'
import type { GraphRecord } from '../../schemas/graph.ts'
import type { ImportReport } from '../../schemas/graph-file.ts'
import { Fault, type Problem } from '../../schemas/problem.ts'
import { lazyValidatorOf } from '../../schemas/validation.ts'

// Responses from a remote server, which may be malicious or run a different product. Commands show only the parts that they have
// validated.

/** The maximum size of a JSON response, in bytes. It is several times the size of a page of the longest records. */
const MAX_BYTES = 64 * 1024 * 1024

/** Thrown if a response is longer than any that Graphstead sends. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong'
}

/**
 * Returns the body as JSON, or undefined if it is not valid JSON. Throws AnswerTooLong, or the error of a broken connection.
 */
export async function readJson(answer: IncomingMessage): Promise<unknown> {
  const bytes = await readStart(answer, MAX_BYTES)
  if (bytes.length > MAX_BYTES) throw new AnswerTooLong()
  return parseJson(bytes)
}

/** Parses JSON. Returns undefined if it is invalid. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

/**
 * Returns at most `longest` + 1 bytes of the body, and then closes the connection. If the connection breaks, throws its error.
 */
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

/** Returns a function that validates a response. Unknown members are allowed, because a newer server may send more. */
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
