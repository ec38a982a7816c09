import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { optionsOf } from '../shared/options.ts'
import { formatNumber, text } from '../text/index.ts'
import { type AttributeRow, type Fault, faultsOf, type Kind, UNCHOSEN, type Written } from './attribute-rows.ts'

const kinds = optionsOf(text.edit.kinds)

/** The number of rows to show at first, and to add at a time. Thousands of fields would freeze the page. */
const STEP = 100

/** Fields for the name, type and value of each attribute of a node or edge. */
export function AttributeFields({
  rows,
  onChange
}: {
  rows: AttributeRow[]
  onChange: (rows: AttributeRow[]) => void
}) {
  const faults = faultsOf(rows)
  /** Rows with this key or a higher one are new, and are always shown. */
  const [added] = useState(rows.length)
  const [most, setMost] = useState(STEP)
  const shown = rows.filter(({ key }, index) => index < most || key >= added)
  const left = rows.length - shown.length
  const change = (key: number, changes: Partial<AttributeRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  const add = () =>
    onChange([
      ...rows,
      { key: Math.max(added - 1, ...rows.map(({ key }) => key)) + 1, name: '', kind: 'text', text: '' }
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
              <TextInput
                size="xs"
                aria-label={text.edit.attributeName}
                placeholder={text.edit.attributeName}
                value={row.name}
                error={isOfName && fault !== undefined ? text.edit.faults[fault] : undefined}
                onChange={(event) => change(row.key, { name: event.currentTarget.value })}
                className="shrinking"
              />
              <KindField name={row.name} written={row} onChange={(written) => change(row.key, written)} />
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
              fault={isOfName ? undefined : fault}
              onChange={(text) => change(row.key, { text })}
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
  onChange
}: {
  name: string
  written: Written
  fault: Fault | undefined
  maxLength?: number | undefined
  /** Whether the value may be missing. */
  isOptional?: boolean
  onChange: (text: string) => void
}) {
  const label = text.edit.valueOf(name)
  if (kind === 'boolean') {
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
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
