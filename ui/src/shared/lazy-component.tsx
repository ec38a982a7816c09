import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { FailureAlert, Loading } from './failure.tsx'
import { loadPage } from './load-page.ts'

/** Returns a page or dialog whose code is loaded on first use, for example by `() => import('./page.tsx')`. */
export function lazyComponent<Props extends object>(
  name: string,
  load: () => Promise<{ default: ComponentType<Props> }>
) {
  return function LazyComponent(props: Props) {
    const page = useQuery({
      queryKey: ['page', name],
      queryFn: async () => ({ Page: (await loadPage(name, load)).default }),
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: Number.POSITIVE_INFINITY,
      refetchOnWindowFocus: false,
      retry: false
    })
    if (page.data) return <page.data.Page {...props} />
    if (page.isFetching) return <Loading />
    return <FailureAlert error={page.error} retry={() => page.refetch()} />
  }
}
