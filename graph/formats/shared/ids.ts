import type { LossCode, Losses } from './losses.ts'

/** A graph attribute for formats with integer ids. It indicates that the original ids are in element attributes. */
export const ORIGINAL_IDS = 'graphsteadIds'

/** Returns whether all ids are integers in canonical form, up to 2^31-1. */
export function areIntegers(ids: (string | undefined)[]) {
  return ids.every((id) => id !== undefined && /^(?:0|[1-9]\d{0,9})$/.test(id) && Number(id) <= 0x7fffffff)
}

/** Maps ids or names to ones that the format allows. Counts the changes. Distinct ids remain distinct. */
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
    // Several ids may map to the same text, so numbering resumes where it stopped instead of restarting at 1.
    let number = numbers.get(fitting) ?? 0
    while (kept.has(candidate)) candidate = `${fitting}_${++number === 1 ? '' : number}`
    numbers.set(fitting, number)
    kept.add(candidate)
    replaced.set(id, candidate)
    losses.add(code)
  }
  return (id) => replaced.get(id) ?? id
}
