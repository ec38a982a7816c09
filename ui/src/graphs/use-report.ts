import { useEffect, useState } from 'react'
import type { ImportReport } from '../api.ts'
import { inspectFile } from './import.ts'

interface Outcome {
  report?: ImportReport
  error?: unknown
}

/** Fetches the import report of a file, or the error; empty while it is read. Another file, or none, ends the upload. */
export function useReport(file: File | undefined): Outcome {
  const [outcome, setOutcome] = useState<Outcome & { of?: File }>({})
  useEffect(() => {
    if (!file) return
    const controller = new AbortController()
    const settle = (settled: Outcome) => {
      if (!controller.signal.aborted) setOutcome({ ...settled, of: file })
    }
    inspectFile(file, undefined, {}, () => {}, controller.signal).then(
      (report) => settle({ report }),
      (error: unknown) => settle({ error })
    )
    return () => controller.abort()
  }, [file])
  return outcome.of === file ? outcome : {}
}
