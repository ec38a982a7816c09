import { Group, RangeSlider, Stack, Text } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import type { Attribute } from '../graph/network/attributes.ts'
import { BoundedNumber } from '../shared/bounded-number.tsx'
import { formatNumber, text } from '../text/index.ts'
import { type Histogram, histogramOf } from './histogram.ts'
import { HistogramBars } from './histogram-bars.tsx'
import { sliderScale } from './slider-scale.ts'

/** A slider and fields for the range of numbers to show, below their histogram. */
export function RangeFields({
  attribute,
  count,
  range,
  onChange
}: {
  attribute: Attribute
  /** The number of elements. */
  count: number
  /** Undefined if all values are shown. */
  range: [number, number] | undefined
  onChange: (range: [number, number] | undefined) => void
}) {
  const histogram = useMemo(() => histogramOf(attribute, count), [attribute, count])
  if (!histogram) return <Text size="sm">{text.filter.noNumber}</Text>
  const { least, greatest, isWhole, without } = histogram
  const format = (value: number) => {
    // The values between the ends are computed, so their decimals are rounded.
    const isComputed = attribute.format === 'exact' && value !== least && value !== greatest
    return formatNumber(value, isComputed ? 'grouped' : attribute.format)
  }
  return (
    <Stack gap={4}>
      {least === greatest ? (
        <Text size="sm">{text.filter.oneNumber(format(least))}</Text>
      ) : (
        <RangeInput
          // The slider's steps depend on the numbers.
          key={`${least} ${greatest} ${isWhole}`}
          title={attribute.title}
          format={format}
          histogram={histogram}
          range={range}
          onChange={onChange}
        />
      )}
      {without > 0 && (
        <Text size="xs" c="dimmed">
          {range ? text.filter.withoutHidden(formatNumber(without)) : text.filter.withoutShown(formatNumber(without))}
        </Text>
      )}
    </Stack>
  )
}

/** The delay before the range is applied after a thumb has moved, in milliseconds. */
const PAUSE = 120

function RangeInput({
  title,
  format,
  histogram,
  range,
  onChange
}: {
  title: string
  format: (value: number) => string
  histogram: Histogram
  range: [number, number] | undefined
  onChange: (range: [number, number] | undefined) => void
}) {
  const { least, greatest } = histogram
  const { steps, valueAt, stepOf } = useMemo(() => sliderScale(histogram), [histogram])
  const [value, setValue] = useState<[number, number]>(range ?? [least, greatest])
  const [shown, setShown] = useState(range)
  // The address may change for other reasons, such as the Back button.
  if (String(range) !== String(shown)) {
    setShown(range)
    setValue(range ?? [least, greatest])
  }
  const [from, to] = value
  const [fromStep, toStep] = [stepOf(from), stepOf(to)]
  const change = useDebouncedCallback(() => {
    const next: typeof range = from === least && to === greatest ? undefined : [from, to]
    setShown(next)
    onChange(next)
  }, PAUSE)
  const set = (from: number, to: number) => {
    setValue([from, to])
    change()
  }
  const field = { min: least, max: greatest }
  return (
    <>
      <Text size="sm">{text.filter.between(format(from), format(to))}</Text>
      <div>
        <HistogramBars histogram={histogram} from={from} to={to} label={text.filter.histogram(title)} />
        <RangeSlider
          size="sm"
          min={0}
          max={steps}
          step={1}
          minRange={0}
          value={[fromStep, toStep]}
          // A typed number may lie between two steps, and stays as it is while the other thumb moves.
          onChange={(moved) =>
            set(moved[0] === fromStep ? from : valueAt(moved[0]), moved[1] === toStep ? to : valueAt(moved[1]))
          }
          label={null}
          thumbFromLabel={text.filter.from(title)}
          thumbToLabel={text.filter.to(title)}
          thumbValueText={(step) => format(valueAt(step))}
        />
        <Group gap="xs" mt="xs" wrap="nowrap">
          <BoundedNumber
            {...field}
            label={text.filter.from(title)}
            value={from}
            onChange={(from) => set(from, Math.max(from, to))}
          />
          <Text size="sm">{text.filter.and}</Text>
          <BoundedNumber
            {...field}
            label={text.filter.to(title)}
            value={to}
            onChange={(to) => set(Math.min(from, to), to)}
          />
        </Group>
      </div>
    </>
  )
}
