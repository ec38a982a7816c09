import { Group, Stack, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { mixed } from '../../../../picture/model/mixing.ts'
import { text } from '../../text/index.ts'

const SIX_DIGITS = /^#[0-9a-f]{6}$/i

/** Fields for the two or three colours of a gradient. */
export default function GradientFields({
  of,
  colours,
  onChange
}: {
  of: Elements
  colours: readonly string[]
  onChange: (colours: string[]) => void
}) {
  const [first = '', last = ''] = [colours[0], colours.at(-1)]
  const { first: firstLabel, middle, last: lastLabel } = text.look.gradientStops
  const labels = colours.length === 3 ? [firstLabel, middle, lastLabel] : [firstLabel, lastLabel]
  return (
    <Stack gap="xs" role="group" aria-label={text.look.gradientColours[of]}>
      {labels.map((label, index) => (
        <ColourField
          key={label}
          label={label}
          colour={colours[index] ?? ''}
          onChange={(colour) => onChange(colours.with(index, colour))}
        />
      ))}
      <Switch
        label={text.look.withMiddle}
        checked={colours.length === 3}
        onChange={({ currentTarget }) =>
          onChange(currentTarget.checked ? [first, mixed(first, last, 0.5), last] : [first, last])
        }
      />
    </Stack>
  )
}

/** A field for a colour, and a button that opens the browser's colour picker. */
function ColourField({
  label,
  colour,
  onChange
}: {
  label: string
  colour: string
  onChange: (colour: string) => void
}) {
  const [edited, setEdited] = useState<string>()
  const typed = edited ?? colour
  const choose = (typed: string) => {
    const isWhole = SIX_DIGITS.test(typed)
    setEdited(isWhole ? undefined : typed)
    if (isWhole) onChange(typed.toLowerCase())
  }
  return (
    <Group gap="xs" wrap="nowrap" align="end">
      <TextInput
        label={label}
        size="xs"
        flex={1}
        maxLength={7}
        value={typed}
        error={!SIX_DIGITS.test(typed)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      <input
        type="color"
        className="colour-well"
        aria-label={`${label}: ${text.look.pickColour}`}
        value={colour}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </Group>
  )
}
