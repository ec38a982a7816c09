import { extentOf, rangeAlong } from '../../../picture/layout/parts.ts'
import { LayoutRefused, type Measures, type Placed } from '../../../picture/layout/placed.ts'
import { at } from '../graph/network/network.ts'
import { withOthersBelow } from './others-below.ts'
import type { Projection } from './task.ts'

// Map projections of the sphere, following Snyder 1987, Map Projections: A Working Manual, USGS Professional Paper 1395,
// doi:10.3133/pp1395.

/** The latitude at which Mercator maps end, because they cannot show the poles. This latitude makes the map square. */
const NORTHMOST = 85.05112878

const RADIANS = Math.PI / 180

/**
 * Places the nodes by longitude and latitude in degrees, with north at the top and no map tiles. Nodes without valid
 * coordinates are placed below the others.
 */
export function map({
  radii,
  space,
  longitude,
  latitude,
  projection
}: Measures & {
  longitude: Float64Array
  latitude: Float64Array
  projection: Projection
}): Placed {
  const isOnEarth = (node: number) => Math.abs(at(longitude, node)) <= 180 && Math.abs(at(latitude, node)) <= 90
  const known = [...radii.keys()].filter(isOnEarth)
  if (known.length === 0) throw new LayoutRefused('noValues')
  const project =
    projection === 'mercator' ? mercator : equirectangular(middleOf(known.map((node) => at(latitude, node))))
  const places = Float64Array.from(known.flatMap((node) => project(at(longitude, node), at(latitude, node))))
  const { width, height } = extentOf(places)
  const scale = Math.min(space.width / width, space.height / height)
  const [[left], [bottom]] = [rangeAlong(places, 0), rangeAlong(places, 1)]
  const positions = new Float64Array(radii.length * 2).fill(Number.NaN)
  for (const [index, node] of known.entries()) {
    positions.set([(at(places, index * 2) - left) * scale, (at(places, index * 2 + 1) - bottom) * scale], node * 2)
  }
  return withOthersBelow(positions, radii, space)
}

/** Returns a projection that is true to scale along the meridians and the standard parallel (Snyder, page 91). */
export function equirectangular(parallel: number): (longitude: number, latitude: number) => [number, number] {
  // The scale would be 0 at the poles.
  const across = Math.max(Math.cos(parallel * RADIANS), 0.01)
  return (longitude, latitude) => [longitude * RADIANS * across, latitude * RADIANS]
}

/** Projects a point conformally (Snyder, equations 7-1 and 7-2). */
export function mercator(longitude: number, latitude: number): [number, number] {
  const within = Math.max(-NORTHMOST, Math.min(NORTHMOST, latitude))
  return [longitude * RADIANS, Math.log(Math.tan(Math.PI / 4 + (within * RADIANS) / 2))]
}

/** Returns the midpoint between the minimum and the maximum. */
function middleOf([first = 0, ...others]: number[]): number {
  let [least, most] = [first, first]
  for (const value of others) [least, most] = [Math.min(least, value), Math.max(most, value)]
  return (least + most) / 2
}
