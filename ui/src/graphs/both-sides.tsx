import { Alert, Stack, Text } from '@mantine/core'
import { SideChoice } from '../shared/side-choice.tsx'
import { text } from '../text/index.ts'
import type { GraphEdit } from './edit-graph.ts'

/** Shows the fields that someone else has changed, and lets the user choose a value for each. */
export function BothSides({
  differences = [],
  isDisabled,
  choose
}: Pick<GraphEdit, 'differences' | 'choose'> & { isDisabled: boolean }) {
  return (
    <Alert color="yellow" role="alert" title={text.conflict.title}>
      <Stack>
        <Text size="sm">{differences.length > 0 ? text.conflict.choose : text.conflict.apart}</Text>
        {differences.map((difference) => (
          <SideChoice
            key={difference.field}
            name={difference.field}
            label={text.graph[difference.field]}
            choice={difference.choice}
            isDisabled={isDisabled}
            labelOf={(side) => text.conflict[side](wordsOf(difference[side]))}
            onChoose={(side) => choose(difference, side)}
          />
        ))}
      </Stack>
    </Alert>
  )
}

function wordsOf(value: string | string[]) {
  if (typeof value !== 'string') return wordsOf(value.join(', '))
  return value === '' ? text.conflict.empty : value
}
