import { Input, Slider } from '@mantine/core'
import { useState } from 'react'
import { formatNumber, text } from '../../text/index.ts'

/** A slider for a number of the style. It is applied once the thumb is released. Scripts may set others. */
export function StyleSlider({
  label,
  value,
  usual,
  min,
  max,
  step,
  onChange
}: {
  label: string
  value: number | undefined
  /** The position of the thumb while the style has no number. */
  usual: number
  min: number
  max: number
  step: number
  onChange: (value: number) => void
}) {
  const [moved, setMoved] = useState<number>()
  const shown = moved ?? value ?? usual
  return (
    <Input.Wrapper label={text.look.numberOf(label, formatNumber(shown))} labelElement="div">
      <Slider
        size="sm"
        min={Math.min(min, shown)}
        max={Math.max(max, shown)}
        step={step}
        value={shown}
        label={null}
        thumbLabel={label}
        onChange={setMoved}
        onChangeEnd={(value) => {
          setMoved(undefined)
          onChange(value)
        }}
      />
    </Input.Wrapper>
  )
}
