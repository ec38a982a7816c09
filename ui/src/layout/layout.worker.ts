import { ForceLayout, type Forces } from '../../../picture/layout/force-layout.ts'
import { tidied } from '../../../picture/layout/tidy.ts'
import { placeNodes } from './place-nodes.ts'
import type { LayoutTask } from './task.ts'
import { tell, tellPlaces } from './worker-news.ts'

// Runs layouts in a worker, so that the page stays responsive. The force-directed layout runs in steps, and its result is tidied.

/**
 * The messages from the page. The first is a task. Later ones indicate that the page has drawn a step, that the layout should
 * finish or continue, or that the pins have changed.
 */
export type LayoutOrder = LayoutTask | 'next' | 'finish' | 'continue' | PinOrder

/** The pinned nodes, marked with 1, and the positions of all nodes. */
export interface PinOrder {
  pinned: Uint8Array
  positions: Float64Array
}

/** The time to work between checks for messages, in milliseconds. */
const INTERVAL = 80
/** The maximum time to spend tidying the result, in milliseconds. */
const TIDYING = 2500

/** Whether the page has drawn the last step and is waiting for the next. */
let isAwaited = true
let isToFinish = false
let layout: ForceLayout | undefined
/** Runs a task in steps until its layout is done, its time is over or the page wants it to finish. */
let run: ((isFirst: boolean) => void) | undefined

self.onmessage = ({ data }: MessageEvent<LayoutOrder>) => {
  if (data === 'next') isAwaited = true
  else if (data === 'finish') isToFinish = true
  else if (data === 'continue') run?.(true)
  else if (!('method' in data)) layout?.pin(data)
  else if (data.method.name === 'force') goInSteps(data, data.method)
  else if (data.method.name === 'given') tidy(data)
  else tellPlaces(data, () => placeNodes(data))
}

function goInSteps(task: LayoutTask, { spacing, ...forces }: Forces & { spacing: number }) {
  const made = new ForceLayout(task, forces)
  layout = made
  let end = 0
  const go = (isFirst: boolean) => {
    if (isFirst) {
      end = performance.now() + task.limit
      isToFinish = false
      made.extend()
    }
    const until = performance.now() + INTERVAL
    while (!made.isDone && performance.now() < until) made.step()
    const isDone = made.isDone || isToFinish || performance.now() > end
    if (isAwaited || isDone) {
      const { positions, pinned, progress, isSettled } = made
      const places = isDone ? tidied({ ...task, pinned, positions, spacing }, task.space, within(TIDYING)) : positions
      tell({ positions: places, isDone, progress, isUnsettled: !isSettled })
      isAwaited = false
    }
    if (!isDone) setTimeout(go, 0, false)
  }
  run = go
  go(true)
}

function tidy(task: LayoutTask) {
  const positions = tidied({ ...task, positions: task.positions.slice() }, task.space, within(TIDYING))
  tell({ positions, isDone: true })
}

/** Returns a function that reports whether this many milliseconds have passed. */
function within(milliseconds: number): () => boolean {
  const end = performance.now() + milliseconds
  return () => performance.now() > end
}
