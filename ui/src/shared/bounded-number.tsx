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
  isInteger = false,
  placeholder,
  onEmpty,
  onChange
}: {
  label: string
  value: number | undefined
  min: number
  max: number
  isInteger?: boolean
  placeholder?: string
  /** Called if the user empties the field, which is otherwise ignored. */
  onEmpty?: () => void
  onChange: (value: number) => void
}) {
  const [typed, setTyped] = useState<number | string>()
  const apply = () => {
    setTyped(undefined)
    if (typed === '') onEmpty?.()
    if (typeof typed === 'number') onChange(Math.min(max, Math.max(min, typed)))
  }
  const shown = value === undefined || Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))
  return (
    <NumberInput
      size="xs"
      flex={1}
      aria-label={label}
      hideControls
      allowDecimal={!isInteger}
      placeholder={placeholder ?? ''}
      withKeyboardEvents={false}
      value={typed ?? shown ?? ''}
      onChange={setTyped}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}
