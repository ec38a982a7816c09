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
import { isProblem } from '../api.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { Logo } from '../shared/logo.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { endedSession, useSignIn } from './account.ts'
import { CodeInput } from './code-input.tsx'
import { ProviderButton } from './provider-button.tsx'

/** The sign-in form. It does not change the address, so the requested page opens after sign-in. */
export function SignIn() {
  useTitle(text.signIn.title)
  const signIn = useSignIn()
  const [ended] = useState(endedSession)
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [rememberMe, setRememberMe] = useState(false)
  const [code, setCode] = useState('')
  const [wantsCode, setWantsCode] = useState(false)
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
          <ProviderButton />
          <Form
            onSubmit={() =>
              signIn.mutate(
                { username, password, rememberMe, ...(wantsCode && { code }) },
                { onError: (error) => setWantsCode((wanted) => wanted || needsCode(error)) }
              )
            }
          >
            <Stack>
              {ended && !signIn.error && (
                <Alert color="gray" role="status">
                  {ended.hasNewPassword ? text.signIn.passwordChanged : text.signIn.ended}{' '}
                  {ended.user && text.signIn.kept(ended.user.login)}
                </Alert>
              )}
              {signIn.error && !(needsCode(signIn.error) && code === '') && <FailureAlert error={signIn.error} />}
              <TextInput
                label={text.signIn.username}
                value={username}
                onChange={(event) => setUsername(event.currentTarget.value)}
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                autoFocus
              />
              <PasswordInput
                label={text.password}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
                autoComplete="current-password"
                required
              />
              {wantsCode && <CodeInput value={code} onChange={setCode} autoFocus />}
              <Checkbox
                label={text.signIn.rememberMe}
                checked={rememberMe}
                onChange={(event) => setRememberMe(event.currentTarget.checked)}
              />
              <Button type="submit" loading={signIn.isPending} fullWidth>
                {text.signIn.submit}
              </Button>
            </Stack>
          </Form>
        </Paper>
      </Box>
    </Center>
  )
}

/** Returns whether the password was correct but a second-factor code is required. */
function needsCode(error: unknown) {
  return isProblem(error, 'second-factor-required')
}

/** The sign-in form on top of the pages of an ended session, so that the user does not lose typed text. */
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
      attributes={{ content: { 'aria-label': text.signIn.title } }}
    >
      <SignIn />
    </Modal>
  )
}
