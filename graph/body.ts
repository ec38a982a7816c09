import { type CheckContent, prepareContent } from './content.ts'
import { parseJson } from './json.ts'

/** Parses the body, and checks its content and makes it ready for the store. Throws as parseJson does. */
export function parseGraphBody(bytes: Buffer, check: CheckContent): unknown {
  const body = parseJson(bytes)
  if (hasContent(body)) body.content = prepareContent(body.content, check)
  return body
}

/** Whether there is content, for better or worse; null says that there shall be none. */
export function hasContent(body: unknown): body is { content: unknown } {
  return (
    typeof body === 'object' &&
    body !== null &&
    Object.hasOwn(body, 'content') &&
    (body as { content: unknown }).content !== null
  )
}
