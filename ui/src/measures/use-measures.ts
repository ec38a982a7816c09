import { useEffect, useMemo, useRef, useState } from 'react'
import { areEqual, type Links, linksOf } from '../../../picture/measures/links.ts'
import type { MeasureName, MeasureValues } from '../../../picture/measures/names.ts'
import type { Network } from '../graph/network/network.ts'
import type { View } from '../graph/view/view.ts'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import type { MeasureTask } from './measures.worker.ts'
import { startTask } from './start-task.ts'

export interface Measures {
  values: MeasureValues
  /** The measure that is being computed, and the completed fraction. */
  running: { name: MeasureName; share: number } | undefined
  /** Whether the measure is being computed or queued. */
  isPending(name: MeasureName): boolean
  compute(name: MeasureName): void
  stop(name: MeasureName): void
}

/**
 * Computes the measures requested by the view or the user, one at a time. Recomputes them when the edges or their weights change,
 * and communities when their resolution changes.
 */
export function useMeasures(
  network: Network,
  needed: MeasureName[],
  { resolution, weight }: Pick<View, 'resolution' | 'weight'>
): Measures {
  const links = useLinks(network, weight)
  const [asked, setAsked] = useState<MeasureName[]>([])
  const [stopped, setStopped] = useState<MeasureName[]>([])
  const [computed, setComputed] = useState<Computed>({ links, resolution, values: none })
  const [share, setShare] = useState(0)
  const values = useMemo(() => valuesFor(computed, links, resolution), [computed, links, resolution])
  const pending = [...asked, ...needed].filter((name) => !values.has(name) && !stopped.includes(name))
  const last = useRef<MeasureName>(undefined)
  const current = pending.find((name) => name === last.current) ?? pending[0]
  last.current = current
  // Only communities start again when the resolution changes.
  const used = current === 'community' ? resolution : undefined

  useEffect(() => {
    if (!current) return
    setShare(0)
    const worker = new Worker(new URL('./measures.worker.ts', import.meta.url), { type: 'module' })
    return startTask<MeasureTask, Float64Array>(
      worker,
      { measure: current, links, resolution: used },
      {
        onShare: setShare,
        onValue: (found) =>
          setComputed((before) => ({
            links,
            resolution: current === 'community' ? used : before.resolution,
            values: new Map(before.links === links ? before.values : none).set(current, found)
          })),
        onFailure: (reason) => {
          setStopped((before) => [...before, current])
          notify({ color: 'red', message: text.measures.failed(text.measures.names[current], reason) })
        }
      }
    )
  }, [links, current, used])

  const without = (name: MeasureName) => (names: MeasureName[]) => names.filter((other) => other !== name)
  return {
    values,
    running: current && { name: current, share },
    isPending: (name) => pending.includes(name),
    compute: (name) => {
      setStopped(without(name))
      setAsked((before) => [...without(name)(before), name])
    },
    stop: (name) => {
      setStopped((before) => [...before, name])
      setAsked(without(name))
    }
  }
}

const none: MeasureValues = new Map()

interface Computed {
  links: Links
  /** The resolution of the computed communities, or undefined for the default. */
  resolution: number | undefined
  values: MeasureValues
}

/** Returns the values that are still valid for these links and this resolution. */
function valuesFor(computed: Computed, links: Links, resolution: number | undefined): MeasureValues {
  if (computed.links !== links) return none
  if (computed.resolution === resolution) return computed.values
  const values = new Map(computed.values)
  values.delete('community')
  return values
}

/** Returns the links of a network. Returns the same object while the links are equal, for example after positions are saved. */
function useLinks({ edges, degree, source, target, directed }: Network, weight: string | undefined): Links {
  const kept = useRef<Links>(undefined)
  return useMemo(() => {
    const links = linksOf({ edges, degree, source, target, directed }, weight)
    if (!kept.current || !areEqual(kept.current, links)) kept.current = links
    return kept.current
  }, [edges, degree, source, target, directed, weight])
}
