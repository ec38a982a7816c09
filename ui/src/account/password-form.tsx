import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core'
import { useState } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { text } from '../text/index.ts'
import { useChangePassword } from './account.ts'

/** Changes the caller's password. */
export function PasswordForm({ login }: { login: string }) {
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = useChangePassword(login)
  const clear = () => {
    setCurrentPassword('')
    setNewPassword('')
  }
  return (
    <Form onSubmit={() => change.mutate({ currentPassword, newPassword }, { onSuccess: clear })}>
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
          value={currentPassword}
          onChange={(event) => setCurrentPassword(event.currentTarget.value)}
          autoComplete="current-password"
          required
        />
        <PasswordInput
          label={text.account.newPassword}
          description={text.passwordHint}
          value={newPassword}
          onChange={(event) => setNewPassword(event.currentTarget.value)}
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
