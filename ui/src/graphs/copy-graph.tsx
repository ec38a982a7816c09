import { Anchor } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, type GraphRecord, take } from '../api.ts'
import { notify, notifyFailure } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { refreshGraphs } from './graphs.ts'

/** Copies a graph into the user's account, then shows a notice with a link to the copy. */
export function useCopyGraph() {
  return useMutation({
    mutationFn: ({ id, name }: GraphRecord) =>
      take(api.POST('/api/graphs/{id}/copy', { params: { path: { id } }, body: { name: text.graphs.copyName(name) } })),
    onSuccess: (copy) => {
      notify({
        message: (
          <>
            {text.graphs.copied(copy.name)}{' '}
            <Anchor component={Link} href={`/graphs/${copy.id}`} size="sm">
              {text.graphs.openCopy}
            </Anchor>
          </>
        ),
        autoClose: 10_000
      })
      return refreshGraphs()
    },
    onError: notifyFailure
  })
}
