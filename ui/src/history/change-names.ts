import type { Change, Edge, GraphContent, Node } from '../api.ts'
import { text } from '../text/index.ts'

const known: ReadonlyMap<string, string> = new Map(Object.entries(text.diff.names))

/** Returns the name of a changed field or attribute, from its JSON Pointer in a URI fragment. */
export function nameOfChange(pointer: string): string {
  const steps = pointer.split('/').slice(1).map(stepOf)
  const [first = '', ...others] = steps[0] === 'content' && steps.length > 1 ? steps.slice(1) : steps
  if (first === 'metadata' && others.length > 0) return others.join(' › ')
  return [known.get(first) ?? first, ...others].join(' › ')
}

function stepOf(step: string) {
  return decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
}

/** Returns both values of a change as text. Text has quotation marks only if they are needed to see what changed. */
export function valuesOfChange({ from, to }: Pick<Change, 'from' | 'to'>): { from?: string; to?: string } {
  const isText = [from, to].every((value) => value === undefined || (typeof value === 'string' && value.trim() !== ''))
  const textOf = (value: unknown) => (isText ? (value as string) : JSON.stringify(value))
  return { ...(from !== undefined && { from: textOf(from) }), ...(to !== undefined && { to: textOf(to) }) }
}

/** A node or an edge in a list of differences. */
export type ListedElement = Partial<Node & Edge>

/** Returns a function that names elements by label. Labels of nodes that are not in the content are unknown. */
export function namesIn(content: GraphContent | undefined, removed: readonly Node[]) {
  const labels = new Map([...removed, ...(content?.nodes ?? [])].map(({ id, label }) => [id, label]))
  const labelOf = (id: string) => labels.get(id) || id
  return ({ id, label, source, target, relation }: ListedElement): string => {
    if (source !== undefined && target !== undefined) {
      return [`${labelOf(source)} – ${labelOf(target)}`, relation, label, id].filter(Boolean).join(' · ')
    }
    const name = label || labelOf(id as string)
    return name === id ? name : `${name} (${id})`
  }
}
