import { Button, Container, Paper, Stack, Text, Title } from '@mantine/core'
import { FailureAlert } from '../shared/failure.tsx'
import { useTitle } from '../shared/title.ts'
import { formatTime, text } from '../text/index.ts'
import { TokenList } from '../tokens/token-list.tsx'
import { useAccount, useSignOut } from './account.ts'
import { LinkedIdentity } from './linked-identity.tsx'
import { PasswordForm } from './password-form.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SessionList } from './session-list.tsx'
import { useDetails } from './usage.ts'

/** The user's account: password, two-factor authentication, tokens and sessions. */
export default function AccountPage() {
  useTitle(text.account.title)
  const { login, role, createdAt } = useAccount()
  const signOut = useSignOut()
  const details = useDetails()
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
          {details.data && (
            <>
              <Text size="sm">{text.account.usage(details.data.usage)}</Text>
              <Text size="sm" className="breakable">
                {text.account.groups(details.data.groups)}
              </Text>
            </>
          )}
        </Paper>
        <Paper withBorder p="lg">
          <Title order={2} size="h4" mb="md">
            {text.password}
          </Title>
          <PasswordForm login={login} />
        </Paper>
        <LinkedIdentity />
        <Paper withBorder p="lg">
          <Title order={2} size="h4" mb="xs">
            {text.secondFactor.title}
          </Title>
          <SecondFactor />
        </Paper>
        <Paper withBorder p="lg">
          <Title order={2} size="h4" mb="xs">
            {text.tokens.title}
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            {text.tokens.hint}
          </Text>
          <TokenList />
        </Paper>
        <Paper withBorder p="lg">
          <Title order={2} size="h4" mb="xs">
            {text.account.sessions}
          </Title>
          <Text size="sm" c="dimmed" mb="md">
            {text.account.sessionsHint}
          </Text>
          <SessionList />
          {signOut.error && <FailureAlert error={signOut.error} />}
          <Button mt="md" variant="default" loading={signOut.isPending} onClick={() => signOut.mutate(true)}>
            {text.account.signOutEverywhere}
          </Button>
        </Paper>
      </Stack>
    </Container>
  )
}
