import { type Static, Type } from '@sinclair/typebox'
import { ref } from './types.ts'

/** One thing that is wrong with a request. */
export const Fault = Type.Object(
  {
    pointer: Type.Optional(
      Type.String({
        description:
          'Where in the body: a JSON Pointer as URI fragment (RFC 6901). A name of more than 100 characters is cut off and ends with `…`, and so is a pointer of more than 1024.',
        examples: ['#/name']
      })
    ),
    parameter: Type.Optional(Type.String({ description: 'Which parameter of path or query.', examples: ['size'] })),
    line: Type.Optional(Type.Integer({ minimum: 1, description: 'Line in the file, from 1.' })),
    column: Type.Optional(Type.Integer({ minimum: 1, description: 'Column in that line, in characters, from 1.' })),
    element: Type.Optional(
      Type.String({ description: 'Which node or edge of the file.', examples: ['edge 3, "a" to "b"'] })
    ),
    code: Type.String({ description: 'A stable word for machines.', examples: ['required'] }),
    detail: Type.String({ description: 'The same for people.', examples: ['is required'] })
  },
  { $id: 'Fault', title: 'Fault', description: 'One thing that is wrong with a request, and where.' }
)
export type Fault = Static<typeof Fault>

/** How many faults a problem names; there may be more. */
export const MAX_FAULTS = 50

/** Problem details for HTTP APIs, RFC 9457. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: 'What kind of problem this is, as a URI.',
      format: 'uri-reference',
      examples: ['urn:problem-type:graphstead:validation-failed']
    }),
    title: Type.String({ description: 'The kind of problem for people.', examples: ['The request is not valid.'] }),
    status: Type.Integer({ minimum: 400, maximum: 599, description: 'The HTTP status.', examples: [400] }),
    detail: Type.String({ description: 'What was wrong this time.', examples: ['#/name is required'] }),
    instance: Type.String({
      format: 'uri-reference',
      description: 'This occurrence: the request id, as in the X-Request-Id header.',
      examples: ['urn:uuid:2f1c7d5e-63a4-4c0e-9a53-0f0f6a1f8d11']
    }),
    code: Type.String({ description: 'A stable word for machines.', examples: ['validation-failed'] }),
    errors: Type.Optional(
      Type.Array(ref(Fault), { maxItems: MAX_FAULTS, description: 'What is wrong, thing by thing; the first 50.' })
    )
  },
  { $id: 'Problem', title: 'Problem', description: 'Why a request was refused or failed (RFC 9457).' }
)
export type Problem = Static<typeof Problem>
