import { decodeEntities, LATIN_ENTITIES } from '../shared/entities.ts'

/** Returns the text of HTML. `<br>`, and blocks such as `<div>`, begin a new line. */
export function textOfHtml(html: string): string {
  let text = ''
  let at = 0
  for (let start = html.indexOf('<'); start >= 0; start = html.indexOf('<', at)) {
    const end = html.indexOf('>', start)
    if (end < 0) break
    text += html.slice(at, start)
    if (/^<\/?(?:br|div|p|h\d|li|tr|hr)\b/i.test(html.slice(start, start + 5))) text += '\n'
    at = end + 1
  }
  const lines = decodeEntities(text + html.slice(at), LATIN_ENTITIES)
    .replaceAll('\u00a0', ' ')
    .split('\n')
  return lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
}
