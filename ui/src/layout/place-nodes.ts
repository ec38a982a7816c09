import { circular } from '../../../picture/layout/circular.ts'
import { grid } from '../../../picture/layout/grid.ts'
import type { Placed } from '../../../picture/layout/placed.ts'
import { radial } from '../../../picture/layout/radial.ts'
import { coordinates } from './coordinates.ts'
import { map } from './map.ts'
import type { LayoutTask } from './task.ts'

/** Runs a non-iterative layout. Positions are in pixels. */
export function placeNodes(task: LayoutTask): Placed {
  const { method } = task
  switch (method.name) {
    case 'circular':
      return circular({ ...task, ...method })
    case 'grid':
      return grid({ ...task, ...method })
    case 'radial':
      return radial({ ...task, ...method })
    case 'coordinates':
      return coordinates({ ...task, ...method })
    case 'map':
      return map({ ...task, ...method })
    default:
      throw new Error(`${method.name} runs in its own worker or in steps`)
  }
}
