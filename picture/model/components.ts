import { at } from './network.ts'

/** Returns the nodes of each connected component, largest first. Directions are ignored. */
export function componentsOf(count: number, source: Uint32Array, target: Uint32Array): number[][] {
  const roots = Uint32Array.from({ length: count }, (_, node) => node)
  const rootOf = (node: number) => {
    let root = node
    while (at(roots, root) !== root) {
      // Halve the path to speed up later lookups.
      roots[root] = at(roots, at(roots, root))
      root = at(roots, root)
    }
    return root
  }
  source.forEach((from, edge) => {
    roots[rootOf(from)] = rootOf(at(target, edge))
  })
  const members = new Map<number, number[]>()
  for (let node = 0; node < count; node++) {
    const root = rootOf(node)
    const component = members.get(root)
    if (component) component.push(node)
    else members.set(root, [node])
  }
  return [...members.values()].sort((one, other) => other.length - one.length)
}
