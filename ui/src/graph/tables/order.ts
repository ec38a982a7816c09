import { collator } from '../../../../picture/model/collator.ts'
import type { Attribute, Value } from '../network/attributes.ts'
import type { Sort } from '../view/view.ts'

/**
 * Returns the indexes of the visible elements that contain the search text in any column, as `textOf` writes it. Integers are also
 * found without their group separators.
 */
export function matching(
  columns: Attribute[],
  count: number,
  hidden: ((index: number) => boolean) | undefined,
  sought: string,
  textOf: (value: Value, column: Attribute) => string
): number[] {
  const wanted = sought.trim().toLowerCase()
  // Numbers take long to format.
  const searched = /\d/.test(wanted) ? columns : columns.filter(({ isNumber }) => !isNumber)
  const isFound = (text: string) => text.toLowerCase().includes(wanted)
  const rows: number[] = []
  for (let index = 0; index < count; index++) {
    if (hidden?.(index)) continue
    const isMatch =
      wanted === '' ||
      searched.some((column) => {
        const value = column.read(index)
        return isFound(textOf(value, column)) || (Number.isInteger(value) && isFound(String(value)))
      })
    if (isMatch) rows.push(index)
  }
  return rows
}

/** Sorts rows by a column. Rows without a value come last in either direction. */
export function sorted(rows: number[], columns: Attribute[], sort: Sort | undefined): number[] {
  const column = columns.find(({ key }) => key === sort?.column)
  if (!sort || !column) return rows
  const keyed = rows.map((row) => ({ row, value: column.read(row) }))
  const sign = sort.isDescending ? -1 : 1
  keyed.sort((a, b) => {
    if (a.value === undefined || b.value === undefined) {
      return Number(a.value === undefined) - Number(b.value === undefined)
    }
    return sign * compare(a.value, b.value)
  })
  return keyed.map(({ row }) => row)
}

function compare(a: NonNullable<Value>, b: NonNullable<Value>) {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}
