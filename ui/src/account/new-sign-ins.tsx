import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Session } from '../api.ts'
import { formatTime, text } from '../text/index.ts'
import { deviceOf, useSessions } from './sessions.ts'

/** Warns about sign-ins from unfamiliar devices until the user confirms them or reopens the app. */
export function NewSignIns() {
  const [seenAt, setSeenAt] = useState('')
  const { data: sessions = [] } = useSessions()
  const fresh = freshOf(sessions).filter(({ startedAt }) => startedAt > seenAt)
  if (fresh.length === 0) return null
  return (
    <Alert color="yellow" radius={0} role="status" title={text.sessions.news(fresh.length)}>
      {fresh.map((session) => (
        <Text key={session.id} size="sm" className="breakable">
          {deviceOf(session)}, {session.address}, {formatTime(session.startedAt)}
        </Text>
      ))}
      <Text size="sm">{text.sessions.newsHint}</Text>
      <Group mt="sm">
        <Button component={Link} href="/account" size="xs" variant="default">
          {text.sessions.show}
        </Button>
        <Button size="xs" variant="default" onClick={() => setSeenAt(new Date().toISOString())}>
          {text.sessions.wasMe}
        </Button>
      </Group>
    </Alert>
  )
}

/**
 * Returns the unfamiliar sessions that started after the latest familiar one, or after this session if no earlier one is
 * familiar.
 */
function freshOf(sessions: Session[]): Session[] {
  const current = sessions.find((session) => session.current)
  if (!current) return []
  const others = sessions.filter((session) => !session.current)
  const earlier = others.filter(({ familiar, startedAt }) => familiar && startedAt < current.startedAt)
  const since =
    earlier
      .map(({ startedAt }) => startedAt)
      .sort()
      .at(-1) ?? current.startedAt
  return others.filter(({ familiar, startedAt }) => !familiar && startedAt > since)
}
