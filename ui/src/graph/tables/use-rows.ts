import { useDebouncedValue } from '@mantine/hooks'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Attribute } from '../network/attributes.ts'
import { matching, sorted } from './order.ts'
import type { TableView } from './use-tables.ts'

const none: Attribute[] = []

/** The rows of a table of elements, by their numbers: those that are not hidden and have the typed text, in the order of the table. */
export function useRows({ columns, count, hidden, sort }: Pick<TableView, 'columns' | 'count' | 'hidden' | 'sort'>) {
  const [typed, setTyped] = useState('')
  const [sought] = useDebouncedValue(typed, 150)
  const order = useDeferredValue(sort)
  // Rows that no value puts in order or picks stay the same when values change.
  const asked = order || sought.trim() !== '' ? columns : none
  const rows = useMemo(
    () => sorted(matching(asked, count, hidden, sought), asked, order).map((index) => ({ index })),
    [asked, count, hidden, sought, order]
  )
  return { rows, typed, onType: setTyped }
}
