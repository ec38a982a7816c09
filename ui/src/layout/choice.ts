import { type Forces, usualForces } from '../../../picture/layout/force-layout.ts'
import type { Direction } from '../../../picture/layout/layered.ts'
import type { Attribute } from '../graph/network/attributes.ts'
import type { Method, Projection } from './task.ts'

export const layoutNames = ['force', 'circular', 'radial', 'grid', 'layered', 'coordinates', 'map'] as const

export type LayoutName = (typeof layoutNames)[number]

/** The layout chosen by the user, with its options. Attributes are identified by key. */
export interface LayoutChoice {
  name: LayoutName
  /** Whether the forces move the nodes on from where they are. */
  keepsPositions: boolean
  forces: Forces
  /** The distance between nodes relative to the default. If 0, nodes may overlap. */
  spacing: number
  order: string | undefined
  isDescending: boolean
  direction: Direction
  x: string | undefined
  y: string | undefined
  longitude: string | undefined
  latitude: string | undefined
  projection: Projection
}

/** Returns the initial choice, which preselects attributes whose names suggest longitude and latitude. */
export function firstChoice(attributes: Attribute[]): LayoutChoice {
  const numbers = attributes.filter(({ isNumber }) => isNumber)
  const named = (name: RegExp) => numbers.find(({ title }) => name.test(title))?.key
  return {
    name: 'force',
    keepsPositions: false,
    forces: usualForces,
    spacing: 1,
    order: 'degree',
    isDescending: false,
    direction: 'down',
    x: numbers[0]?.key,
    y: (numbers[1] ?? numbers[0])?.key,
    longitude: named(/^(lon|lng|longitude)$/i),
    latitude: named(/^(lat|latitude)$/i),
    projection: 'equirectangular'
  }
}

/** Returns the layout with the values it needs, or undefined if an attribute is missing. `root` is the selected node. */
export function methodOf(
  choice: LayoutChoice,
  attributes: Attribute[],
  count: number,
  root?: number | undefined
): Method | undefined {
  const numbersOf = (key: string | undefined) => {
    const attribute = attributes.find((other) => other.key === key && other.isNumber)
    return attribute && Float64Array.from({ length: count }, (_, node) => Number(attribute.read(node) ?? Number.NaN))
  }
  switch (choice.name) {
    case 'force':
      return { name: 'force', keepsPositions: choice.keepsPositions, spacing: choice.spacing, ...choice.forces }
    case 'circular':
    case 'grid': {
      const order = attributes.find(({ key }) => key === choice.order)
      const values = Array.from({ length: count }, (_, node) => order?.read(node))
      return { name: choice.name, values, isDescending: choice.isDescending }
    }
    case 'radial':
      return { name: 'radial', root }
    case 'layered':
      return { name: 'layered', direction: choice.direction }
    case 'coordinates': {
      const [x, y] = [numbersOf(choice.x), numbersOf(choice.y)]
      return x && y && { name: 'coordinates', x, y }
    }
    case 'map': {
      const [longitude, latitude] = [numbersOf(choice.longitude), numbersOf(choice.latitude)]
      return longitude && latitude && { name: 'map', longitude, latitude, projection: choice.projection }
    }
  }
}
