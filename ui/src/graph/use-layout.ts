import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Drawing } from './drawing.ts'
import { type Layout, startLayout } from './layout.ts'
import { discPositions, type Network, type Positions, storedPositions } from './network.ts'

/** The positions of the nodes: stored, laid out, or moved by hand. A network without positions is laid out at once. */
export function useLayout(network: Network) {
  const drawing = useRef<Drawing>(null)
  const running = useRef<Layout>(null)
  const [isRunning, setIsRunning] = useState(false)
  const [isMoved, setIsMoved] = useState(false)
  const stored = useMemo(() => storedPositions(network), [network])
  const positions = useMemo(() => stored ?? discPositions(network.nodes.length), [stored, network])
  const last = useRef(positions)

  const current = useCallback((): Positions => drawing.current?.positions ?? last.current, [])
  const stop = useCallback(() => {
    running.current?.stop()
    running.current = null
    setIsRunning(false)
  }, [])
  const start = useCallback(() => {
    stop()
    setIsRunning(true)
    setIsMoved(true)
    running.current = startLayout(network, current(), ({ positions, isDone }) => {
      last.current = positions
      drawing.current?.move(positions)
      if (isDone) stop()
    })
  }, [network, current, stop])

  useEffect(() => {
    last.current = positions
    setIsMoved(false)
    if (!stored && network.nodes.length > 1) start()
    return stop
  }, [stored, positions, network, start, stop])

  return {
    drawing,
    /** The initial positions. */
    positions,
    isRunning,
    /** Whether the positions differ from the stored ones. */
    isMoved,
    start,
    stop,
    current,
    moved: () => setIsMoved(true),
    saved: () => setIsMoved(false)
  }
}

export type LayoutState = ReturnType<typeof useLayout>
