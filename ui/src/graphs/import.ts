import type { operations } from '../../../clients/typescript/src/generated.ts'
import { type GraphRecord, type ImportReport, Problem, Unreachable } from '../api.ts'
import { endSession } from '../queries.ts'
import type { Choices } from './choices.ts'

type Import = operations['importGraph']
type Query = NonNullable<Import['parameters']['query']>

interface Upload {
  file: File
  /** The name of the format. If undefined, the server detects the format. */
  format?: string | undefined
  /** Called with the uploaded fraction of the file, from 0 to 1. */
  onProgress?: (part: number) => void
  signal?: AbortSignal
}

/** Fetches the import report of a file. Throws Problem or Unreachable. */
export async function inspectFile(sent: Upload, choices: Choices) {
  return (await upload(sent, { ...choices, dryRun: true })) as ImportReport
}

/** Imports a file as a graph. Throws Problem or Unreachable. */
export async function importFile(sent: Upload, query: Omit<Query, 'dryRun'>) {
  return (await upload(sent, query)) as GraphRecord
}

/** Sends the file with XMLHttpRequest, because `fetch` does not report upload progress. */
function upload({ file, format, onProgress, signal }: Upload, query: Query) {
  const { promise, resolve, reject } =
    Promise.withResolvers<Import['responses'][200 | 201]['content']['application/json']>()
  const request = new XMLHttpRequest()
  request.open(
    'POST',
    `/api/graphs/import?${new URLSearchParams({ ...query, ...(format && { format }) } as Record<string, string>)}`
  )
  request.setRequestHeader('content-type', 'application/octet-stream')
  request.responseType = 'json'
  request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0)
  request.onerror = () => reject(new Unreachable())
  request.onabort = () => reject(new DOMException('The upload was stopped.', 'AbortError'))
  signal?.addEventListener('abort', () => request.abort())
  request.onload = () => {
    // Uploads bypass the query client, so they must report an ended session themselves.
    if (request.status === 401) endSession()
    if (request.status < 300) resolve(request.response)
    else reject(new Problem(request.status, request.response ?? {}))
  }
  request.send(file)
  return promise
}
