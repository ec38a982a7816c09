import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Visibility } from '../../../picture/filter/visibility.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import type { Network } from '../graph/network/network.ts'
import type { View } from '../graph/view/view.ts'
import { startTask } from '../measures/start-task.ts'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { isSameRequest, requestOf, type StatisticsRequest } from './request.ts'
import type { Statistics } from './statistics.ts'

/** A finished computation, with the title of the groups whose modularity it contains. */
interface Found {
  request: StatisticsRequest
  groups: string
  statistics: Statistics
}

export interface StatisticsState {
  found: Found | undefined
  /** Whether the result belongs to another visible part or other groups than the current ones. */
  isOutdated: boolean
  /** The completed fraction of the running computation. */
  share: number | undefined
  /** The key of the attribute whose values are groups for the modularity. Undefined for communities. */
  groupedBy: string | undefined
  groupBy(key: string | undefined): void
  compute(): void
  stop(): void
}

/** Computes statistics of the visible part of a network when the user asks for them. */
export function useStatistics(
  network: Network,
  visible: Visibility,
  attributes: Attribute[],
  { resolution, weight }: Pick<View, 'resolution' | 'weight'>
): StatisticsState {
  const [groupedBy, setGroupedBy] = useState<string>()
  const [running, setRunning] = useState<Omit<Found, 'statistics'>>()
  const [found, setFound] = useState<Found>()
  const [share, setShare] = useState(0)
  const attribute = attributes.find(({ key }) => key === groupedBy)
  const request = useCallback(
    () => requestOf(network, visible, attribute, { resolution, weight }),
    [network, visible, attribute, resolution, weight]
  )
  const isOutdated = useMemo(() => found !== undefined && !isSameRequest(found.request, request()), [found, request])

  useEffect(() => {
    if (!running) return
    setShare(0)
    const worker = new Worker(new URL('./statistics.worker.ts', import.meta.url), { type: 'module' })
    return startTask<StatisticsRequest, Statistics>(worker, running.request, {
      onShare: setShare,
      onValue: (statistics) => {
        setFound({ ...running, statistics })
        setRunning(undefined)
      },
      onFailure: () => {
        setRunning(undefined)
        notify({ color: 'red', message: text.statistics.failed })
      }
    })
  }, [running])

  return {
    found,
    isOutdated,
    share: running && share,
    groupedBy: attribute?.key,
    groupBy: setGroupedBy,
    compute: () =>
      setRunning({
        request: request(),
        groups: attribute?.title ?? text.statistics.louvain
      }),
    stop: () => setRunning(undefined)
  }
}
