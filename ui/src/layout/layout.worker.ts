import { ForceAtlas, type Forces } from '../../../picture/layout/force-atlas.ts'
import { extentOf } from '../../../picture/layout/parts.ts'
import { tidied } from '../../../picture/layout/tidy.ts'
import { placeNodes } from './place-nodes.ts'
import type { LayoutTask } from './task.ts'
import { tell, tellPlaces } from './worker-news.ts'

// Runs layouts in a worker, so that the page stays responsive. ForceAtlas2 runs in steps, and its result is tidied.

/**
 * The messages from the page. The first is a task. Later ones indicate that the page has drawn a step, that the layout should
 * finish, or that the pins have changed.
 */
export type LayoutOrder = LayoutTask | 'next' | 'finish' | PinOrder

/** The pinned nodes, marked with 1, and the positions of all nodes. */
export interface PinOrder {
  pinned: Uint8Array
  positions: Float64Array
}

/** The time to work between checks for messages, in milliseconds. */
const INTERVAL = 80
/** The maximum time to spend tidying the result, in milliseconds. */
const TIDYING = 2500
/** The average movement of nodes per iteration below which the layout is stable, as a fraction of half the extent. */
const STILL = 0.0002

/** Whether the page has drawn the last step and is waiting for the next. */
let isAwaited = true
let isToFinish = false
let atlas: ForceAtlas | undefined

self.onmessage = ({ data }: MessageEvent<LayoutOrder>) => {
  if (data === 'next') isAwaited = true
  else if (data === 'finish') isToFinish = true
  else if (!('method' in data)) atlas?.pin(data)
  else if (data.method.name === 'force') goInSteps(data, data.method)
  else tellPlaces(data, () => placeNodes(data))
}

function goInSteps(task: LayoutTask, forces: Forces) {
  const made = new ForceAtlas(task, forces)
  atlas = made
  const started = performance.now()
  let last = made.positions

  function run() {
    const begun = performance.now()
    let iterations = 0
    do {
      made.step()
      iterations++
    } while (performance.now() - begun < INTERVAL)
    let { positions } = made
    const isStable = movementOf(last, positions) / iterations < STILL
    const isDone = isToFinish || isStable || performance.now() - started > task.limit
    last = positions.slice()
    if (isDone) positions = tidied({ ...task, pinned: made.pinned, positions }, task.space, within(TIDYING))
    if (isAwaited || isDone) tell({ positions, isDone })
    isAwaited = false
    if (!isDone) setTimeout(run)
  }
  run()
}

/** Returns a function that reports whether this many milliseconds have passed. */
function within(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() > end
}

/** Returns the average movement of the nodes, as a fraction of half the extent. */
function movementOf(before: Float64Array, after: Float64Array) {
  const moved = after.reduce((sum, place, index) => sum + Math.abs(place - (before[index] as number)), 0)
  const { width, height } = extentOf(after)
  return moved / after.length / (Math.max(width, height) / 2)
}
