import { useEffect, useState } from 'react'
import { useSession } from '../account/account.ts'
import type { ImportReport, ImportTable } from '../api.ts'
import { type Columns, inspectFile } from './import.ts'

interface Outcome {
  report?: ImportReport
  error?: unknown
}

interface Last {
  file?: File
  columns?: Columns
  outcome: Outcome
  table?: ImportTable | undefined
}

/**
 * Returns the import report of a file, or the error. The result is empty while the report is loading. If the file or the
 * columns object changes, the upload is aborted. If the session ends, the upload restarts after sign-in. `table` is the file's
 * last known table.
 */
export function useReport(file: File | undefined, columns: Columns): Outcome & { table?: ImportTable | undefined } {
  const [last, setLast] = useState<Last>({ outcome: {} })
  const isSignedIn = useSession().data != null
  useEffect(() => {
    if (!file || !isSignedIn) return
    const controller = new AbortController()
    const settle = (outcome: Outcome) => {
      if (controller.signal.aborted) return
      setLast((before) => {
        const table = outcome.report?.table ?? (before.file === file ? before.table : undefined)
        return { file, columns, outcome, table }
      })
    }
    inspectFile({ file, signal: controller.signal }, columns).then(
      (report) => settle({ report }),
      (error: unknown) => settle({ error })
    )
    return () => controller.abort()
  }, [file, columns, isSignedIn])
  if (last.file !== file) return {}
  return { ...(last.columns === columns && last.outcome), table: last.table }
}
