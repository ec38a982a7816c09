import { ActionIcon, Autocomplete, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { Edge, Node } from '../api.ts'
import { optionsOf } from '../shared/options.ts'
import { formatNumber, text } from '../text/index.ts'
import {
  type AttributeRow,
  type Fault,
  faultsOf,
  guessKind,
  type Kind,
  kindsByName,
  UNCHOSEN,
  type Written
} from './attribute-rows.ts'

const kinds = optionsOf(text.edit.kinds)

/** The number of rows to show at first, and to add at a time. Thousands of fields would freeze the page. */
const STEP = 100

/**
 * Fields for the name, type and value of each attribute of a node or edge. A new attribute takes the focus, has suggested names
 * and a guessed type, and shows errors once the user has typed in it or left it.
 */
export function AttributeFields({
  rows,
  elements,
  onChange
}: {
  rows: AttributeRow[]
  /** All nodes, or all edges. */
  elements: readonly (Node | Edge)[]
  onChange: (rows: AttributeRow[]) => void
}) {
  const faults = faultsOf(rows)
  /** Rows with this key or a higher one are new, and are always shown. */
  const [added] = useState(rows.length)
  const [most, setMost] = useState(STEP)
  const shown = rows.filter(({ key }, index) => index < most || key >= added)
  const left = rows.length - shown.length
  const known = rows.some(({ key }) => key >= added) ? kindsByName(elements) : undefined
  const own = new Set(rows.map(({ name }) => name))
  const suggested = [...(known?.keys() ?? [])].filter((name) => !own.has(name))
  /** The fields of new rows that the user has used. */
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set())
  const touch = (key: number, field: 'name' | 'value') => setTouched(new Set(touched).add(`${field} ${key}`))
  const isTouched = (key: number, field: 'name' | 'value') => key < added || touched.has(`${field} ${key}`)
  const change = (key: number, changes: Partial<AttributeRow>) =>
    onChange(
      rows.map((row) => {
        if (row.key !== key) return row
        const next = { ...row, ...changes }
        return next.isGuessed ? { ...next, kind: guessKind(next.text, known?.get(next.name)) } : next
      })
    )
  const add = () =>
    onChange([
      ...rows,
      { key: Math.max(added - 1, ...rows.map(({ key }) => key)) + 1, name: '', kind: 'text', text: '', isGuessed: true }
    ])
  return (
    <Stack gap="xs" component="fieldset" className="plain-fieldset">
      <legend>{text.details.metadata}</legend>
      {shown.map((row) => {
        const fault = faults.get(row.key)
        const isOfName = fault === 'empty' || fault === 'twice'
        return (
          <Stack key={row.key} gap={2}>
            <Group gap={4} wrap="nowrap">
              <Autocomplete
                size="xs"
                aria-label={text.edit.attributeName}
                placeholder={text.edit.attributeName}
                value={row.name}
                data={row.key < added ? [] : suggested}
                limit={20}
                error={isOfName && isTouched(row.key, 'name') ? text.edit.faults[fault] : undefined}
                onChange={(name) => {
                  touch(row.key, 'name')
                  change(row.key, { name })
                }}
                onBlur={() => touch(row.key, 'name')}
                autoFocus={row.isGuessed === true}
                className="shrinking"
              />
              <KindField
                name={row.name}
                written={row}
                onChange={(written) => change(row.key, { ...written, isGuessed: false })}
              />
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={text.edit.removeAttribute(row.name)}
                onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
              >
                <IconTrash size={16} aria-hidden />
              </ActionIcon>
            </Group>
            <ValueField
              name={row.name}
              written={row}
              fault={isOfName || !isTouched(row.key, 'value') ? undefined : fault}
              isTyped={row.isGuessed}
              onChange={(text) => {
                touch(row.key, 'value')
                change(row.key, { text })
              }}
            />
          </Stack>
        )
      })}
      {left > 0 && (
        <Button variant="subtle" size="xs" onClick={() => setMost(most + STEP)}>
          {text.edit.moreAttributes(formatNumber(left))}
        </Button>
      )}
      <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        {text.edit.addAttribute}
      </Button>
    </Stack>
  )
}

/** The field for the type of a value. */
export function KindField({
  name,
  written: { kind, text: value },
  isOptional = false,
  onChange
}: {
  name: string
  written: Written
  /** Whether the value may be missing. If so, a boolean starts unselected. */
  isOptional?: boolean
  onChange: (written: Written) => void
}) {
  const unchosen = isOptional ? UNCHOSEN : 'false'
  const textFor = (kind: Kind) => {
    if (kind === 'boolean') return value === 'true' || value === 'false' ? value : unchosen
    return value === UNCHOSEN ? '' : value
  }
  return (
    <Select
      size="xs"
      w={110}
      aria-label={text.edit.typeOf(name)}
      data={kinds}
      value={kind}
      onChange={(kind) => kind && onChange({ kind: kind as Kind, text: textFor(kind as Kind) })}
      allowDeselect={false}
    />
  )
}

/** The field for a value of any type. */
export function ValueField({
  name,
  written: { kind, text: value },
  fault,
  maxLength,
  isOptional = false,
  isTyped = false,
  onChange
}: {
  name: string
  written: Written
  fault: Fault | undefined
  maxLength?: number | undefined
  /** Whether the value may be missing. */
  isOptional?: boolean
  /** Whether the type follows the typed text, so that even a boolean is typed. */
  isTyped?: boolean | undefined
  onChange: (text: string) => void
}) {
  const label = text.edit.valueOf(name)
  if (kind === 'boolean' && !isTyped) {
    return (
      <Select
        size="xs"
        aria-label={label}
        data={['true', 'false', ...(isOptional ? [{ value: '', label: text.edit.noValue }] : [])]}
        placeholder={text.edit.faults.boolean}
        value={value === UNCHOSEN ? null : value}
        onChange={(value) => value !== null && onChange(value)}
        allowDeselect={false}
      />
    )
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      placeholder={label}
      value={value}
      error={fault && text.edit.faults[fault]}
      maxLength={maxLength}
      inputMode={kind === 'number' && !isTyped ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
