import { Alert, Radio, Stack, Text } from '@mantine/core'
import { text } from '../text/index.ts'
import type { GraphEdit, Side } from './edit-graph.ts'

/** Shows the fields that somebody else has changed, and lets the user choose between both values. */
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
          <Radio.Group
            key={difference.field}
            name={difference.field}
            label={text.graph[difference.field]}
            value={difference.choice}
            onChange={(side) => choose(difference, side as Side)}
          >
            <Stack gap="xs" mt={4}>
              {sides.map((side) => (
                <Radio
                  key={side}
                  value={side}
                  required
                  disabled={isDisabled}
                  label={text.conflict[side](wordsOf(difference[side]))}
                  className="breakable"
                />
              ))}
            </Stack>
          </Radio.Group>
        ))}
      </Stack>
    </Alert>
  )
}

const sides: Side[] = ['theirs', 'yours']

function wordsOf(value: string | string[]) {
  if (typeof value !== 'string') return wordsOf(value.join(', '))
  return value === '' ? text.conflict.empty : value
}
