import { Input, RangeSlider, Slider } from '@mantine/core'
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

/** A slider for a range of sizes, in pixels. It is applied once a thumb is released. Scripts may set others. */
export function StyleRange({
  label,
  value,
  usual,
  min,
  max,
  step,
  onChange
}: {
  label: string
  value: Range | undefined
  usual: Range
  min: number
  max: number
  step: number
  onChange: (value: Range) => void
}) {
  const [moved, setMoved] = useState<[number, number]>()
  const { least, greatest } = value ?? usual
  const [from, to] = moved ?? [Math.min(least, greatest), Math.max(least, greatest)]
  return (
    <Input.Wrapper label={text.look.rangeOf(label, formatNumber(from), formatNumber(to))} labelElement="div">
      <RangeSlider
        size="sm"
        min={Math.min(min, from)}
        max={Math.max(max, to)}
        step={step}
        minRange={0}
        value={[from, to]}
        label={null}
        thumbFromLabel={text.look.least(label)}
        thumbToLabel={text.look.greatest(label)}
        onChange={setMoved}
        onChangeEnd={([least, greatest]) => {
          setMoved(undefined)
          onChange({ least, greatest })
        }}
      />
    </Input.Wrapper>
  )
}

interface Range {
  least: number
  greatest: number
}
