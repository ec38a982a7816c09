import { useEffect, useState } from 'react'
import { useSession } from '../account/account.ts'
import type { ImportReport, ImportTable } from '../api.ts'
import type { Choices } from './choices.ts'
import { inspectFile } from './import.ts'

interface Outcome {
  report?: ImportReport
  error?: unknown
}

interface Last {
  file?: File
  choices?: Choices
  outcome: Outcome
  table?: ImportTable | undefined
}

/**
 * Returns the import report of a file, or the error. The result is empty while the report is loading. If the file or the
 * choices object changes, the upload is aborted. If the session ends, the upload restarts after sign-in. `table` is the file's
 * last known table.
 */
export function useReport(file: File | undefined, choices: Choices): Outcome & { table?: ImportTable | undefined } {
  const [last, setLast] = useState<Last>({ outcome: {} })
  const isSignedIn = useSession().data != null
  useEffect(() => {
    if (!file || !isSignedIn) return
    const controller = new AbortController()
    const settle = (outcome: Outcome) => {
      if (controller.signal.aborted) return
      setLast((before) => {
        const table = outcome.report?.table ?? (before.file === file ? before.table : undefined)
        return { file, choices, outcome, table }
      })
    }
    inspectFile({ file, signal: controller.signal }, choices).then(
      (report) => settle({ report }),
      (error: unknown) => settle({ error })
    )
    return () => controller.abort()
  }, [file, choices, isSignedIn])
  if (last.file !== file) return {}
  return { ...(last.choices === choices && last.outcome), table: last.table }
}
