import { type Static, Type } from '@sinclair/typebox'
import { component, optionalInteger, optionalText, ref } from './types.ts'

/** A single fault in a request. */
export const Fault = component('Fault', 'A single fault in a request, with its location.', {
  pointer: optionalText({
    description:
      'The location in the body, as a JSON Pointer in a URI fragment (RFC 6901). Names longer than 100 characters and pointers longer than 1024 are truncated with `…`.',
    examples: ['#/name']
  }),
  parameter: optionalText({ description: 'The path or query parameter.', examples: ['size'] }),
  file: optionalText({
    description: 'For archives with several tables, and for workbooks: the name of the table or sheet.',
    examples: ['edges.csv']
  }),
  line: optionalInteger({ minimum: 1, description: 'The line in the file, starting at 1.' }),
  column: optionalInteger({ minimum: 1, description: 'The column in that line in characters, starting at 1.' }),
  element: optionalText({ description: 'The node or edge in the file.', examples: ['edge 3, "a" to "b"'] }),
  count: optionalInteger({
    minimum: 2,
    description: 'For files: the number of faults with this cause, if more than one.',
    examples: [77]
  }),
  lines: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: 10,
      description: 'For files: the first ten distinct lines with this fault.',
      examples: [[12, 16, 20]]
    })
  ),
  code: Type.String({ description: 'A stable, machine-readable code.', examples: ['required'] }),
  detail: Type.String({ description: 'A human-readable explanation.', examples: ['is required'] })
})
export type Fault = Static<typeof Fault>

/** The maximum number of faults that a problem lists. */
export const MAX_FAULTS = 50

/** Problem details for HTTP APIs (RFC 9457). */
export const Problem = component('Problem', 'The reason why a request was refused or failed (RFC 9457).', {
  type: Type.String({
    description: 'The type of the problem, as a URI.',
    format: 'uri-reference',
    examples: ['urn:problem-type:graphstead:validation-failed']
  }),
  title: Type.String({
    description: 'A human-readable summary of the problem type.',
    examples: ['The request is not valid.']
  }),
  status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.', examples: [400] }),
  detail: Type.String({ description: 'An explanation of this occurrence.', examples: ['#/name is required'] }),
  instance: Type.String({
    format: 'uri-reference',
    description: 'Identifies this occurrence: the request id, as in the X-Request-Id header.',
    examples: ['urn:uuid:2f1c7d5e-63a4-4c0e-9a53-0f0f6a1f8d11']
  }),
  code: Type.String({ description: 'A stable, machine-readable code.', examples: ['validation-failed'] }),
  errors: Type.Optional(
    Type.Array(ref(Fault), { maxItems: MAX_FAULTS, description: `The first ${MAX_FAULTS} faults.` })
  )
})
export type Problem = Static<typeof Problem>
