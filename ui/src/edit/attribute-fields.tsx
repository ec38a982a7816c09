import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { text } from '../text/index.ts'
import { type AttributeRow, faultsOf, type Kind, kinds } from './attribute-rows.ts'

/** Fields for the attributes of a node or edge: name, type and value of each. */
export function AttributeFields({
  rows,
  onChange
}: {
  rows: AttributeRow[]
  onChange: (rows: AttributeRow[]) => void
}) {
  const faults = faultsOf(rows)
  const change = (key: number, changes: Partial<AttributeRow>) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  const add = () =>
    onChange([...rows, { key: Math.max(-1, ...rows.map(({ key }) => key)) + 1, name: '', kind: 'text', text: '' }])
  return (
    <Stack gap="xs" component="fieldset" className="plain-fieldset">
      <legend>{text.details.metadata}</legend>
      {rows.map((row) => {
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
              <Select
                size="xs"
                w={110}
                aria-label={text.edit.typeOf(row.name)}
                data={kinds.map((kind) => ({ value: kind, label: text.edit.kinds[kind] }))}
                value={row.kind}
                onChange={(kind) => kind && change(row.key, withKind(row, kind as Kind))}
                allowDeselect={false}
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
            <ValueField row={row} fault={isOfName ? undefined : fault} onChange={(text) => change(row.key, { text })} />
          </Stack>
        )
      })}
      <Button variant="default" size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={add}>
        {text.edit.addAttribute}
      </Button>
    </Stack>
  )
}

function ValueField({
  row,
  fault,
  onChange
}: {
  row: AttributeRow
  fault: ReturnType<ReturnType<typeof faultsOf>['get']>
  onChange: (text: string) => void
}) {
  const label = text.edit.valueOf(row.name)
  if (row.kind === 'boolean') {
    return (
      <Select
        size="xs"
        aria-label={label}
        data={['true', 'false']}
        value={row.text}
        onChange={(value) => value && onChange(value)}
        allowDeselect={false}
      />
    )
  }
  return (
    <TextInput
      size="xs"
      aria-label={label}
      value={row.text}
      error={fault && text.edit.faults[fault]}
      inputMode={row.kind === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

function withKind({ text }: AttributeRow, kind: Kind): Partial<AttributeRow> {
  if (kind !== 'boolean' || text === 'true' || text === 'false') return { kind }
  return { kind, text: 'false' }
}
