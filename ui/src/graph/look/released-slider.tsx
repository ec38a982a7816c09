import { Slider } from '@mantine/core'

/** A slider that is applied once its thumb is released. Values outside its bounds, which scripts may set, widen them. */
export function ReleasedSlider({
  label,
  value,
  min,
  max,
  step,
  onMove,
  onChange
}: {
  label: string
  value: number
  min: number
  max: number
  step: number
  /** Called with the position of the thumb, and with undefined once it is released. */
  onMove: (value: number | undefined) => void
  onChange: (value: number) => void
}) {
  return (
    <Slider
      size="sm"
      min={Math.min(min, value)}
      max={Math.max(max, value)}
      step={step}
      value={value}
      label={null}
      thumbLabel={label}
      onChange={onMove}
      onChangeEnd={(value) => {
        onMove(undefined)
        onChange(value)
      }}
    />
  )
}
