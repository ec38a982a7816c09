import { useEffect, useMemo, useRef, useState } from 'react'
import type { Network } from '../graph/network/network.ts'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { areEqual, type Links, linksOf } from './links.ts'
import type { MeasureName, MeasureValues } from './names.ts'
import { startMeasure } from './start-measure.ts'

export interface Measures {
  values: MeasureValues
  /** The measure that is being computed, and the completed fraction. */
  running: { name: MeasureName; share: number } | undefined
  /** Whether the measure is being computed or queued. */
  isPending(name: MeasureName): boolean
  compute(name: MeasureName): void
  stop(name: MeasureName): void
}

/** Computes the measures requested by the view or the user, one at a time. Recomputes them when the edges change. */
export function useMeasures(network: Network, needed: MeasureName[]): Measures {
  const links = useLinks(network)
  const [asked, setAsked] = useState<MeasureName[]>([])
  const [stopped, setStopped] = useState<MeasureName[]>([])
  const [computed, setComputed] = useState<{ links: Links; values: MeasureValues }>({ links, values: none })
  const [share, setShare] = useState(0)
  const values = computed.links === links ? computed.values : none
  const pending = [...asked, ...needed].filter((name) => !values.has(name) && !stopped.includes(name))
  const last = useRef<MeasureName>(undefined)
  const current = pending.find((name) => name === last.current) ?? pending[0]
  last.current = current

  useEffect(() => {
    if (!current) return
    setShare(0)
    return startMeasure(
      { measure: current, links },
      {
        onShare: setShare,
        onValues: (found) =>
          setComputed((before) => ({
            links,
            values: new Map(before.links === links ? before.values : none).set(current, found)
          })),
        onFailure: () => {
          setStopped((before) => [...before, current])
          notify({ color: 'red', message: text.measures.failed(text.measures.names[current]) })
        }
      }
    )
  }, [links, current])

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

/** Returns the links of a network. Returns the same object while the links are equal, for example after positions are saved. */
function useLinks({ edges, degree, source, target, directed }: Network): Links {
  const kept = useRef<Links>(undefined)
  return useMemo(() => {
    const links = linksOf({ edges, degree, source, target, directed })
    if (!kept.current || !areEqual(kept.current, links)) kept.current = links
    return kept.current
  }, [edges, degree, source, target, directed])
}
