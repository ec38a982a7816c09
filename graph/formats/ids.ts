import type { LossCode, Losses } from './losses.ts'

/** In formats whose ids are integers: says, as an attribute of the graph, that the ids it had stand elsewhere. */
export const ORIGINAL_IDS = 'graphsteadIds'

/** Whether all ids are integers as such formats write them, up to 2^31-1. */
export function areIntegers(ids: (string | undefined)[]) {
  return ids.every((id) => id !== undefined && /^(?:0|[1-9]\d{0,9})$/.test(id) && Number(id) <= 0x7fffffff)
}

/** Ids, or names, without what does not fit, which is told; they differ from one another where the others do. */
export function fittingIds(
  ids: Iterable<string | undefined>,
  unfit: RegExp,
  replacement: string,
  losses: Losses,
  code: LossCode = 'id-replaced'
): (id: string) => string {
  const replaced = new Map<string, string>()
  const kept = new Set(ids)
  const numbers = new Map<string, number>()
  for (const id of kept) {
    if (id === undefined || id.search(unfit) < 0) continue
    const fitting = id.replace(unfit, replacement)
    let candidate = fitting
    // Many may become the same text: each goes on where the one before it ended.
    let number = numbers.get(fitting) ?? 0
    while (kept.has(candidate)) candidate = `${fitting}_${++number === 1 ? '' : number}`
    numbers.set(fitting, number)
    kept.add(candidate)
    replaced.set(id, candidate)
    losses.add(code)
  }
  return (id) => replaced.get(id) ?? id
}
