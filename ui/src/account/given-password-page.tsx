import { Box, Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { FailureAlert } from '../shared/failure.tsx'
import { Logo } from '../shared/logo.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { useSignOut } from './account.ts'
import { PasswordForm } from './password-form.tsx'

/** The only page for a user whose password somebody else gave. The address stays, as on the sign-in page. */
export function GivenPasswordPage({ login }: { login: string }) {
  useTitle(text.givenPassword.title)
  const signOut = useSignOut()
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={380}>
        <Stack align="center" gap={4} mb="lg">
          <Logo size={44} />
          <Title order={1} size="h2" ta="center">
            {text.givenPassword.title}
          </Title>
          <Text c="dimmed" ta="center">
            {text.givenPassword.reason(login)}
          </Text>
        </Stack>
        <Paper withBorder shadow="sm" p="lg">
          <PasswordForm login={login} />
        </Paper>
        <Stack align="center" mt="md">
          {signOut.error && <FailureAlert error={signOut.error} />}
          <Button variant="subtle" loading={signOut.isPending} onClick={() => signOut.mutate(false)}>
            {text.nav.signOut}
          </Button>
        </Stack>
      </Box>
    </Center>
  )
}
