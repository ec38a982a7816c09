import { TextInput } from '@mantine/core'
import { text } from '../text/index.ts'

interface Input {
  value: string
  onChange: (value: string) => void
  autoFocus?: boolean
}

/** A field for a recovery code or a code from the authenticator app. */
export function CodeInput({ onChange, ...input }: Input) {
  return (
    <TextInput
      label={text.secondFactor.code}
      description={text.secondFactor.codeHint}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={64}
      required
      {...input}
    />
  )
}
