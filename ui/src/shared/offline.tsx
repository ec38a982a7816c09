import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useAnswers } from '../answers.ts'
import { Unreachable } from '../api.ts'
import { text } from '../text/index.ts'

/** Shows a banner and retries requests while the server cannot be reached. */
export function Offline() {
  const { online } = useNetwork()
  const client = useQueryClient()
  const fetching = useIsFetching()
  const answers = useAnswers()
  const [lostAfter, setLostAfter] = useState<number>()
  const isWaiting = lostAfter !== undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each request
  useEffect(() => {
    const failures = client
      .getQueryCache()
      .getAll()
      .flatMap(({ state: { error } }) => (error instanceof Unreachable ? [error.after] : []))
    setLostAfter(failures.length > 0 ? Math.max(...failures) : undefined)
  }, [client, fetching])

  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => client.refetchQueries({ predicate: isUnanswered }), 5000)
    return () => clearInterval(timer)
  }, [client, isWaiting])

  const isLost = isWaiting && answers <= lostAfter
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
