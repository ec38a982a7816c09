import { type CheckContent, prepareContent } from './content.ts'
import { parseJson } from './json.ts'

/** Parses the body, checks its content and prepares it for the store. Throws like parseJson. */
export function parseGraphBody(bytes: Buffer, check: CheckContent): unknown {
  const body = parseJson(bytes)
  if (hasContent(body)) body.content = prepareContent(body.content, check)
  return body
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
