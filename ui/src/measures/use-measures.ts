import { useEffect, useMemo, useRef, useState } from 'react'
import { areEqual, haveSameEdges, type Links, linksOf } from '../../../picture/measures/links.ts'
import type { MeasureName, MeasureValues } from '../../../picture/measures/names.ts'
import type { Network } from '../graph/network/network.ts'
import type { View } from '../graph/view/view.ts'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import type { MeasureTask } from './measures.worker.ts'
import { startTask } from './start-task.ts'
import { type Computed, inputsOf, validValues } from './valid-values.ts'

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
 * Computes the measures requested by the view or the user, one at a time. Recomputes them when the edges change, those that use
 * weights when these change, and communities when their resolution changes.
 */
export function useMeasures(
  network: Network,
  needed: MeasureName[],
  { resolution, weight }: Pick<View, 'resolution' | 'weight'>
): Measures {
  const links = useLinks(network, weight)
  // The weights of these links may be outdated.
  const edges = useKept(links, haveSameEdges)
  const [asked, setAsked] = useState<MeasureName[]>([])
  const [stopped, setStopped] = useState<MeasureName[]>([])
  const [computed, setComputed] = useState<ReadonlyMap<MeasureName, Computed>>(new Map())
  const [share, setShare] = useState(0)
  const values = useMemo(
    () => validValues(computed, { links, edges, resolution }),
    [computed, links, edges, resolution]
  )
  const pending = [...asked, ...needed].filter((name) => !values.has(name) && !stopped.includes(name))
  const last = useRef<MeasureName>(undefined)
  const current = pending.find((name) => name === last.current) ?? pending[0]
  last.current = current
  const used = current && inputsOf(current, { links, edges, resolution })
  const [usedLinks, usedResolution] = [used?.links, used?.resolution]

  useEffect(() => {
    if (!current || !usedLinks) return
    const task = { measure: current, links: usedLinks, resolution: usedResolution }
    setShare(0)
    const worker = new Worker(new URL('./measures.worker.ts', import.meta.url), { type: 'module' })
    return startTask<MeasureTask, Float64Array>(worker, task, {
      onShare: setShare,
      onValue: (values) => setComputed((before) => new Map(before).set(current, { ...task, values })),
      onFailure: (reason) => {
        setStopped((before) => [...before, current])
        notify({ color: 'red', message: text.measures.failed(text.measures.names[current], reason) })
      }
    })
  }, [current, usedLinks, usedResolution])

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

/** Returns the links of a network. Returns the same object while the links are equal, for example after positions are saved. */
function useLinks({ edges, degree, source, target, directed }: Network, weight: string | undefined): Links {
  const links = useMemo(
    () => linksOf({ edges, degree, source, target, directed }, weight),
    [edges, degree, source, target, directed, weight]
  )
  return useKept(links, areEqual)
}

/** Returns the links, or else those of the previous render if `isSame` accepts them. */
function useKept(links: Links, isSame: (some: Links, others: Links) => boolean): Links {
  const kept = useRef(links)
  return useMemo(() => {
    if (!isSame(kept.current, links)) kept.current = links
    return kept.current
  }, [links, isSame])
}
