import { collator } from '../../../../picture/model/collator.ts'
import { hasExponent } from '../../../../picture/model/formatting.ts'
import type { Attribute, Value } from '../network/attributes.ts'
import type { Sort } from '../view/view.ts'

type TextOf = (value: Value, column: Pick<Attribute, 'format'>) => string

/**
 * Returns the indexes of the visible elements that contain the search text in any column, as `textOf` writes it. Numbers are also
 * found without their group separators.
 */
export function matching(
  columns: Attribute[],
  count: number,
  hidden: ((index: number) => boolean) | undefined,
  sought: string,
  textOf: TextOf
): number[] {
  const wanted = sought.trim().toLowerCase()
  // Numbers take long to compare.
  const searched = /\d/.test(wanted) ? columns : columns.filter(({ isNumber }) => !isNumber)
  const isNumberFound = numberSearch(wanted, textOf)
  const rows: number[] = []
  for (let index = 0; index < count; index++) {
    if (hidden?.(index)) continue
    const isMatch =
      wanted === '' ||
      searched.some((column) => {
        const value = column.read(index)
        return column.isNumber && typeof value === 'number'
          ? isNumberFound(value, column)
          : textOf(value, column).toLowerCase().includes(wanted)
      })
    if (isMatch) rows.push(index)
  }
  return rows
}

/** Returns a predicate that searches a number as it is shown, but for group separators. Avoids formatting, which takes long. */
function numberSearch(wanted: string, textOf: TextOf) {
  const [group = '', decimal = '.'] = new Set(textOf(1_234_567.5, { format: 'exact' }).replace(/\d/g, ''))
  const ungrouped = (text: string) => text.replaceAll(group, '')
  const digits = ungrouped(wanted)
  return (value: number, column: Attribute): boolean => {
    const { format } = column
    const text = String(value)
    /** Whether the number is shown with these digits, and nothing else. */
    const isShown = !hasExponent(value) && (format === 'exact' || (format === 'grouped' && !/\.\d{4}/.test(text)))
    if ((isShown || Number.isInteger(value)) && text.replace('.', decimal).includes(digits)) return true
    return !isShown && ungrouped(textOf(value, column)).includes(digits)
  }
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
