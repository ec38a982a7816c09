import { Autocomplete, type AutocompleteProps } from '@mantine/core'

/** A field for the name of a user or group, which suggests known ones while the user types. */
export function NameField({ value = '', data = [], ...input }: AutocompleteProps) {
  return (
    <Autocomplete
      {...input}
      value={value}
      // Otherwise the list lies on what stands below the field after each name.
      data={value === '' ? [] : data}
      limit={20}
      openOnFocus={false}
      maxLength={64}
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="off"
      required
      data-autofocus
    />
  )
}
