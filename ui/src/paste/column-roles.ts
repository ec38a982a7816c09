import { unescaped } from './cell-types.ts'
import { IDS, PAIRS, plainNameOf, RELATIONS } from './column-names.ts'
import type { PastedTable } from './pasted-table.ts'

/** The roles of columns in a pasted table. Columns with the role `none` are ignored. */
export type Role =
  | 'id'
  | 'source'
  | 'target'
  | 'label'
  | 'relation'
  | 'direction'
  | 'x'
  | 'y'
  | 'z'
  | 'attribute'
  | 'none'

export const DIRECTION = /^(?:un)?directed$/i

/**
 * Detects the roles of columns by name. Columns with other names, or with a role that is already taken, become attributes. In a
 * table without titles, the first two columns are edge endpoints, and a single column contains node ids.
 */
export function guessRoles({ header, rows, hasTitles }: PastedTable): Role[] {
  if (!hasTitles) {
    const first: Role[] = header.length === 1 ? ['id'] : ['source', 'target']
    return header.map((_, index) => first[index] ?? 'attribute')
  }
  const names = header.map(plainNameOf)
  const find = (wanted: readonly string[]) => wanted.map((name) => names.indexOf(name)).find((index) => index >= 0)
  const found = header.map((name): Role => (name === '' ? 'none' : 'attribute'))
  const take = (role: Role, index: number | undefined) => {
    if (index !== undefined && found[index] === 'attribute') found[index] = role
  }
  const pair = PAIRS.find(([source, target]) => names.includes(source) && names.includes(target))
  // If there are columns named source and target, as in exports, alternative names are attributes.
  const isExport = pair === PAIRS[0]
  take('id', find(isExport ? ['id'] : IDS))
  take('label', find(['label']))
  if (pair) {
    take('source', find([pair[0]]))
    take('target', find([pair[1]]))
    take('relation', find(isExport ? ['relation'] : RELATIONS))
    const type = find(['type'])
    const cells = rows.map(({ cells }) => (type === undefined ? '' : (cells[type] ?? '')))
    if (cells.some((cell) => DIRECTION.test(cell))) take('direction', type)
    else if (!found.includes('relation')) take('relation', type)
  } else for (const axis of ['x', 'y', 'z'] as const) take(axis, find([axis]))
  return found
}

/** Returns whether rows are nodes or edges. Returns undefined if the identifying columns are missing or ambiguous. */
export function rowKindOf(roles: readonly Role[]): 'node' | 'edge' | undefined {
  const count = (role: Role) => roles.filter((other) => other === role).length
  const isSingle = roles.every((role) => role === 'attribute' || role === 'none' || count(role) === 1)
  if (!isSingle) return undefined
  if (count('source') === 1 && count('target') === 1) return 'edge'
  return count('id') === 1 && count('source') + count('target') === 0 ? 'node' : undefined
}

/** Returns the names of two columns that set the same attribute, or undefined if all attributes differ. */
export function doubleColumns(header: readonly string[], roles: readonly Role[]): [string, string] | undefined {
  const seen = new Map<string, string>()
  for (const [index, column] of header.entries()) {
    if (roles[index] !== 'attribute') continue
    const name = attributeNameOf(column)
    const other = seen.get(name)
    if (other !== undefined) return [other, column]
    seen.set(name, column)
  }
  return undefined
}

/** The names that have a meaning in tables, regardless of case. For example, exports write `Weight`. */
const MEANT = ['source', 'target', 'type', 'id', 'label', 'relation', 'weight']
const PREFIX = 'metadata.'

/**
 * Returns the attribute name that an import would give a column. Exports add the prefix `metadata.` to names that have another
 * meaning.
 */
export function attributeNameOf(header: string) {
  const name = unescaped(header)
  if (name.startsWith(PREFIX)) return name.slice(PREFIX.length)
  const lower = name.toLowerCase()
  return MEANT.includes(lower) ? lower : name
}
