import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { text } from '../text/index.ts'
import { useChangePassword } from './account.ts'

const nothing = { currentPassword: '', newPassword: '' }

/** Changes the own password. */
export function PasswordForm({ login }: { login: string }) {
  const [passwords, setPasswords] = useState(nothing)
  const change = useChangePassword(login)
  return (
    <Form onSubmit={() => change.mutate(passwords, { onSuccess: () => setPasswords(nothing) })}>
      <Stack>
        {change.error && <FailureAlert error={change.error} />}
        {change.isSuccess && (
          <Alert color="green" role="status">
            {text.account.passwordChanged}
          </Alert>
        )}
        {/* Password managers need the username. */}
        <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
        <PasswordInput
          label={text.account.currentPassword}
          value={passwords.currentPassword}
          onChange={(event) => setPasswords({ ...passwords, currentPassword: event.currentTarget.value })}
          autoComplete="current-password"
          required
        />
        <PasswordInput
          label={text.account.newPassword}
          description={text.passwordHint}
          value={passwords.newPassword}
          onChange={(event) => setPasswords({ ...passwords, newPassword: event.currentTarget.value })}
          autoComplete="new-password"
          minLength={12}
          required
        />
        <Group>
          <Button type="submit" loading={change.isPending}>
            {text.account.changePassword}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
