import { Button, Group, Stack, Text } from '@mantine/core'
import { FailureAlert, Loading } from '../shared/failure.tsx'
import { formatTime, text } from '../text/index.ts'
import { deviceOf, useEndSession, useSessions } from './sessions.ts'

/** Lists a user's sessions, each with a button to end it. If `login` is undefined, lists the caller's sessions. */
export function SessionList({ login }: { login?: string }) {
  const sessions = useSessions(login)
  const end = useEndSession(login)
  return (
    <Stack>
      {sessions.error && <FailureAlert error={sessions.error} retry={() => sessions.refetch()} />}
      {end.error && <FailureAlert error={end.error} />}
      {sessions.isPending && <Loading />}
      {sessions.data?.length === 0 && <Text size="sm">{text.sessions.none}</Text>}
      {sessions.data && sessions.data.length > 0 && (
        <Stack component="ul" gap="sm" className="plain-list" aria-label={text.account.sessions}>
          {sessions.data.map((session) => (
            <Group key={session.id} component="li" justify="space-between" wrap="nowrap" align="start">
              <Stack gap={0} className="shrinking">
                <Text fw={600} className="breakable">
                  {deviceOf(session)}
                </Text>
                <Text size="sm">{session.kind === 'BROWSER' ? text.sessions.browser : text.sessions.token}</Text>
                <Text size="sm" c="dimmed">
                  {text.sessions.place(session.address, formatTime(session.startedAt), formatTime(session.lastUsedAt))}{' '}
                  {!session.familiar && text.sessions.unfamiliar}
                </Text>
              </Stack>
              {session.current ? (
                <Text size="sm" className="fixed">
                  {text.sessions.current}
                </Text>
              ) : (
                <Button
                  size="compact-sm"
                  variant="default"
                  className="fixed"
                  aria-label={text.sessions.endOne(deviceOf(session))}
                  loading={end.isPending && end.variables === session.id}
                  onClick={() => end.mutate(session.id)}
                >
                  {text.sessions.end}
                </Button>
              )}
            </Group>
          ))}
        </Stack>
      )}
    </Stack>
  )
}
