import { Alert, Box, Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { isProblem } from '../api.ts'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { Form } from '../shared/form.tsx'
import { Logo } from '../shared/logo.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { useAcceptInvitation, useInvitation } from './invitations.ts'

/** The page that an invitation's link opens. The invited person chooses a password, and is signed in. */
export default function InvitationPage() {
  useTitle(text.invitation.title)
  const [secret] = useState(() => location.hash.slice(1))
  const [, navigate] = useLocation()
  const [password, setPassword] = useState('')
  const invitation = useInvitation(secret)
  const accept = useAcceptInvitation(secret)
  const leave = () => navigate('/graphs', { replace: true })
  if (invitation.isPending) return <Loading />
  const login = invitation.data?.login
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={380}>
        <Stack align="center" gap={4} mb="lg">
          <Logo size={44} />
          <Title order={1} size="h2" ta="center">
            {text.invitation.title}
          </Title>
          {login !== undefined && (
            <Text c="dimmed" ta="center">
              {text.invitation.reason(login)}
            </Text>
          )}
        </Stack>
        {login === undefined ? (
          <Stack>
            {isMissing(invitation.error) ? (
              <Alert color="red" role="alert">
                {text.invitation.missing}
              </Alert>
            ) : (
              <FailureAlert error={invitation.error} retry={() => invitation.refetch()} />
            )}
            <Button variant="default" onClick={leave}>
              {text.invitation.signIn}
            </Button>
          </Stack>
        ) : (
          <Paper withBorder shadow="sm" p="lg">
            <Form onSubmit={() => accept.mutate({ login, password }, { onSuccess: leave })}>
              <Stack>
                {accept.error && <FailureAlert error={accept.error} />}
                {/* Password managers need the username. */}
                <input type="text" name="username" autoComplete="username" value={login} readOnly hidden />
                <PasswordInput
                  label={text.password}
                  description={text.passwordHint}
                  value={password}
                  onChange={(event) => setPassword(event.currentTarget.value)}
                  autoComplete="new-password"
                  minLength={12}
                  required
                  autoFocus
                />
                <Button type="submit" loading={accept.isPending} fullWidth>
                  {text.invitation.submit}
                </Button>
              </Stack>
            </Form>
          </Paper>
        )}
      </Box>
    </Center>
  )
}

/** Returns whether the invitation does not exist, or its secret cannot be one. */
function isMissing(error: unknown) {
  return isProblem(error, 'invitation-not-found') || isProblem(error, 'validation-failed')
}
