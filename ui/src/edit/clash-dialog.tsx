import { Text } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { ClashTable } from './clash-table.tsx'
import { areDecided, type Conflict, type Decisions } from './differences.ts'

/** Shows the elements that someone else has also changed, and lets the user choose which values of each to keep. */
export function ClashDialog({
  conflicts,
  authors,
  onDecide
}: {
  conflicts: Conflict[]
  /** The people who saved the other versions. */
  authors: string[]
  /** Called without decisions if the dialog is closed. */
  onDecide: (decisions: Decisions | undefined) => void
}) {
  const [decisions, setDecisions] = useState<Decisions>(new Map())
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
      {conflicts.map((conflict) => (
        <ClashTable
          key={conflict.key}
          conflict={conflict}
          theirName={text.edit.theirs(authors)}
          chosen={decisions.get(conflict.key)}
          onChoose={(chosen) => setDecisions(new Map(decisions).set(conflict.key, chosen))}
        />
      ))}
    </FormDialog>
  )
}
