import { type ProblemError, statusAndTitleOf } from '../../schemas/errors.ts'
import { type Fault, MAX_FAULTS, type Problem } from '../../schemas/problem.ts'

/** Converts the error into problem details (RFC 9457) of the request with this id. */
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

/** Summarizes the first faults in one line; the list has them all. */
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
