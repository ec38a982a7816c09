import { FileInput, Textarea } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { text } from '../text/index.ts'

/** The content that a user gives: a file, or a pasted table of edges, which is a file of its own. */
interface FileOrTable {
  chosen: File | null
  setChosen: (file: File | null) => void
  written: string
  setWritten: (text: string) => void
  /** The file, or the table; undefined without either. */
  file: File | undefined
  /** Whether the table is still being written. */
  isPasting: boolean
}

/** The state of a FileOrTableInput. */
export function useFileOrTable(): FileOrTable {
  const [chosen, setChosen] = useState<File | null>(null)
  const [written, setWritten] = useState('')
  const [pasted] = useDebouncedValue(written, 300)
  const file = useMemo(() => chosen ?? (pasted.trim() ? new File([pasted], 'edges') : undefined), [chosen, pasted])
  return { chosen, setChosen, written, setWritten, file, isPasting: !chosen && written !== pasted }
}

/** Fields for a file or a pasted table. */
export function FileOrTableInput({ value, isDisabled }: { value: FileOrTable; isDisabled: boolean }) {
  const { chosen, setChosen, written, setWritten } = value
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
    </>
  )
}
