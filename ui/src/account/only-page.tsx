import { Box, Button, Center, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { Logo } from '../shared/logo.tsx'
import { useTitle } from '../shared/title.ts'
import { text } from '../text/index.ts'
import { useSignOut } from './account.ts'

/** A page that replaces all others until the user completes it or signs out. The address does not change. */
export function OnlyPage({
  title,
  reason,
  width,
  children
}: {
  title: string
  reason: string
  /** The width in pixels. */
  width: number
  children: ReactNode
}) {
  useTitle(title)
  const signOut = useSignOut()
  return (
    <Center component="main" mih="100dvh" p="md">
      <Box w="100%" maw={width}>
        <Stack align="center" gap={4} mb="lg">
          <Logo size={44} />
          <Title order={1} size="h2" ta="center">
            {title}
          </Title>
          <Text c="dimmed" ta="center">
            {reason}
          </Text>
        </Stack>
        <Paper withBorder shadow="sm" p="lg">
          {children}
        </Paper>
        <Stack align="center" mt="md">
          {signOut.error && <FailureAlert error={signOut.error} />}
          <Button variant="default" loading={signOut.isPending} onClick={() => signOut.mutate(false)}>
            {text.nav.signOut}
          </Button>
        </Stack>
      </Box>
    </Center>
  )
}
