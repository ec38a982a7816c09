import { Button, Group, Select, Text } from '@mantine/core'
import { DatePickerInput } from '@mantine/dates'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { ListState } from '../shared/list-state.ts'
import { optionsOf } from '../shared/options.ts'
import { TextFilter } from '../shared/text-filter.tsx'
import { text } from '../text/index.ts'
import { type Days, zone } from './audits.ts'

const choices = [
  { name: 'type', label: text.audits.type, data: optionsOf(text.audits.types), searchable: true, w: 190 },
  { name: 'outcome', label: text.audits.outcome, data: optionsOf(text.audits.outcomes), w: 130 },
  { name: 'targetType', label: text.audits.targetType, data: optionsOf(text.audits.targetTypes), w: 120 }
]

/** The event filters, stored in the address. */
export function AuditFilters({ list, days, isFiltered }: { list: ListState; days: Days; isFiltered: boolean }) {
  const [, navigate] = useLocation()
  return (
    <Group mb="md" gap="sm" align="end">
      <Range days={days} onChange={list.set} />
      <Text component="span" size="xs" c="dimmed">
        {zone}
      </Text>
      <TextFilter
        label={text.audits.principal}
        maxLength={64}
        w={120}
        value={list.get('principal')}
        onChange={(principal) => list.set({ principal })}
      />
      {choices.map(({ name, label, ...look }) => (
        <Select
          key={name}
          label={label}
          value={list.get(name) ?? null}
          onChange={(value) => list.set({ [name]: value ?? undefined })}
          placeholder={text.audits.any}
          clearable
          clearButtonProps={{ 'aria-label': text.audits.clear(label) }}
          {...look}
        />
      ))}
      <TextFilter
        label={text.audits.targetId}
        inputMode="numeric"
        maxLength={19}
        w={120}
        value={list.get('targetId')}
        onChange={(targetId) => list.set({ targetId: targetId.replace(/\D/g, '').replace(/^0+/, '') })}
      />
      {isFiltered && (
        <Button variant="default" onClick={() => navigate('/audits', { replace: true })}>
          {text.clearFilters}
        </Button>
      )}
    </Group>
  )
}

/** A date range, applied once both ends are selected. */
function Range({ days, onChange }: { days: Days; onChange: (days: Record<keyof Days, string>) => void }) {
  const [chosen, setChosen] = useState<[string | null, string | null]>()
  return (
    <DatePickerInput
      type="range"
      label={text.audits.range}
      value={chosen ?? [days.fromDate, days.toDate]}
      onChange={([from, to]) => {
        setChosen([from, to])
        if (from && to) {
          onChange({ fromDate: from, toDate: to })
          setChosen(undefined)
        }
      }}
      allowSingleDateInRange
      valueFormat="YYYY-MM-DD"
      w={230}
      ariaLabels={text.calendar}
      // With its default roles, the popover fails accessibility checks for names and contrast.
      popoverProps={{ withRoles: false }}
      weekendDays={[]}
      hideOutsideDates
    />
  )
}
