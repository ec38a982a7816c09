import type { Edge, Node } from '../api.ts'
import type { Element } from '../graph/drawing/drawing.ts'
import { type Kind, writtenOf } from './attribute-rows.ts'
import { withoutEdges, withoutNodes } from './edits.ts'
import type { Editing } from './use-editing.ts'
import { isEditable, valueIn, withValues } from './values.ts'

/** Edits the elements of a table. Each change is a single undo step, no matter how many elements it affects. */
export interface TableEditor {
  kind: Element['kind']
  elements: readonly (Node | Edge)[]
  mayEdit(key: string): boolean
  read(index: number, key: string): unknown
  /** Returns the type of a column's values, or text if they have different types. */
  typeOf(key: string): Kind
  /** Sets a value. Undefined removes it. */
  set(indexes: Iterable<number>, key: string, value: unknown): void
  remove(indexes: ReadonlySet<number>): void
}

/** Returns the editor of nodes or edges, or undefined if no edit is in progress. */
export function tableEditor(
  kind: Element['kind'],
  { history, content, change }: Pick<Editing, 'history' | 'content' | 'change'>,
  /** Called before elements are removed. */
  onRemove: () => void
): TableEditor | undefined {
  if (!history) return undefined
  const elements = kind === 'node' ? content.nodes : content.edges
  return {
    kind,
    elements,
    mayEdit: (key) => isEditable(kind, key),
    read: (index, key) => valueIn(elements[index], key),
    typeOf: (key) => {
      const values = elements.map((element) => valueIn(element, key)).filter((value) => value !== undefined)
      const [type = 'text', ...others] = new Set(values.map((value) => writtenOf(value).kind))
      return others.length === 0 ? type : 'text'
    },
    set: (indexes, key, value) => {
      const next = withValues(content, kind, indexes, key, value)
      if (next !== content) change(next)
    },
    remove: (indexes) => {
      onRemove()
      change((kind === 'node' ? withoutNodes : withoutEdges)(content, indexes))
    }
  }
}
