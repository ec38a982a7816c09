import { NativeSelect, TextInput, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { faultOf, type Kind, readValue, writtenOf } from './attribute-rows.ts'
import type { TableGrid } from './use-table-grid.ts'

/**
 * The input of a cell. Enter and Tab accept the typed value, and Escape restores the old one. An empty input removes the value.
 */
export function CellEditor({
  value,
  typed,
  type,
  label,
  maxLength,
  onDone
}: {
  value: unknown
  /** The typed text that replaces the value. */
  typed: string | undefined
  /** The type of a cell without a value. */
  type: Kind
  label: string
  maxLength: number | undefined
  onDone: TableGrid['done']
}) {
  const { kind, text: before } = value === undefined ? { kind: type, text: '' } : writtenOf(value)
  const [written, setWritten] = useState(typed !== undefined && kind !== 'boolean' ? typed : before)
  const fault = written === '' ? undefined : faultOf({ kind, text: written })
  /** Removing the input fires blur again. */
  const isDone = useRef(false)

  function end(by: 'down' | 'right' | 'blur') {
    if (isDone.current) return
    isDone.current = true
    if (fault) notify({ color: 'yellow', message: text.table.keptValue(written, text.edit.faults[fault]) })
    if (fault || written === before) onDone({ by })
    else onDone({ value: { new: written === '' ? undefined : readValue({ kind, text: written }) }, by })
  }

  function onKeyDown(event: KeyboardEvent) {
    const to = event.key === 'Enter' ? 'down' : event.key === 'Tab' && !event.shiftKey ? 'right' : undefined
    if (event.key === 'Escape') {
      isDone.current = true
      onDone({ by: 'escape' })
    } else if (!to) return
    else if (!fault) end(to)
    event.preventDefault()
    event.stopPropagation()
  }

  const field = {
    size: 'xs',
    'aria-label': label,
    value: written,
    autoFocus: true,
    onKeyDown,
    onBlur: () => end('blur')
  }
  if (kind === 'boolean') {
    return (
      <NativeSelect
        {...field}
        data={['', 'true', 'false']}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
    )
  }
  return (
    <Tooltip label={fault && text.edit.faults[fault]} opened={fault !== undefined} position="bottom-start">
      <TextInput
        {...field}
        error={fault !== undefined}
        maxLength={maxLength}
        inputMode={kind === 'number' ? 'decimal' : 'text'}
        onChange={(event) => setWritten(event.currentTarget.value)}
      />
    </Tooltip>
  )
}
