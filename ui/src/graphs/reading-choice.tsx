import { Group, Select, Switch } from '@mantine/core'
import type { ImportReport } from '../api.ts'
import { optionsOf } from '../shared/options.ts'
import { text } from '../text/index.ts'
import type { Choices } from './choices.ts'

/**
 * Lets the user choose the direction of the edges. Offers a choice of encoding if the server had to guess it or failed to
 * decode the file, and the option to omit elements if only elements have faults.
 */
export function ReadingChoice({
  report,
  choices,
  isDisabled = false,
  onChoose
}: {
  report: ImportReport | undefined
  choices: Choices
  isDisabled?: boolean
  onChoose: (choices: Choices) => void
}) {
  const { directed, encoding, lenient, ...columns } = choices
  const isUncertain =
    report?.losses.some(({ code }) => code === 'encoding-guessed') ||
    report?.faults.some(({ code }) => code === 'malformed-encoding')
  // An undefined choice would be sent as text.
  const choose = (changes: Choices) => {
    const chosen = Object.entries({ directed, encoding, lenient, ...changes }).filter(
      ([, value]) => value !== undefined
    )
    onChoose({ ...columns, ...Object.fromEntries(chosen) })
  }
  return (
    <>
      <Group grow align="flex-start">
        <Select
          label={text.reading.direction}
          data={optionsOf(text.reading.directions)}
          value={directed === undefined ? 'file' : directed ? 'directed' : 'undirected'}
          onChange={(value) => choose({ directed: value === 'file' ? undefined : value === 'directed' })}
          allowDeselect={false}
          disabled={isDisabled}
          size="sm"
        />
        {(isUncertain || encoding !== undefined) && (
          <Select
            label={text.reading.encoding}
            data={optionsOf(text.reading.encodings)}
            value={encoding ?? null}
            placeholder={text.import.detect}
            onChange={(value) => choose({ encoding: value ?? undefined })}
            disabled={isDisabled}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': text.reading.detectEncoding }}
            size="sm"
          />
        )}
      </Group>
      {(report?.droppable || lenient !== undefined) && (
        <Switch
          label={text.reading.lenient}
          description={text.reading.lenientHint}
          checked={lenient === true}
          onChange={(event) => choose({ lenient: event.currentTarget.checked })}
          disabled={isDisabled}
        />
      )}
    </>
  )
}
