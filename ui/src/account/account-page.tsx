import { Alert, Button, Container, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, take } from '../api.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { formatTime, text } from '../text/index.ts'
import { useAccount, useSignOut } from './account.ts'

/** Who I am, and my password. */
export function AccountPage() {
  useTitle(text.account.title)
  const { login, role, createdAt } = useAccount()
  const signOut = useSignOut()
  return (
    <Container size="sm" py="lg">
      <Title order={1} size="h2" mb="md">
        {text.account.title}
      </Title>
      <Stack>
        <Paper withBorder p="lg">
          <Text>{text.nav.signedInAs(login, text.roles[role])}</Text>
          <Text size="sm" c="dimmed">
            {text.account.since(formatTime(createdAt))}
          </Text>
        </Paper>
        <PasswordForm login={login} />
        <Paper withBorder p="lg">
          <Title order={2} size="h4" mb="xs">
            {text.account.sessions}
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            {text.account.sessionsHint}
          </Text>
          {signOut.error && <FailureAlert error={signOut.error} />}
          <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate(true)}>
            {text.account.signOutEverywhere}
          </Button>
        </Paper>
      </Stack>
    </Container>
  )
}

function PasswordForm({ login }: { login: string }) {
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const change = useMutation({
    mutationFn: async () => {
      await take(api.POST('/api/account/password', { body: { currentPassword, newPassword } }))
      // Every session has ended with the old password, this one too.
      await take(api.POST('/api/session', { body: { username: login, password: newPassword, rememberMe: false } }))
    },
    onSuccess: () => {
      setCurrentPassword('')
      setNewPassword('')
    }
  })
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="md">
        {text.account.password}
      </Title>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <Stack>
          {change.error && <FailureAlert error={change.error} />}
          {change.isSuccess && (
            <Alert color="green" role="status">
              {text.account.passwordChanged}
            </Alert>
          )}
          {/* For password managers, which want to know whose it is. */}
          <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
          <PasswordInput
            label={text.account.currentPassword}
            value={currentPassword}
            onChange={(event) => setCurrentPassword(event.currentTarget.value)}
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': text.signIn.showPassword }}
            required
          />
          <PasswordInput
            label={text.account.newPassword}
            description={text.passwordHint}
            value={newPassword}
            onChange={(event) => setNewPassword(event.currentTarget.value)}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': text.signIn.showPassword }}
            minLength={12}
            required
          />
          <Group>
            <Button type="submit" loading={change.isPending}>
              {text.account.changePassword}
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  )
}
