import { notifications } from '@mantine/notifications'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { usualForces } from '../../../picture/layout/force-layout.ts'
import type { GraphContent } from '../api.ts'
import type { Drawing } from '../graph/drawing/drawing.ts'
import { editedStage } from '../graph/drawing/edited-stage.ts'
import { type Camera, nextStage, savedStage, stageOf, withDrawnPlaces } from '../graph/drawing/stage.ts'
import {
  hasOwnPositions,
  isLarge,
  isPlaced,
  type Network,
  type Positions,
  storedPositions
} from '../graph/network/network.ts'
import { hasSamePlaces } from '../graph/network/next-network.ts'
import { HIDDEN_NODES, notify } from '../shared/notify.ts'
import { formatNumber, text } from '../text/index.ts'
import { type EarlierPlaces, withStep } from './earlier-places.ts'
import { glide } from './glide.ts'
import { type LoadLayout, positionsFrom } from './server-layout.ts'
import { type Layout, startLayout, usualMeasures } from './start-layout.ts'
import type { LayoutStep, Method } from './task.ts'
import { noPins } from './use-pins.ts'

const usual = { name: 'force', keepsPositions: false, spacing: 1, ...usualForces } satisfies Method

/** A running layout. `steps` is set while the layout runs in steps. */
interface Running {
  stop(): void
  steps?: Layout | undefined
}

interface Options {
  camera?: Camera | undefined
  isGrowing?: boolean
  isEdited?: boolean
  pinned?: ReadonlySet<number>
  load?: LoadLayout | undefined
}

/**
 * Manages the positions of nodes, which may be stored, laid out, or moved by hand. Lays out networks without positions
 * automatically. Lays out a growing network again and shows all of it. Keeps the nodes and the visible part of an edited network in
 * place. `camera` is the initially visible part, and `pinned` contains the pinned nodes. If `load` is given, it loads the layout of
 * a network without positions; if that fails, the network is laid out here.
 */
export function useLayout(
  network: Network,
  { camera, isGrowing = false, isEdited = false, pinned = noPins, load }: Options = {}
) {
  const drawing = useRef<Drawing>(null)
  const running = useRef<Running>(null)
  const [isMoved, setIsMoved] = useState(false)
  const [stage, setStage] = useState(() => stageOf(network, camera))
  /** The positions before layouts and drags, the last one at the end. */
  const [earlier, setEarlier] = useState<readonly EarlierPlaces[]>([])
  /** The positions before the last layout or drag in each state of an edit. They return with an undo. */
  const placesBefore = useRef(new WeakMap<Network['nodes'], Positions>())
  const [progress, setProgress] = useState(0)
  /** A layout that has ended before it settled. */
  const [unsettled, setUnsettled] = useState<Layout>()
  const isUnplaced = useMemo(() => isGrowing && storedPositions(network) === undefined, [isGrowing, network])
  // Nodes that are added later get positions near their neighbours.
  const [isPartial, setIsPartial] = useState(() => load !== undefined && stage.isStored && !hasOwnPositions(network))
  const isToLayOut = network.nodes.length > 1 && (!stage.isStored || isUnplaced || isPartial)
  const [isRunning, setIsRunning] = useState(isToLayOut)
  const [wasEdited, setWasEdited] = useState(isEdited)
  if (stage.network !== network) {
    // After a save, the next stage can determine whether nodes have moved since.
    const isKept = (!isMoved || stage.sent === undefined) && hasSamePlaces(stage.network, network)
    // The end of an edit, which may discard it, also keeps the nodes in place.
    const isStill = (isEdited || wasEdited) && (!isRunning || hasOwnPositions(network))
    const frame = isEdited ? drawing.current?.frame : undefined
    const edited = () =>
      savedStage({ ...stage, frame }, network) ??
      editedStage(stage, network, frame, placesBefore.current.get(network.nodes))
    const kept = { ...stage, network, frame: stage.frame && frame }
    const next = isKept
      ? { stage: kept, isMoved }
      : ((isStill ? edited() : undefined) ?? nextStage(stage, network, isMoved))
    setStage(isGrowing ? { ...next.stage, camera: undefined } : next.stage)
    setIsMoved(next.isMoved)
  }
  if (wasEdited !== isEdited) setWasEdited(isEdited)
  const { positions } = stage

  const marked = (nodes: ReadonlySet<number>) => Uint8Array.from(network.nodes, (_, node) => Number(nodes.has(node)))
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the set of pins changes
  useEffect(() => running.current?.steps?.pin({ pinned: marked(pinned), positions }), [pinned])

  const end = useCallback(() => {
    running.current?.stop()
    running.current = null
    setIsRunning(false)
  }, [])
  const show = (places: Positions) => {
    positions.set(places)
    drawing.current?.move()
  }
  const remember = (places: Positions) => {
    placesBefore.current.set(network.nodes, places)
    // Ctrl+Z now undoes this, and no longer the hiding of nodes.
    notifications.hide(HIDDEN_NODES)
    const step = { positions, places, isMoved, sent: stage.sent }
    setEarlier((steps) => withStep(steps, step))
  }
  const onStep = (layout: Layout, { positions: places, isDone, remark, progress = 0, isUnsettled }: LayoutStep) => {
    setIsMoved(true)
    setProgress(Math.round(progress * 20) / 20)
    if (!isDone) return show(places)
    // A layout that has not settled keeps its worker.
    running.current = null
    setUnsettled(isUnsettled ? layout : undefined)
    const isJump = isLarge(network) || matchMedia('(prefers-reduced-motion: reduce)').matches
    running.current = { stop: glide(positions, places, isJump, show, end) }
    if (remark) notify({ message: text.layout.remarks[remark.kind](formatNumber(remark.count)) })
  }
  const start = (method: Method = usual, from = positions, fixed = marked(pinned), onFirstStep?: () => void) => {
    end()
    setIsRunning(true)
    setUnsettled(undefined)
    setProgress(0)
    const fail = (message: string) => {
      end()
      notify({ color: 'red', message })
    }
    let isFirst = true
    const layout: Layout = startLayout(
      { network, positions: from, method, pinned: fixed },
      drawing.current?.measures ?? usualMeasures(network),
      {
        onStep: (step) => {
          if (isFirst) onFirstStep?.()
          isFirst = false
          onStep(layout, step)
        },
        onRefusal: (refusal) => fail(text.layout.refusals[refusal]),
        onFailure: () => fail(text.layout.failed)
      }
    )
    running.current = { stop: layout.stop, steps: method.name === 'force' ? layout : undefined }
  }

  const first: Method = { ...usual, keepsPositions: stage.isStored }
  /** Shows the layout that `load` loads, without overlapping nodes. */
  const startLoading = (load: LoadLayout) => {
    const loading = new AbortController()
    running.current = { stop: () => loading.abort() }
    setProgress(0)
    load(loading.signal).then(
      (places) => {
        if (loading.signal.aborted) return
        const loaded = positionsFrom(network, places)
        if (!loaded) return start(first)
        const own = Uint8Array.from(network.nodes, (node) => Number(stage.isStored && isPlaced(node)))
        start({ name: 'given' }, loaded, own)
      },
      () => {
        if (!loading.signal.aborted) start(first)
      }
    )
  }

  // Ends the worker of an unsettled layout that will not continue.
  useEffect(() => () => void (running.current?.steps !== unsettled && unsettled?.stop()), [unsettled])

  // biome-ignore lint/correctness/useExhaustiveDependencies: saving changes the network but not the positions
  useEffect(() => {
    if (isToLayOut && load) startLoading(load)
    else if (isToLayOut) start(first)
    setIsPartial(false)
    return end
  }, [positions])

  const last = earlier.at(-1)
  const isUndoable = last?.positions === positions
  return {
    drawing,
    stage,
    isRunning,
    /** Whether the positions differ from the stored ones. */
    isMoved,
    /** The last layout or drag by the user, unless it is undone, still running or stored. */
    arrangement: isMoved && isUndoable && !isRunning ? last : undefined,
    start: (method?: Method) => {
      const places = positions.slice()
      // A layout that is refused leaves nothing to undo.
      start(method, positions, marked(pinned), () => remember(places))
    },
    /** Ends the layout. A stepwise layout is tidied first, unless `stop` is called again. */
    stop: () => {
      const { steps } = running.current ?? {}
      if (!steps) return end()
      running.current = { stop: steps.stop }
      steps.finish()
    },
    /** The completed fraction of the layout that is running, as an estimate. */
    progress,
    /** Continues the last layout, which ended before it settled. Undefined if it settled or nodes have been moved since. */
    resume:
      unsettled &&
      (() => {
        setUnsettled(undefined)
        setIsRunning(true)
        running.current = { stop: unsettled.stop, steps: unsettled }
        unsettled.resume()
      }),
    /** Restores the positions from before the last layout or drag. Undefined if there is nothing to undo. */
    undo:
      last && isUndoable
        ? () => {
            show(last.places)
            setIsMoved(last.isMoved || last.sent !== stage.sent)
            setEarlier(earlier.slice(0, -1))
            setUnsettled(undefined)
          }
        : undefined,
    /** Restores the stored positions. Undefined while all nodes are at their stored positions, or if none are stored. */
    restore:
      isMoved && hasOwnPositions(network)
        ? () => {
            remember(positions.slice())
            show(storedPositions(network) ?? positions)
            setIsMoved(false)
            setUnsettled(undefined)
          }
        : undefined,
    /** Returns a copy of the positions to save. */
    send: (): Positions => {
      stage.sent = positions.slice()
      return stage.sent
    },
    /** Returns the content with the places of all nodes, unless they are still being laid out. */
    withPlaces: (content: GraphContent) =>
      !isRunning && (isMoved || stage.isStored) ? withDrawnPlaces(content, stage) : content,
    /** Must be called after the user has moved nodes, with the positions before. */
    moved: (before: Positions) => {
      if (!isRunning) remember(before)
      setIsMoved(true)
      setUnsettled(undefined)
    },
    /** Shows the part of the drawing that the camera describes, or the whole drawing. */
    moveTo: (camera: Camera | undefined) => {
      stage.camera = camera
      drawing.current?.moveTo(camera)
    }
  }
}

export type LayoutState = ReturnType<typeof useLayout>
