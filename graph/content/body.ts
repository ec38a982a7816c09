import { invalid } from '../../schemas/problem-catalogue.ts'
import { type CheckContent, prepareContent } from './content.ts'
import { parseJson } from './json.ts'

/** The most bytes of JSON beside the content. The event loop checks them. */
const OTHERS = 64 * 1024

/**
 * Parses the body, checks its content and prepares it for the store. Throws like parseJson, and `validation-failed` if there is more
 * than 64 KiB beside the content.
 */
export function parseGraphBody(bytes: Buffer, check: CheckContent): unknown {
  const body = parseJson(bytes)
  const { content, ...others } = Object(body) as Record<string, unknown>
  if (bytes.length > OTHERS && sizeOf(Array.isArray(body) ? body : others) > OTHERS) {
    const detail = `has more than ${OTHERS} bytes beside the content`
    throw invalid({ pointer: '#', code: 'too-large', detail })
  }
  if (hasContent(body)) body.content = prepareContent(body.content, check)
  return body
}

function sizeOf(value: unknown) {
  return Buffer.byteLength(JSON.stringify(value))
}

/** Tells whether the body has content, valid or not; null removes content. */
export function hasContent(body: unknown): body is { content: unknown } {
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.hasOwn(body, 'content') &&
    (body as { content: unknown }).content !== null
  )
}
