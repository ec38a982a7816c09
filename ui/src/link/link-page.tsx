import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isProblem, Unreachable } from '../api.ts'
import { queryOf } from '../graph/view/style-address.ts'
import { DefaultQueryProvider } from '../graph/view/use-view.ts'
import { Loading } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { LinkFailure } from './link-failure.tsx'
import { LinkView } from './link-view.tsx'
import { PasswordForm } from './password-form.tsx'
import type { Visit } from './visit.ts'

/** Shows a link's graph, the form for the link's password, or the reason why the graph cannot be shown. */
export function LinkPage({ visit }: { visit: Visit }) {
  const open = useMutation({
    mutationFn: (password: string | undefined) => visit.fetchGraph(password),
    retry: (count, error) => count < 2 && error instanceof Unreachable
  })
  /** The error that ended the visit while the graph was being shown. */
  const [end, setEnd] = useState<unknown>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page opens its link once
  useEffect(() => open.mutate(undefined), [])

  if (open.data && !end) {
    return (
      <DefaultQueryProvider value={open.data.graph.view && queryOf(open.data.graph.view)}>
        <LinkView
          {...open.data}
          loadLayout={visit.loadLayout}
          fetchFile={(mediaType) =>
            visit.fetchFile(mediaType).catch((error: unknown) => {
              if (isGone(error) || needsPassword(error)) setEnd(error)
              throw error
            })
          }
        />
      </DefaultQueryProvider>
    )
  }
  const error = end ?? open.error
  const submit = (password: string | undefined) => {
    setEnd(undefined)
    open.mutate(password)
  }
  /** Whether the visitor has sent a password. */
  const isSent = !end && open.variables !== undefined
  if (needsPassword(error) || (isSent && !isGone(error))) {
    return (
      <PasswordForm isPending={open.isPending} onSubmit={submit}>
        {isSent && error && <LinkFailure error={error} />}
      </PasswordForm>
    )
  }
  if (!error) return <Loading label={text.graph.loading} />
  return (
    <main>
      <LinkFailure error={error} retry={() => submit(undefined)} />
    </main>
  )
}

function isGone(error: unknown) {
  return isProblem(error, 'link-not-found')
}

function needsPassword(error: unknown) {
  return isProblem(error, 'link-password-required')
}
