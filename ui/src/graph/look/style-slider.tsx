import { Input } from '@mantine/core'
import { useState } from 'react'
import { formatNumber, text } from '../../text/index.ts'
import { ReleasedSlider } from './released-slider.tsx'

/** A slider for a number of the style, with the number in its label. */
export function StyleSlider({
  label,
  value,
  usual,
  isAutomatic = false,
  min,
  max,
  step,
  onChange
}: {
  label: string
  value: number | undefined
  /** The position of the thumb while the style has no number. */
  usual: number
  /** Whether the program chooses the number while the style has none. */
  isAutomatic?: boolean
  min: number
  max: number
  step: number
  onChange: (value: number) => void
}) {
  const [moved, setMoved] = useState<number>()
  const shown = moved ?? value ?? usual
  const number = isAutomatic && (moved ?? value) === undefined ? text.look.automatic : formatNumber(shown)
  return (
    <Input.Wrapper label={text.look.numberOf(label, number)} labelElement="div">
      <ReleasedSlider
        label={label}
        value={shown}
        min={min}
        max={max}
        step={step}
        onMove={setMoved}
        onChange={onChange}
      />
    </Input.Wrapper>
  )
}
