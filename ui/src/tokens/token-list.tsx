import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiToken } from '../api.ts'
import { ConfirmDialog } from '../shared/dialog.tsx'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { formatDay, formatTime, text } from '../text/index.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'
import { useRevokeToken, useTokens } from './tokens.ts'

/** Lists a user's tokens, with buttons to create and revoke them. If `login` is undefined, lists the caller's tokens. */
export function TokenList({ login }: { login?: string }) {
  const tokens = useTokens(login)
  const [isMaking, setIsMaking] = useState(false)
  const [revoked, setRevoked] = useState<ApiToken>()
  return (
    <Stack>
      {tokens.error && <FailureAlert error={tokens.error} retry={() => tokens.refetch()} />}
      {tokens.isPending && <Loading />}
      {tokens.data?.length === 0 && <Text size="sm">{text.tokens.none}</Text>}
      {tokens.data && tokens.data.length > 0 && (
        <Stack component="ul" gap="sm" className="plain-list" aria-label={text.tokens.title}>
          {tokens.data.map((token) => (
            <Group key={token.id} component="li" justify="space-between" wrap="nowrap" align="start">
              <Stack gap={0} className="shrinking">
                <Text fw={600} className="breakable">
                  {token.name}
                </Text>
                <Text size="sm">{token.scopes.map((scope) => text.tokens.scopes[scope]).join(', ')}</Text>
                <Text size="sm" c="dimmed">
                  {text.tokens.state(
                    formatTime(token.expiresAt),
                    isOver(token),
                    token.lastUsedAt && formatDay(token.lastUsedAt)
                  )}
                </Text>
              </Stack>
              <Button
                size="compact-sm"
                variant="default"
                className="fixed"
                aria-label={text.tokens.revokeOne(token.name)}
                onClick={() => setRevoked(token)}
              >
                {text.tokens.revoke}
              </Button>
            </Group>
          ))}
        </Stack>
      )}
      <Group>
        <Button variant="default" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setIsMaking(true)}>
          {text.tokens.create}
        </Button>
      </Group>
      {isMaking && <NewTokenDialog login={login} onClose={() => setIsMaking(false)} />}
      {revoked && <RevokeDialog token={revoked} login={login} onClose={() => setRevoked(undefined)} />}
    </Stack>
  )
}

/** Asks for confirmation, then revokes a token. */
function RevokeDialog({ token, login, onClose }: { token: ApiToken; login: string | undefined; onClose: () => void }) {
  const revoke = useRevokeToken(login)
  return (
    <ConfirmDialog
      title={text.tokens.revokeOne(token.name)}
      question={text.tokens.revokeQuestion(token.name)}
      submit={text.tokens.revoke}
      action={revoke}
      onSubmit={() => revoke.mutate(token.id, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function isOver({ expiresAt }: ApiToken) {
  return Date.parse(expiresAt) <= Date.now()
}
