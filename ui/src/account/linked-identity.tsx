import { Alert, Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { FailureAlert } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { useAccount } from './account.ts'
import { PasswordProof } from './password-proof.tsx'
import { useProviderError, useSignInWays, useStartLinking, useUnlink } from './provider.ts'

/**
 * Links the account to the identity provider, or unlinks it. Renders nothing if there is neither a provider nor a linked
 * identity.
 */
export function LinkedIdentity() {
  const { linked, secondFactor } = useAccount()
  const ways = useSignInWays()
  const link = useStartLinking()
  const unlink = useUnlink()
  const error = useProviderError()
  const [isLinking, setLinking] = useState(false)
  const name = ways.data?.provider
  if (name === undefined && !linked) return null
  return (
    <Paper withBorder p="lg">
      <Title order={2} size="h4" mb="xs">
        {name ?? text.provider.gone}
      </Title>
      <Stack align="start">
        {error && !linked && <Alert color="red">{error}</Alert>}
        {unlink.error && <FailureAlert error={unlink.error} />}
        <Text size="sm">{linked ? text.provider.linked : text.provider.notLinked}</Text>
        {linked ? (
          <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate()}>
            {text.provider.unlink}
          </Button>
        ) : isLinking ? (
          <PasswordProof submit={text.provider.link} action={link} withCode={secondFactor} />
        ) : (
          <Button variant="default" onClick={() => setLinking(true)}>
            {text.provider.link}
          </Button>
        )}
      </Stack>
    </Paper>
  )
}
