import { useDebouncedValue } from '@mantine/hooks'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Attribute } from '../network/attributes.ts'
import { textOf } from '../network/format-value.ts'
import { matching, sorted } from './order.ts'
import type { TableView } from './use-tables.ts'

const none: Attribute[] = []

/** Returns the indexes of the visible elements that match the search text, in table order. */
export function useRows({ columns, count, hidden, sort }: Pick<TableView, 'columns' | 'count' | 'hidden' | 'sort'>) {
  const [typed, setTyped] = useState('')
  const [sought] = useDebouncedValue(typed, 150)
  const order = useDeferredValue(sort)
  // Rows depend on values only when sorting or searching.
  const asked = order || sought.trim() !== '' ? columns : none
  const rows = useMemo(
    () => sorted(matching(asked, count, hidden, sought, textOf), asked, order).map((index) => ({ index })),
    [asked, count, hidden, sought, order]
  )
  return { rows, typed, onType: setTyped }
}
