import { Alert, Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatTime, text } from '../text/index.ts'
import { deviceOf, useSessions } from './sessions.ts'

/** Tells of sessions that began in a new place since this browser was last asked about them. */
export function NewSignIns({ login }: { login: string }) {
  const [seenAt, setSeenAt] = useState(() => lastSeen(login))
  const { data: sessions = [] } = useSessions()
  const fresh = sessions.filter(({ current, familiar, startedAt }) => !current && !familiar && startedAt > seenAt)
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
          {text.sessions.look}
        </Button>
        <Button size="xs" variant="default" onClick={() => setSeenAt(noteSeen(login))}>
          {text.sessions.wasMe}
        </Button>
      </Group>
    </Alert>
  )
}

/** Returns the time up to which the user knows the sessions. A browser that is new to them begins now. */
function lastSeen(login: string): string {
  try {
    return localStorage.getItem(keyOf(login)) ?? noteSeen(login)
  } catch {
    return new Date().toISOString()
  }
}

function noteSeen(login: string): string {
  const now = new Date().toISOString()
  try {
    localStorage.setItem(keyOf(login), now)
  } catch {
    // Without a place to keep it, the notice comes again with the next page.
  }
  return now
}

function keyOf(login: string) {
  return `graphstead-sign-ins-seen ${login}`
}
