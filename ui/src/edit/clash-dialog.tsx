import { Code, Text } from '@mantine/core'
import { useState } from 'react'
import { FormDialog } from '../shared/dialog.tsx'
import type { Side } from '../shared/side.ts'
import { SideChoice } from '../shared/side-choice.tsx'
import { text } from '../text/index.ts'
import type { Conflict } from './merge.ts'

/** Shows the elements that someone else has also changed, and lets the user choose which version of each to keep. */
export function ClashDialog({
  conflicts,
  onDecide
}: {
  conflicts: Conflict[]
  /** Called without decisions if the dialog is closed. */
  onDecide: (chosen: ReadonlyMap<string, Side> | undefined) => void
}) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map())
  return (
    <FormDialog
      title={text.conflict.title}
      submit={text.edit.merge}
      isDisabled={chosen.size < conflicts.length}
      size="lg"
      onSubmit={() => onDecide(chosen)}
      onClose={() => onDecide(undefined)}
    >
      <Text size="sm">{text.edit.chooseSides}</Text>
      {conflicts.map((conflict) => (
        <SideChoice
          key={conflict.key}
          name={conflict.key}
          label={nameOf(conflict)}
          choice={chosen.get(conflict.key) ?? null}
          labelOf={(side) => text.edit.sides[side]}
          descriptionOf={(side) => <Code className="breakable">{wordsOf(conflict[side])}</Code>}
          onChoose={(side) => setChosen(new Map(chosen).set(conflict.key, side))}
        />
      ))}
    </FormDialog>
  )
}

function nameOf({ theirs, yours }: Conflict): string {
  const element = yours ?? theirs
  if (!element) return ''
  return 'source' in element ? `${element.source} – ${element.target}` : (element.label ?? element.id)
}

function wordsOf(element: Conflict['theirs']) {
  return element === undefined ? text.edit.removed : JSON.stringify(element)
}
