import { Autocomplete, type AutocompleteProps, TextInput, type TextInputProps } from '@mantine/core'
import { text } from '../text/index.ts'

const nameProps = {
  maxLength: 64,
  autoCapitalize: 'none',
  spellCheck: false,
  autoComplete: 'off',
  required: true,
  'data-autofocus': true
}

/** A field for the name of a new user or group. */
export function NewNameField(input: TextInputProps) {
  return <TextInput description={text.users.loginHint} pattern="[a-z0-9][a-z0-9._@\-]*" {...nameProps} {...input} />
}

/** A field for the name of a user or group, with suggestions. */
export function NameField({ value = '', data = [], ...input }: AutocompleteProps) {
  return (
    <Autocomplete
      {...input}
      value={value}
      // Otherwise, the suggestions would cover the content below the field after each name.
      data={value === '' ? [] : data}
      limit={20}
      openOnFocus={false}
      {...nameProps}
    />
  )
}
