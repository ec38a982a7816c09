import { Box, Group, Input, RangeSlider, Text } from '@mantine/core'
import { useState } from 'react'
import { type Range, rangeAround } from '../../../../picture/model/scales.ts'
import { BoundedNumber } from '../../shared/bounded-number.tsx'
import { text } from '../../text/index.ts'
import { ReleasedSlider } from './released-slider.tsx'

interface Props {
  label: string
  value: Range
  /** The bounds of the API. */
  bounds: [number, number]
  /** The bounds of the slider, and its step. */
  min: number
  max: number
  step: number
  onChange: (value: Range) => void
}

/** Fields and a slider for a range of sizes, in pixels. The slider is applied once a thumb is released. */
export function StyleRange({ label, value, bounds: [least, greatest], min, max, step, onChange }: Props) {
  const [moved, setMoved] = useState<[number, number]>()
  const [from, to] = moved ?? [Math.min(value.least, value.greatest), Math.max(value.least, value.greatest)]
  return (
    <Input.Wrapper label={text.look.inPixels(label)} labelElement="div">
      <Group gap="xs" wrap="nowrap">
        <BoundedNumber
          label={text.look.least(label)}
          value={from}
          min={least}
          max={greatest}
          onChange={(from) => onChange({ least: from, greatest: Math.max(from, to) })}
        />
        <Text size="sm">{text.look.to}</Text>
        <BoundedNumber
          label={text.look.greatest(label)}
          value={to}
          min={least}
          max={greatest}
          onChange={(to) => onChange({ least: Math.min(from, to), greatest: to })}
        />
      </Group>
      <RangeSlider
        size="sm"
        mt="xs"
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

/**
 * A field and a slider for the size of all elements if no attribute determines it, in pixels: the middle of the range, which applies
 * again once an attribute does.
 */
export function StyleSize({ label, value, size, bounds, min, max, step, onChange }: Props & { size: number }) {
  const [moved, setMoved] = useState<number>()
  const shown = moved ?? size
  const set = (size: number) => onChange(rangeAround(size, value, bounds))
  return (
    <Input.Wrapper label={text.look.inPixels(label)} labelElement="div">
      <BoundedNumber label={label} value={shown} min={bounds[0]} max={bounds[1]} onChange={set} />
      <Box mt="xs">
        <ReleasedSlider label={label} value={shown} min={min} max={max} step={step} onMove={setMoved} onChange={set} />
      </Box>
    </Input.Wrapper>
  )
}
