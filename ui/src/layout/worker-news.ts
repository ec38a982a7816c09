import { LayoutRefused, type Placed, type Refusal } from '../../../picture/layout/placed.ts'
import { aroundPins } from './around-pins.ts'
import type { LayoutStep, LayoutTask } from './task.ts'

/** The messages from a layout worker. */
export type LayoutNews = LayoutStep | { refusal: Refusal }

export function tell(step: LayoutStep) {
  self.postMessage(step satisfies LayoutNews, { transfer: [step.positions.buffer] })
}

/** Reports the positions from a layout without steps, arranged around the pinned nodes, or why the layout is impossible. */
export function tellPlaces(task: LayoutTask, placed: () => Placed) {
  try {
    const { positions, remark } = placed()
    tell({ positions: aroundPins(task.positions, positions, task.pinned), remark, isDone: true })
  } catch (error) {
    if (!(error instanceof LayoutRefused)) throw error
    self.postMessage({ refusal: error.refusal } satisfies LayoutNews)
  }
}
