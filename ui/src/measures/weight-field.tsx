import { Select } from '@mantine/core'
import { USUAL_WEIGHT } from '../../../picture/model/weights.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import { text } from '../text/index.ts'

/** The option that gives each edge a weight of 1. */
const NONE = 'none'

/** A field for the attribute that contains the weights of edges. Renders nothing if no attribute can contain them. */
export function WeightField({
  edges,
  weight,
  onChange
}: {
  /** The attributes of the edges. */
  edges: Attribute[]
  /** The key of an attribute, or undefined for the default. */
  weight: string | undefined
  onChange: (weight: string | undefined) => void
}) {
  const options = edges.filter(({ isNumber }) => isNumber).map(({ key, title }) => ({ value: key, label: title }))
  if (options.length === 0) return null
  const usual = options.some(({ value }) => value === USUAL_WEIGHT) ? USUAL_WEIGHT : NONE
  return (
    <Select
      size="xs"
      mb="xs"
      label={text.measures.weight}
      description={text.measures.weightHint}
      data={[{ value: NONE, label: text.measures.noWeights }, ...options]}
      value={options.some(({ value }) => value === weight) ? weight : weight === undefined ? usual : NONE}
      onChange={(key) => onChange(key === usual ? undefined : (key ?? undefined))}
      allowDeselect={false}
      comboboxProps={{ withinPortal: false }}
    />
  )
}
