import {
  Alert,
  Box,
  Button,
  Center,
  Checkbox,
  Modal,
  Paper,
  PasswordInput,
  Stack,
  Text,
  TextInput,
  Title
} from '@mantine/core'
import { useState } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { Logo } from '../shared/logo.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { endedSession, useSignIn } from './account.ts'

/** The sign-in form. The address stays, so that a followed link opens afterwards. */
export function SignIn() {
  useTitle(text.signIn.title)
  const signIn = useSignIn()
  const [ended] = useState(endedSession)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(false)
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={380}>
        <Stack align="center" gap={4} mb="lg">
          <Logo size={44} />
          <Title order={1} size="h2">
            {text.name}
          </Title>
          <Text c="dimmed" ta="center">
            {text.signIn.welcome}
          </Text>
        </Stack>
        <Paper withBorder shadow="sm" p="lg">
          <form
            onSubmit={(event) => {
              event.preventDefault()
              signIn.mutate({ username, password, rememberMe })
            }}
          >
            <Stack>
              {ended && !signIn.error && (
                <Alert color="gray" role="status">
                  {text.signIn.ended} {ended.user && text.signIn.kept(ended.user.login)}
                </Alert>
              )}
              {signIn.error && <FailureAlert error={signIn.error} />}
              <TextInput
                label={text.signIn.username}
                value={username}
                onChange={(event) => setUsername(event.currentTarget.value)}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                data-autofocus
              />
              <PasswordInput
                label={text.signIn.password}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
                autoComplete="current-password"
                visibilityToggleButtonProps={{ 'aria-label': text.signIn.showPassword }}
                required
              />
              <Checkbox
                label={text.signIn.rememberMe}
                checked={rememberMe}
                onChange={(event) => setRememberMe(event.currentTarget.checked)}
              />
              <Button type="submit" loading={signIn.isPending} fullWidth>
                {text.signIn.submit}
              </Button>
            </Stack>
          </form>
        </Paper>
      </Box>
    </Center>
  )
}

/** The sign-in form above the pages of a session that has ended: whatever the user was writing there stays. */
export function SignInAgain() {
  return (
    <Modal
      opened
      fullScreen
      zIndex={1000}
      withCloseButton={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
      onClose={() => {}}
      aria-label={text.signIn.title}
    >
      <SignIn />
    </Modal>
  )
}
