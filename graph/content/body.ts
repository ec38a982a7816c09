import { invalid } from '../../schemas/problem-catalogue.ts'
import { type CheckContent, prepareContent } from './content.ts'
import { parseJson } from './json.ts'

/** The maximum size of a body without its content, in bytes of JSON. This part is checked on the event loop. */
const OTHERS = 64 * 1024

/**
 * Parses the body, checks its content and prepares it for the store. Throws the same errors as parseJson, or `validation-failed`
 * if the body without its content exceeds 64 KiB.
 */
export function parseGraphBody(bytes: Buffer, check: CheckContent): unknown {
  const body = parseJson(bytes)
  const { content, ...others } = Object(body) as Record<string, unknown>
  if (bytes.length > OTHERS && sizeOf(Array.isArray(body) ? body : others) > OTHERS) {
    const detail = `has more than ${OTHERS} bytes besides the content`
    throw invalid({ pointer: '#', code: 'too-large', detail })
  }
  if (hasContent(body)) body.content = prepareContent(body.content, check)
  return body
}

function sizeOf(value: unknown) {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Returns whether the body has content, valid or not. Null does not count, since it is a request to remove the content. */
export function hasContent(body: unknown): body is { content: unknown } {
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.hasOwn(body, 'content') &&
    (body as { content: unknown }).content !== null
  )
}
