import { describe, type ProblemError } from '../../schemas/errors.ts'
import { type Fault, MAX_FAULTS, type Problem } from '../../schemas/problem.ts'

/** Converts the error into problem details (RFC 9457) of the request with this id. */
export function toProblem({ code, circumstances }: ProblemError, requestId: string): Problem {
  const { status, title } = describe(code)
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
  const more = count > 3 ? `; and ${count - 3} more` : ''
  return `${errors.slice(0, 3).map(describeFault).join('; ')}${more}`
}

function describeFault({ line, column, pointer, parameter, element, detail }: Fault) {
  if (line !== undefined) return `line ${line}, column ${column}: ${element ? `${element}: ` : ''}${detail}`
  return `${pointer ?? parameter ?? element ?? 'the file'} ${detail}`
}
