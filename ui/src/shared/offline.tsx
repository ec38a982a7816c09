import { Alert, Button } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Unreachable } from '../api.ts'
import { checkConnection, useIsLost } from '../connection.ts'
import { text } from '../text/index.ts'

/** Shows a banner while the server cannot be reached. Afterwards, repeats the queries that failed. */
export function Offline() {
  const client = useQueryClient()
  const isLost = useIsLost()
  const [isChecking, setIsChecking] = useState(false)
  // The server may run on the same machine, so the browser being offline does not decide.
  useWindowEvent('offline', checkConnection)
  useWindowEvent('online', checkConnection)

  useEffect(() => {
    if (!isLost) client.refetchQueries({ predicate: isUnanswered })
  }, [client, isLost])

  if (!isLost) return null
  const retry = () => {
    setIsChecking(true)
    checkConnection().finally(() => setIsChecking(false))
  }
  return (
    <Alert color="gray" radius={0} role="status" title={text.offline.title}>
      {text.offline.detail}{' '}
      <Button variant="default" size="compact-sm" loading={isChecking} onClick={retry}>
        {text.failure.retry}
      </Button>
    </Alert>
  )
}

function isUnanswered({ state }: { state: { error: unknown } }) {
  return state.error instanceof Unreachable
}
