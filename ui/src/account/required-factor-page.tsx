import { Box, Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import { FailureAlert } from '../shared/failure.tsx'
import { Logo } from '../shared/logo.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { useSignOut } from './account.ts'
import { FactorSetup } from './factor-setup.tsx'
import { finishSetup } from './second-factors.ts'

/** The only page for a user who has to set a second factor up. The address stays, as on the sign-in page. */
export function RequiredFactorPage({ login }: { login: string }) {
  useTitle(text.secondFactor.required)
  const signOut = useSignOut()
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={480}>
        <Stack align="center" gap={4} mb="lg">
          <Logo size={44} />
          <Title order={1} size="h2" ta="center">
            {text.secondFactor.required}
          </Title>
          <Text c="dimmed" ta="center">
            {text.secondFactor.requiredReason(login)}
          </Text>
        </Stack>
        <Paper withBorder shadow="sm" p="lg">
          <FactorSetup onDone={finishSetup} />
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
