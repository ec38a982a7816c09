import { Button, RangeSlider, Select, Stack, Text, Title } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { formatNumber, text } from '../text/index.ts'
import { type Attribute, rangeOf } from './attributes.ts'
import { KindFields } from './kind-fields.tsx'
import { hasKinds } from './scales.ts'
import type { Filter, View } from './view.ts'

const NONE = 'none'

/** Selects the attributes that colour, size and filter nodes and edges. */
export function LookPanel({
  nodes,
  edges,
  edgeAmounts,
  count,
  view,
  colour,
  size,
  onChange
}: {
  nodes: Attribute[]
  edges: Attribute[]
  /** Attributes of edges that can be drawn as widths. */
  edgeAmounts: Attribute[]
  /** The number of nodes. */
  count: number
  view: View
  /** The attributes in use, selected or by default. */
  colour: Attribute | undefined
  size: Attribute | undefined
  onChange: (changes: Partial<View>) => void
}) {
  const { filter } = view
  const own = nodes.filter(({ isAmount }) => !isAmount)
  return (
    <Stack gap="sm" component="section" aria-label={text.look.title}>
      <Title order={2} size="h5">
        {text.look.title}
      </Title>
      <Choice
        label={text.look.colour}
        attributes={nodes}
        value={colour?.key ?? NONE}
        onChange={(value) => onChange({ colour: value })}
      />
      <Choice
        label={text.look.size}
        attributes={nodes.filter(({ isNumber }) => isNumber)}
        value={size?.key ?? NONE}
        onChange={(value) => onChange({ size: value })}
      />
      {own.length > 0 && (
        <Choice
          label={text.look.label}
          attributes={own}
          none={text.look.ownLabel}
          value={own.some(({ key }) => key === view.label) ? (view.label ?? NONE) : NONE}
          onChange={(value) => onChange({ label: value === NONE ? undefined : value })}
        />
      )}
      {edges.length > 0 && (
        <Choice
          label={text.look.edgeColour}
          attributes={edges}
          value={view.edgeColour ?? NONE}
          onChange={(value) => onChange({ edgeColour: value === NONE ? undefined : value })}
        />
      )}
      {edgeAmounts.length > 0 && (
        <Choice
          label={text.look.edgeSize}
          attributes={edgeAmounts}
          value={view.edgeSize ?? NONE}
          onChange={(value) => onChange({ edgeSize: value === NONE ? undefined : value })}
        />
      )}
      <Choice
        label={text.look.filter}
        attributes={nodes}
        value={filter?.attribute ?? NONE}
        onChange={(key) =>
          onChange({
            filter: emptyFilter(
              nodes.find((attribute) => attribute.key === key),
              count
            )
          })
        }
      />
      {filter && (
        <FilterFields
          key={filter.attribute}
          filter={filter}
          attribute={nodes.find(({ key }) => key === filter.attribute)}
          count={count}
          onChange={(changed) => onChange({ filter: changed })}
        />
      )}
    </Stack>
  )
}

/** A filter by this attribute that hides nothing. */
function emptyFilter(attribute: Attribute | undefined, count: number): Filter | undefined {
  if (!attribute) return undefined
  if (hasKinds(attribute, count)) return { attribute: attribute.key, hidden: [] }
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  return { attribute: attribute.key, least, greatest }
}

function Choice({
  label,
  attributes,
  none = text.look.none,
  value,
  onChange
}: {
  label: string
  attributes: Attribute[]
  none?: string
  value: string
  onChange: (key: string) => void
}) {
  const [stored, computed] = [
    attributes.filter(({ isComputed }) => !isComputed),
    attributes.filter(({ isComputed }) => isComputed)
  ]
  const group = computed.length > 0 ? [{ group: text.look.computed, items: computed.map(optionOf) }] : []
  return (
    <Select
      label={label}
      size="sm"
      data={[{ value: NONE, label: none }, ...stored.map(optionOf), ...group]}
      value={value}
      onChange={(key) => onChange(key ?? NONE)}
      allowDeselect={false}
      searchable={attributes.length > 8}
      comboboxProps={{ withinPortal: true }}
    />
  )
}

function optionOf({ key, title }: Attribute) {
  return { value: key, label: title }
}

function FilterFields({
  filter,
  attribute,
  count,
  onChange
}: {
  filter: Filter
  attribute: Attribute | undefined
  count: number
  onChange: (filter: Filter | undefined) => void
}) {
  if (!attribute) return <Text size="sm">{text.look.noAttribute(filter.attribute)}</Text>
  return (
    <>
      {'least' in filter ? (
        <RangeFields filter={filter} attribute={attribute} count={count} onChange={onChange} />
      ) : (
        <KindFields filter={filter} attribute={attribute} count={count} onChange={onChange} />
      )}
      <Button variant="default" size="xs" onClick={() => onChange(undefined)}>
        {text.look.clear}
      </Button>
    </>
  )
}

function RangeFields({
  filter,
  attribute,
  count,
  onChange
}: {
  filter: Extract<Filter, { least: number }>
  attribute: Attribute
  count: number
  onChange: (filter: Filter) => void
}) {
  const [least, greatest] = rangeOf(attribute, count) ?? [0, 0]
  const [value, setValue] = useState<[number, number]>([filter.least, filter.greatest])
  const change = useDebouncedCallback(
    ([from, to]: [number, number]) => onChange({ attribute: filter.attribute, least: from, greatest: to }),
    150
  )
  const isWhole = Number.isInteger(least) && Number.isInteger(greatest)
  return (
    <Stack gap={4} pb="md">
      <Text size="sm">{text.look.between(formatNumber(value[0]), formatNumber(value[1]))}</Text>
      <RangeSlider
        min={least}
        max={greatest}
        step={isWhole ? 1 : (greatest - least) / 200}
        minRange={0}
        value={value}
        onChange={(changed) => {
          setValue(changed)
          change(changed)
        }}
        label={null}
        thumbFromLabel={text.look.from(attribute.title)}
        thumbToLabel={text.look.to(attribute.title)}
      />
    </Stack>
  )
}
