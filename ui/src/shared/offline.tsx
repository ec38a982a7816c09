import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Unreachable } from '../api.ts'
import { text } from '../text/index.ts'

/** Shows that the server cannot be reached, and retries. */
export function Offline() {
  const { online } = useNetwork()
  const client = useQueryClient()
  const fetching = useIsFetching()
  const [isLost, setIsLost] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something has been asked
  useEffect(() => {
    const isFailing = client
      .getQueryCache()
      .getAll()
      .some(({ state }) => state.error instanceof Unreachable)
    setIsLost(isFailing)
  }, [client, fetching])

  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => client.refetchQueries({ predicate: isUnanswered }), 5000)
    return () => clearInterval(timer)
  }, [client, isLost])

  if (online && !isLost) return null
  return (
    <Alert color="gray" radius={0} role="status" title={text.offline.title}>
      {text.offline.detail}
    </Alert>
  )
}

function isUnanswered({ state }: { state: { error: unknown } }) {
  return state.error instanceof Unreachable
}
