import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

/** A field for a text filter, which is applied when the user stops typing. */
export function TextFilter({
  value = '',
  onChange,
  ...input
}: Omit<TextInputProps, 'value' | 'onChange'> & {
  value?: string | undefined
  onChange: (value: string) => void
}) {
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  // The address may change for other reasons, such as the Back button.
  if (value !== shown) {
    setShown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const change = useDebouncedCallback(onChange, 250)
  return (
    <TextInput
      {...input}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        change(event.currentTarget.value.trim())
      }}
    />
  )
}
