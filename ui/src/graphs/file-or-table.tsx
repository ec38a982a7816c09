import { FileInput, Progress, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { ImportReport, ImportTable } from '../api.ts'
import { FailureAlert } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { type Choices, withColumns } from './choices.ts'
import { ColumnChoice } from './column-choice.tsx'
import { numberOf } from './graphs.ts'
import { Report } from './import-report.tsx'
import { ReadingChoice } from './reading-choice.tsx'

const guessed: Choices = {}

/** Returns the state of content provided by the user: a file, or a pasted edge table, which is sent as a file. */
export function useFileOrTable() {
  const [chosen, setChosen] = useState<File | null>(null)
  const [written, setWritten] = useState('')
  const [pasted] = useDebouncedValue(written, 300)
  const [choice, setChoice] = useState<{ of: File; choices: Choices }>()
  const file = useMemo(() => chosen ?? (pasted.trim() ? new File([pasted], 'edges') : undefined), [chosen, pasted])

  const sending = useRef(new AbortController())
  useEffect(() => () => sending.current.abort(), [])

  return {
    chosen,
    setChosen,
    written,
    setWritten,
    /** The file or the table, if any. */
    file,
    /** Whether the user is still typing the table. */
    isPasting: !chosen && written !== pasted,
    /** The user's choices for reading the file. */
    choices: choice && choice.of === file ? choice.choices : guessed,
    setChoices: (choices: Choices) => file && setChoice({ of: file, choices }),
    /** Returns a signal that aborts the upload if the dialog is closed. */
    beginSending: () => {
      sending.current = new AbortController()
      return sending.current.signal
    }
  }
}

/** Fields for a file or a pasted table, with the server's report and fields for choosing columns. */
export function FileOrTableInput({
  value,
  report,
  table,
  error,
  isReading,
  isDisabled
}: {
  value: ReturnType<typeof useFileOrTable>
  report: ImportReport | undefined
  table: ImportTable | undefined
  error: unknown
  isReading: boolean
  isDisabled: boolean
}) {
  const { chosen, setChosen, written, setWritten, file, choices, setChoices } = value
  return (
    <>
      <FileInput
        label={text.graphs.file}
        description={text.graphs.fileHint}
        value={chosen}
        onChange={setChosen}
        clearable
        clearButtonProps={{ 'aria-label': text.graphs.removeFile }}
        disabled={isDisabled}
      />
      {!chosen && (
        <Textarea
          label={text.graphs.pasted}
          description={text.graphs.pastedHint}
          value={written}
          onChange={(event) => setWritten(event.currentTarget.value)}
          disabled={isDisabled}
          autosize
          minRows={3}
          maxRows={8}
        />
      )}
      {error != null && <FailureAlert error={error} />}
      {report && <Report report={report} />}
      {file && table && (
        <ColumnChoice
          key={numberOf(file)}
          table={table}
          isDisabled={isDisabled}
          onChoose={(columns) => setChoices(withColumns(choices, columns))}
        />
      )}
      {file && error == null && (
        <ReadingChoice report={report} choices={choices} isDisabled={isDisabled} onChoose={setChoices} />
      )}
      {isReading && <Progress value={100} animated aria-label={text.graphs.reading} />}
    </>
  )
}
