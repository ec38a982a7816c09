import { TextInput } from '@mantine/core'
import { useState } from 'react'

export const SIX_DIGITS = /^#[0-9a-f]{6}$/i

/**
 * A field for a colour, and a button that opens the browser's colour picker. Text that is not a colour disappears once the field loses
 * the focus.
 */
export function ColourField({
  label,
  pickLabel,
  colour,
  onChange
}: {
  label: string
  /** The name of the button. */
  pickLabel: string
  colour: string
  onChange: (colour: string) => void
}) {
  const [edited, setEdited] = useState<string>()
  const typed = edited ?? colour
  const choose = (typed: string) => {
    const isWhole = SIX_DIGITS.test(typed)
    setEdited(isWhole ? undefined : typed)
    if (isWhole) onChange(typed.toLowerCase())
  }
  return (
    <>
      <TextInput
        label={label}
        size="xs"
        flex={1}
        maxLength={7}
        value={typed}
        error={!SIX_DIGITS.test(typed)}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        onBlur={() => setEdited(undefined)}
      />
      <input
        type="color"
        className="colour-well"
        aria-label={pickLabel}
        value={colour}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    </>
  )
}
