import { NumberInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { GREATEST_RESOLUTION, LEAST_RESOLUTION, readResolution } from '../../../picture/measures/resolution.ts'
import { text } from '../text/index.ts'

/** The delay before a typed resolution is used, in milliseconds. */
const PAUSE = 400

/** A field for the resolution of communities. */
export function ResolutionField({
  resolution,
  onChange
}: {
  /** Undefined for the default. */
  resolution: number | undefined
  onChange: (resolution: number | undefined) => void
}) {
  const [value, setValue] = useState<number | string>(resolution ?? 1)
  const [shown, setShown] = useState(resolution)
  // The address may change for other reasons, such as the Back button.
  if (resolution !== shown) {
    setShown(resolution)
    setValue(resolution ?? 1)
  }
  const change = useDebouncedCallback((typed: number) => {
    const next = readResolution(String(typed))
    setShown(next)
    onChange(next)
  }, PAUSE)
  return (
    <NumberInput
      size="xs"
      w={200}
      mt={4}
      label={text.measures.resolution}
      description={text.measures.resolutionHint}
      min={LEAST_RESOLUTION}
      max={GREATEST_RESOLUTION}
      step={0.1}
      value={value}
      onChange={(typed) => {
        setValue(typed)
        if (typeof typed === 'number') change(typed)
      }}
    />
  )
}
