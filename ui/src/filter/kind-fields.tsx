import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { useMemo, useRef, useState } from 'react'
import type { AttributeFilter } from '../../../picture/filter/filters.ts'
import { type Kind, type KindFilter, kindsOf, shownBy, toggle } from '../../../picture/filter/kinds.ts'
import { nameWithId } from '../graph/find-nodes.ts'
import { useGraphContext } from '../graph/graph-context.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import { textOf } from '../graph/network/format-value.ts'
import { formatNumber, text } from '../text/index.ts'

/** The maximum number of values to list. The others can be found by searching. */
const LISTED = 100

/** The maximum number of values to list without a search field. */
const FEW = 8

/** The maximum length of a listed value, in characters. Longer values are truncated. */
const LONGEST = 100

/**
 * Fields for choosing which values of an attribute to show. The ids of nodes have their
 * labels beside them, and those that the filter names come first. Ticking a box does not move it.
 */
export function KindFields({
  filter,
  attribute,
  count,
  onChange
}: {
  filter: KindFilter & Pick<AttributeFilter, 'of'>
  attribute: Attribute
  /** The number of elements. */
  count: number
  onChange: (filter: KindFilter) => void
}) {
  const kinds = useMemo(() => kindsOf(attribute, count), [attribute, count])
  const [search, setSearch] = useState('')
  const { network } = useGraphContext().view
  const isShown = shownBy(filter)
  const isId = filter.of === 'nodes' && attribute.key === 'id'
  const nameOf = (kind: Kind) =>
    isId ? nameWithId(network, network.indexOf.get(kind.value ?? '') as number) : nameOfKind(kind, attribute)
  const listed = listedIn(filter)
  /** The values listed after the last change that was made here. */
  const own = useRef<typeof listed>(undefined)
  const [{ last, first }, setOrder] = useState({ last: listed, first: listed })
  // A box stays in place when it is ticked. Changes from elsewhere list their values first.
  if (listed !== last) setOrder({ last: listed, first: listed === own.current ? first : listed })
  const change = (next: KindFilter) => {
    own.current = listedIn(next)
    onChange(next)
  }
  const ordered = useMemo(() => (isId ? withFirst(kinds, first) : kinds), [isId, kinds, first])
  const wanted = search.trim().toLowerCase()
  const found = wanted === '' ? ordered : ordered.filter((kind) => nameOf(kind).toLowerCase().includes(wanted))
  const shown = kinds.filter(({ key }) => isShown(key)).length
  const more = found.length - LISTED
  return (
    <Stack gap={6}>
      <Text size="sm" role="status">
        {text.filter.shownValues(formatNumber(shown), formatNumber(kinds.length))}
      </Text>
      {kinds.length > FEW && (
        <TextInput
          size="xs"
          aria-label={text.filter.searchValues}
          placeholder={text.filter.searchValues}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Group gap={6}>
        <Button variant="default" size="compact-xs" onClick={() => change({ attribute: attribute.key, hidden: [] })}>
          {text.filter.showValues}
        </Button>
        <Button variant="default" size="compact-xs" onClick={() => change({ attribute: attribute.key, shown: [] })}>
          {text.filter.hideValues}
        </Button>
      </Group>
      <Stack
        gap={4}
        mah={240}
        className="scrolling breakable"
        role="group"
        aria-label={text.filter.values(attribute.title)}
        tabIndex={0}
      >
        {found.slice(0, LISTED).map((kind) => (
          <Checkbox
            key={kind.key}
            size="xs"
            label={shortened(nameOf(kind)) + (isId ? '' : ` (${formatNumber(kind.count)})`)}
            checked={isShown(kind.key)}
            onChange={() => change(toggle(filter, kinds, kind.key))}
          />
        ))}
        {found.length === 0 && <Text size="xs">{text.filter.noValue}</Text>}
      </Stack>
      {more > 0 && <Text size="xs">{text.filter.moreValues(formatNumber(more))}</Text>}
    </Stack>
  )
}

/** Returns the keys that a filter lists, as JSON. */
function listedIn(filter: KindFilter): string {
  return JSON.stringify('shown' in filter ? filter.shown : filter.hidden)
}

/** Returns the values, beginning with those listed. */
function withFirst(kinds: Kind[], listed: string): Kind[] {
  const keys = new Set<string>(JSON.parse(listed))
  return [...kinds.filter(({ key }) => keys.has(key)), ...kinds.filter(({ key }) => !keys.has(key))]
}

function nameOfKind({ value }: Kind, attribute: Attribute) {
  if (value === undefined) return text.legend.missing
  return value.trim() ? textOf(value, attribute) : text.legend.blank
}

function shortened(name: string) {
  return name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name
}
