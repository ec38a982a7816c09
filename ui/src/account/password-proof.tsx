import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { text } from '../text/index.ts'

/** The parts of a mutation that takes the password. */
interface Action {
  mutate(password: string): void
  isPending: boolean
  error: unknown
}

/** Asks for the current password before the action. */
export function PasswordProof({ submit, action }: { submit: string; action: Action }) {
  const [password, setPassword] = useState('')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        action.mutate(password)
      }}
    >
      <Stack>
        {action.error ? <FailureAlert error={action.error} /> : null}
        <PasswordInput
          label={text.account.currentPassword}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': text.signIn.showPassword }}
          required
        />
        <Group>
          <Button type="submit" variant="default" loading={action.isPending}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
