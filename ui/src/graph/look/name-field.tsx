import { TextInput } from '@mantine/core'
import { useState } from 'react'

const LONGEST_NAME = 100

/** A field for a name in the legend, which is applied on Enter or once the field loses focus. */
export function NameField({
  label,
  placeholder,
  name,
  onChange
}: {
  label: string
  /** The name that an empty field stands for. */
  placeholder: string
  name: string
  onChange: (name: string) => void
}) {
  const [typed, setTyped] = useState(name)
  const apply = () => typed !== name && onChange(typed.trim())
  return (
    <TextInput
      label={label}
      size="xs"
      placeholder={placeholder}
      maxLength={LONGEST_NAME}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
      data-autofocus
    />
  )
}
