import { Select } from '@mantine/core'
import { text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'

/** The option that selects no attribute. */
export const NONE = 'none'

/** Selects an attribute, or none. Stored attributes come before computed ones. */
export function AttributeChoice({
  label,
  attributes,
  none = text.look.none,
  unavailable,
  value,
  onChange
}: {
  label: string
  attributes: Attribute[]
  none?: string
  /** The reason why there is nothing to choose. */
  unavailable?: string | undefined
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
      description={unavailable}
      disabled={unavailable !== undefined}
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
