import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Drawing } from '../graph/drawing.ts'
import { type Network, type Positions, storedPositions } from '../graph/network.ts'
import { type Camera, nextStage, stageOf } from '../graph/stage.ts'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { type Layout, startLayout, usualMeasures } from './start-layout.ts'

/**
 * The positions of the nodes: stored, laid out, or moved by hand. A network without positions is laid out at once, and one that
 * grows again with the nodes that are new, and then shown whole. `camera` is the part that the drawing shows at first.
 */
export function useLayout(network: Network, camera?: Camera, isGrowing = false) {
  const drawing = useRef<Drawing>(null)
  const running = useRef<Layout>(null)
  const [isMoved, setIsMoved] = useState(false)
  const [stage, setStage] = useState(() => stageOf(network, camera))
  const isUnplaced = useMemo(() => isGrowing && storedPositions(network) === undefined, [isGrowing, network])
  const isToLayOut = network.nodes.length > 1 && (!stage.isStored || isUnplaced)
  const [isRunning, setIsRunning] = useState(isToLayOut)
  if (stage.network !== network) {
    const next = nextStage(stage, network, isMoved)
    setStage(isGrowing ? { ...next.stage, camera: undefined } : next.stage)
    setIsMoved(next.isMoved)
  }
  const { positions } = stage

  const stop = useCallback(() => {
    running.current?.stop()
    running.current = null
    setIsRunning(false)
  }, [])
  const start = () => {
    stop()
    setIsRunning(true)
    running.current = startLayout(
      network,
      positions,
      drawing.current?.measures ?? usualMeasures(network),
      (step) => {
        positions.set(step.positions)
        setIsMoved(true)
        drawing.current?.move()
        if (step.isDone) stop()
      },
      () => {
        stop()
        notify({ color: 'red', message: text.layout.failed })
      }
    )
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a save changes the network, and keeps the positions
  useEffect(() => {
    if (isToLayOut) start()
    return stop
  }, [positions])

  return {
    drawing,
    stage,
    isRunning,
    /** Whether the positions differ from the stored ones. */
    isMoved,
    start,
    stop,
    /** Returns a copy of the positions, to save them. */
    send: (): Positions => {
      stage.sent = positions.slice()
      return stage.sent
    },
    moved: () => setIsMoved(true),
    /** Shows this part of the drawing; all of it without one. */
    look: (camera: Camera | undefined) => {
      stage.camera = camera
      drawing.current?.look(camera)
    }
  }
}

export type LayoutState = ReturnType<typeof useLayout>
