import { Radio, Stack } from '@mantine/core'
import type { Side } from './side.ts'

const sides: Side[] = ['theirs', 'yours']

/** Lets the user choose between someone else's saved value and their own. */
export function SideChoice({
  name,
  label,
  choice,
  isDisabled = false,
  labelOf,
  onChoose
}: {
  /** Unique within the form. */
  name: string
  label: string
  choice: Side | null
  isDisabled?: boolean
  labelOf: (side: Side) => string
  onChoose: (side: Side) => void
}) {
  return (
    <Radio.Group name={name} label={label} value={choice} onChange={(side) => onChoose(side as Side)}>
      <Stack gap="xs" mt={4}>
        {sides.map((side) => (
          <Radio key={side} value={side} required disabled={isDisabled} label={labelOf(side)} className="breakable" />
        ))}
      </Stack>
    </Radio.Group>
  )
}
