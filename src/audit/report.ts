import type { Comparison } from '../../audit/kept.ts'
import type { Verification } from '../../audit/verification.ts'
import { printable } from '../system/printable.ts'

/** Formats the result of a verification for terminals, one sentence per line. */
export function reportOf(result: Verification, name: string): string[] {
  return [
    ...verdict(result, name),
    `Looked at ${result.looked} of ${count(result.size, 'entry', 'entries')} of ${result.origin || 'no known log'}, root ${result.root || 'unknown'}.`,
    signature(result),
    ...result.kept.map(comparison),
    ...(result.kept.length === 0 ? ['Nothing was kept to compare with: --kept names it.'] : []),
    ...removals(result),
    pending(result)
  ].map(printable)
}

function verdict({ outcome, contradictions, firstIndex, isPinned, pruned }: Verification, name: string): string[] {
  if (outcome === 'consistent') return [`${name} is consistent with the pinned key and with everything that was kept.`]
  if (outcome === 'contradiction') {
    const first = firstIndex === undefined ? [] : [`The first index that is known to be wrong is ${firstIndex}.`]
    return [
      `${name} is not consistent:`,
      ...contradictions.map((each) => `  ${each.evidence}: ${each.message}`),
      ...first
    ]
  }
  if (isPinned && pruned.uncovered === undefined) {
    return [
      `${name} is sound in itself, but entries are gone, and only an export shows whether the log tells of them all.`
    ]
  }
  const lacking = isPinned ? 'nothing was kept' : 'no key was pinned'
  return [`${name} is sound in itself, but ${lacking}: its owner could have written all of it anew.`]
}

function signature({ key, isPinned, witnesses }: Verification): string {
  if (key === undefined) return 'No signature was verified.'
  const cosigned = witnesses.length > 0 ? ` Witnesses: ${witnesses.join(', ')}.` : ''
  if (isPinned) return `Signed by the pinned key ${key}.${cosigned}`
  return `Signed by the key ${key}, which only the log itself names: --key pins it.${cosigned}`
}

function comparison({ name, entries, signed }: Comparison): string {
  const note = signed === false ? '; no pinned key is of its origin, so its signature was not verified' : ''
  return `Compared with ${name}: ${count(entries, 'entry', 'entries')}${note}.`
}

function removals({ shown, erased, pruned }: Verification): string[] {
  const lines: string[] = []
  if (shown === undefined) {
    lines.push('No texts of events are here, only entries: an export shows what was erased.')
  } else {
    lines.push(`Compared the texts of ${count(shown, 'event', 'events')} with their entries.`)
  }
  if (erased) {
    const { parts, events, uncovered } = erased
    const told = uncovered > 0 ? `the log does not tell of ${uncovered}` : 'the log tells of all'
    lines.push(
      parts === 0
        ? 'Nothing is erased.'
        : `Erased: ${count(parts, 'part', 'parts')} of ${count(events, 'event', 'events')}; ${told}.`
    )
  }
  const { entries, uncovered } = pruned
  const told =
    uncovered === undefined
      ? 'an event AUDIT_PRUNED is there, and an export shows of how many it tells'
      : uncovered > 0
        ? `the log does not tell of the last ${uncovered} of them`
        : 'the log tells of that'
  lines.push(entries === 0 ? 'Nothing is pruned.' : `Pruned: the first ${count(entries, 'entry', 'entries')}; ${told}.`)
  return lines
}

function pending({ pending }: Verification): string {
  if (pending === undefined) return 'The number of events that are not in the tree yet is not known here.'
  if (pending === 0) return 'Every event is in the tree.'
  return `Not in the tree yet: ${count(pending, 'event', 'events')}, of which nothing is proved.`
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`
}
