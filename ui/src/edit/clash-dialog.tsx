import { List, Text } from '@mantine/core'
import { useState } from 'react'
import type { GraphVersion } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { TimeAgo } from '../shared/time-ago.tsx'
import { formatNumber, text } from '../text/index.ts'
import { ClashTable } from './clash-table.tsx'
import { areDecided, type Conflict, type Decisions, keptEdges } from './differences.ts'

/** The maximum number of saves to list. */
const LISTED = 5

/** Shows the elements that someone else has also changed, and lets the user choose which values of each to keep. */
export function ClashDialog({
  conflicts,
  saves,
  onDecide
}: {
  conflicts: Conflict[]
  /** The versions that others have saved, newest first. */
  saves: GraphVersion[]
  /** Called without decisions if the dialog is closed. */
  onDecide: (decisions: Decisions | undefined) => void
}) {
  const [decisions, setDecisions] = useState<Decisions>(new Map())
  const authors = [...new Set(saves.map(({ principal }) => principal))].filter(Boolean)
  return (
    <FormDialog
      title={text.conflict.title}
      submit={text.edit.merge}
      isDisabled={!areDecided(conflicts, decisions)}
      size="lg"
      onSubmit={() => onDecide(decisions)}
      onClose={() => onDecide(undefined)}
    >
      <Text size="sm">{text.edit.chooseSides}</Text>
      <Saves saves={saves} />
      {conflicts.map((conflict) => (
        <ClashTable
          key={conflict.key}
          conflict={conflict}
          theirName={text.edit.theirs(authors)}
          edges={keptEdges(conflict, conflicts, decisions)}
          chosen={decisions.get(conflict.key)}
          onChoose={(chosen) => setDecisions(new Map(decisions).set(conflict.key, chosen))}
        />
      ))}
    </FormDialog>
  )
}

/** Lists who has saved other versions, when, and with which message. */
function Saves({ saves }: { saves: GraphVersion[] }) {
  if (saves.length === 0) return null
  return (
    <List size="sm" className="breakable">
      {saves.slice(0, LISTED).map(({ version, principal, timestamp, message }) => (
        <List.Item key={version}>
          {text.edit.savedBy(principal, version)} <TimeAgo time={timestamp} />
          {message && `: “${message}”`}
        </List.Item>
      ))}
      {saves.length > LISTED && <List.Item>{text.details.more(formatNumber(saves.length - LISTED))}</List.Item>}
    </List>
  )
}
