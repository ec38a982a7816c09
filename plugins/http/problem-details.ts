import { OutcomeUnknown, StoreBusy, StoreUnavailable } from '../../db/store.ts'
import { type Fault, MAX_FAULTS, type Problem } from '../../schemas/problem.ts'
import { ProblemError, statusAndTitleOf } from '../../schemas/problem-catalogue.ts'

/** Converts the error to problem details (RFC 9457) for the request with this id. */
export function toProblem({ code, circumstances }: ProblemError, requestId: string): Problem {
  const { status, title } = statusAndTitleOf(code)
  const errors = circumstances.errors?.slice(0, MAX_FAULTS)
  return {
    type: `urn:problem-type:graphstead:${code}`,
    title,
    status,
    detail: circumstances.detail ?? (errors ? summarize(errors, circumstances.errorCount) : title),
    instance: `urn:uuid:${requestId}`,
    code,
    ...(errors && { errors })
  }
}

/** Returns the problem for an expected error of the store or a handler, or undefined for other errors. */
export function expectedProblemOf(error: unknown): ProblemError | undefined {
  if (error instanceof ProblemError) return error
  if (error instanceof StoreUnavailable) return new ProblemError('store-unavailable', { cause: error })
  if (error instanceof OutcomeUnknown) return new ProblemError('outcome-unknown', { cause: error })
  if (error instanceof StoreBusy) return new ProblemError('server-busy', { cause: error, retryAfter: 1 })
  return undefined
}

/** Summarizes the first three faults on one line. */
function summarize(errors: Fault[], count = errors.length) {
  const told = errors.slice(0, 3).reduce((sum, { count = 1 }) => sum + count, 0)
  const more = count > told ? `; and ${count - told} more` : ''
  return `${errors.slice(0, 3).map(describeFault).join('; ')}${more}`
}

function describeFault({ line, column, pointer, parameter, element, detail, count }: Fault) {
  const times = count === undefined ? '' : ` (${count} times)`
  if (line !== undefined) return `line ${line}, column ${column}: ${element ? `${element}: ` : ''}${detail}${times}`
  return `${pointer ?? parameter ?? element ?? 'the file'} ${detail}${times}`
}
