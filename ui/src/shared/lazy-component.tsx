import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useContext } from 'react'
import { useIsLost } from '../connection.ts'
import { text } from '../text/index.ts'
import { Empty, FailureAlert, HasBanner, Loading } from './failure.tsx'
import { loadPage } from './load-page.ts'

/**
 * Returns a page, dialog or other part whose code is loaded on first use, for example by `() => import('./page.tsx')`. `isPage`
 * gives the page a heading while the code is missing, and leaves the retry to the banner.
 */
export function lazyComponent<Props extends object>(
  name: string,
  load: () => Promise<{ default: ComponentType<Props> }>,
  { isPage = false } = {}
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
    const isLost = useIsLost()
    const hasBanner = useContext(HasBanner)
    if (page.data) return <page.data.Page {...props} />
    if (page.isFetching) return <Loading />
    // The banner offers to try again.
    if (isPage && isLost && hasBanner) return <Empty isPage title={text.failure.pageMissing} />
    return <FailureAlert error={page.error} retry={() => page.refetch()} />
  }
}
