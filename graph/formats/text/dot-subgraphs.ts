/** The members of a subgraph, in order: nodes, and other subgraphs with the length they had when they were added. */
export class Members {
  readonly #items: (string | { members: Members; count: number })[] = []
  #flat: { nodes: readonly string[]; count: number } | undefined

  add(node: string) {
    this.#items.push(node)
  }

  addAll(members: Members) {
    this.#items.push({ members, count: members.#items.length })
  }

  /** Returns each node once, and the number of steps needed to list them. */
  list(): { nodes: readonly string[]; effort: number } {
    const count = this.#items.length
    if (this.#flat?.count === count) return { nodes: this.#flat.nodes, effort: 0 }
    const nodes = new Set<string>()
    // How far each subgraph has been visited. Members before that position are already listed.
    const seen = new Map<Members, number>([[this, count]])
    const open = [{ members: this as Members, at: 0, end: count }]
    let effort = 0
    for (let top = open.at(-1); top; top = open.at(-1)) {
      if (top.at >= top.end) {
        open.pop()
        continue
      }
      effort++
      const item = top.members.#items[top.at++] as string | { members: Members; count: number }
      if (typeof item === 'string') {
        nodes.add(item)
        continue
      }
      const before = seen.get(item.members) ?? 0
      if (before >= item.count) continue
      seen.set(item.members, item.count)
      open.push({ members: item.members, at: before, end: item.count })
    }
    this.#flat = { nodes: [...nodes], count }
    return { nodes: this.#flat.nodes, effort }
  }
}
