import { Group, Stack, Switch } from '@mantine/core'
import type { Elements } from '../../../../picture/filter/filters.ts'
import { mixed } from '../../../../picture/model/mixing.ts'
import { text } from '../../text/index.ts'
import { ColourField } from './colour-field.tsx'

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
        <Group key={label} gap="xs" wrap="nowrap" align="end">
          <ColourField
            label={label}
            pickLabel={`${label}: ${text.look.pickColour}`}
            colour={colours[index] ?? ''}
            onChange={(colour) => onChange(colours.with(index, colour))}
          />
        </Group>
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
