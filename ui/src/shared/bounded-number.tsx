import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { hasExponent } from '../../../picture/model/formatting.ts'
import { text } from '../text/index.ts'

/** Shows a number with at most this many significant digits. */
const DIGITS = 6

/** A small field for a number within bounds. It is applied on Enter, or once the field loses the focus, if it is a number. */
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
  const [typed, setTyped] = useState<string>()
  const [isWrong, setIsWrong] = useState(false)
  const apply = () => {
    if (typed === undefined) return
    const number = isInteger ? Math.round(Number(typed)) : Number(typed)
    if (!Number.isFinite(number)) return setIsWrong(true)
    setTyped(undefined)
    if (typed.trim() === '') onEmpty?.()
    else onChange(Math.min(max, Math.max(min, number)))
  }
  return (
    <TextInput
      size="xs"
      flex={1}
      aria-label={label}
      inputMode="decimal"
      placeholder={placeholder ?? ''}
      value={typed ?? (value === undefined ? '' : written(value))}
      error={isWrong && text.edit.faults.number}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value)
        setIsWrong(false)
      }}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  )
}

function written(value: number) {
  const rounded = Number.isInteger(value) ? value : Number(value.toPrecision(DIGITS))
  return hasExponent(rounded) ? rounded.toExponential().replace('e+', 'e') : String(rounded)
}
