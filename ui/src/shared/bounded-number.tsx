import { NumberInput } from '@mantine/core'
import { useState } from 'react'

/** Shows a number with at most this many significant digits. */
const DIGITS = 6

/** A small field for a number within bounds. It is applied on Enter, or once the field loses the focus. */
export function BoundedNumber({
  label,
  value,
  min,
  max,
  onChange
}: {
  label: string
  value: number
  min: number
  max: number
  onChange: (value: number) => void
}) {
  const [typed, setTyped] = useState<number | string>()
  const apply = () => {
    setTyped(undefined)
    if (typeof typed === 'number') onChange(Math.min(max, Math.max(min, typed)))
  }
  return (
    <NumberInput
      size="xs"
      flex={1}
      aria-label={label}
      hideControls
      withKeyboardEvents={false}
      value={typed ?? (Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS)))}
      onChange={setTyped}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}
