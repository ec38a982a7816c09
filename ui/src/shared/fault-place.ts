import type { Fault } from '../api.ts'
import { text } from '../text/index.ts'

/**
 * Returns the location of a fault in words, such as `Line 7, column 3`, `Name` or `node 3, label`. Returns an empty string for
 * faults in the body as a whole.
 */
export function placeOf({ file, line, column, pointer, parameter }: Fault): string {
  if (line !== undefined) return [file, text.failure.line(line, column ?? 1)].filter(Boolean).join(', ')
  const steps = pointer === undefined ? [parameter ?? ''] : pointer.split('/').slice(1).map(decodeStep)
  const [list = '', index = '', ...members] = steps[0] === 'content' ? steps.slice(1) : steps
  const nameElement = ownOf(text.failure.elements, list)
  if (nameElement && /^\d+$/.test(index)) return [nameElement(Number(index) + 1), ...members].join(', ')
  const [field = '', ...rest] = steps
  const { fields } = text.failure
  return ownOf(fields, steps.join('/')) ?? [ownOf(fields, field) ?? field, ...rest].join(', ')
}

/** Replaces the API's names of parameters in a message by the labels of the fields in import dialogs. */
export function withLabels(message: string): string {
  return message.replace(/\b(?:source|target|id)Column\b/g, (name) => `“${ownOf(text.failure.fields, name)}”`)
}

/** Returns the record's own entry with this name, ignoring inherited properties such as `constructor`. */
export function ownOf<Value>(entries: Record<string, Value>, name: string): Value | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined
}

/** Decodes a token of a JSON pointer in a URI fragment (RFC 6901, section 6). */
function decodeStep(step: string): string {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
}
