import type { Comparison } from '../../audit/kept.ts'
import type { Verification } from '../../audit/verification.ts'
import { printable } from '../system/printable.ts'

/** Formats the result of a verification for the terminal, one sentence per line. */
export function reportOf(result: Verification, name: string): string[] {
  return [
    ...verdict(result, name),
    `Checked ${result.looked} of ${count(result.size, 'entry', 'entries')} of ${result.origin || 'an unknown log'}, root ${result.root || 'unknown'}.`,
    signature(result),
    ...result.kept.map(comparison),
    ...(result.kept.length === 0 ? ['Not compared with an earlier copy: specify one with --kept.'] : []),
    ...removals(result),
    pending(result)
  ].map(printable)
}

function verdict({ outcome, contradictions, firstIndex, isPinned, pruned }: Verification, name: string): string[] {
  if (outcome === 'consistent') return [`${name} is consistent with the pinned key and with all earlier copies.`]
  if (outcome === 'contradiction') {
    const first = firstIndex === undefined ? [] : [`The first index known to be wrong is ${firstIndex}.`]
    return [
      `${name} is not consistent:`,
      ...contradictions.map((each) => `  ${each.evidence}: ${each.message}`),
      ...first
    ]
  }
  if (isPinned && pruned.uncovered === undefined) {
    return [
      `${name} is internally consistent, but entries are missing, and only an export shows whether the log accounts for all of them.`
    ]
  }
  const lacking = isPinned ? 'it was not compared with an earlier copy' : 'no key was pinned'
  return [`${name} is internally consistent, but ${lacking}: its owner could have rewritten all of it.`]
}

function signature({ key, isPinned, witnesses }: Verification): string {
  if (key === undefined) return 'No signature was verified.'
  const cosigned = witnesses.length > 0 ? ` Witnesses: ${witnesses.join(', ')}.` : ''
  if (isPinned) return `Signed by the pinned key ${key}.${cosigned}`
  return `Signed by the key ${key}, which only the log itself vouches for: pin it with --key.${cosigned}`
}

function comparison({ name, entries, signed }: Comparison): string {
  const note = signed === false ? '; no pinned key has its origin, so its signature was not verified' : ''
  return `Compared with ${name}: ${count(entries, 'entry', 'entries')}${note}.`
}

function removals({ shown, erased, pruned }: Verification): string[] {
  const lines: string[] = []
  if (shown === undefined) {
    lines.push('The log shows entries but not the text of events: an export shows what was erased.')
  } else {
    lines.push(`Compared ${count(shown, 'event', 'events')} with their entries.`)
  }
  if (erased) {
    const { parts, events, uncovered } = erased
    const told = uncovered > 0 ? `the log does not account for ${uncovered}` : 'the log accounts for all'
    lines.push(
      parts === 0
        ? 'Nothing was erased.'
        : `Erased: ${count(parts, 'part', 'parts')} of ${count(events, 'event', 'events')}; ${told}.`
    )
  }
  const { entries, uncovered } = pruned
  const told =
    uncovered === undefined
      ? 'the log has an AUDIT_PRUNED event, and an export shows how many entries it accounts for'
      : uncovered > 0
        ? `the log does not account for the last ${uncovered}`
        : 'the log accounts for them'
  lines.push(
    entries === 0 ? 'Nothing was pruned.' : `Pruned: the first ${count(entries, 'entry', 'entries')}; ${told}.`
  )
  return lines
}

function pending({ pending }: Verification): string {
  if (pending === undefined) return 'The number of events that are not in the tree yet is unknown.'
  if (pending === 0) return 'All events are in the tree.'
  return `Not in the tree yet, and therefore not proved: ${count(pending, 'event', 'events')}.`
}

function count(number: number, one: string, several: string): string {
  return `${number} ${number === 1 ? one : several}`
}
