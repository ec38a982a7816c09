import { at } from './network.ts'

/** Numbers groups by their size from 1, the largest first; of equal ones, the one with the first node. Takes and gives the group of each node. */
export function bySize(groups: ArrayLike<number>): Float64Array {
  const sizes = new Map<number, number>()
  for (let node = 0; node < groups.length; node++) sizes.set(at(groups, node), (sizes.get(at(groups, node)) ?? 0) + 1)
  // The order of a map is that of the first nodes, and the sort is stable.
  const ranked = [...sizes].sort(([, one], [, other]) => other - one)
  const ranks = new Map(ranked.map(([group], index) => [group, index + 1]))
  return Float64Array.from(groups, (group) => ranks.get(group) as number)
}
