import { type Static, Type } from '@sinclair/typebox'
import { digits, Id, MAX_INTEGER, oneOf, ref, Time } from './types.ts'

export const auditEventTypes = [
  'AUTHENTICATION_SUCCESS',
  'AUTHENTICATION_FAILURE',
  'AUTHORIZATION_FAILURE',
  'PASSWORD_CHANGED',
  'SESSION_ENDED',
  'SESSIONS_ENDED',
  'USER_CREATED',
  'USER_UPDATED',
  'USER_DELETED',
  'GRAPH_CREATED',
  'GRAPH_UPDATED',
  'GRAPH_SHARED',
  'GRAPH_UNSHARED',
  'GRAPH_RESTORED',
  'GRAPH_TRASHED',
  'GRAPH_PURGED',
  'GRAPH_DELETED',
  'SERVER_STARTED',
  'SERVER_STOPPED',
  'STORE_RESTORED'
] as const
const AuditEventType = oneOf(auditEventTypes, { description: 'What happened.', examples: ['GRAPH_CREATED'] })
export type AuditEventType = Static<typeof AuditEventType>

const Outcome = oneOf(['SUCCESS', 'FAILURE', 'DENIED'], {
  description: 'FAILURE: tried and failed. DENIED: refused for want of rights.',
  examples: ['SUCCESS']
})
export type Outcome = Static<typeof Outcome>

const TargetType = oneOf(['GRAPH', 'USER'], { description: 'What kind of thing it happened to.', examples: ['GRAPH'] })
export type TargetType = Static<typeof TargetType>

export const AuditTarget = Type.Object(
  {
    type: TargetType,
    id: Id,
    name: Type.String({ description: 'As it was called then.', examples: ['Les Misérables'] }),
    version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_INTEGER,
        description: 'The version of the graph that it made.',
        examples: [2]
      })
    ),
    href: Type.Optional(
      Type.String({
        format: 'uri-reference',
        description: 'Where that version is, as long as it is kept.',
        examples: ['/api/graphs/7/versions/2']
      })
    )
  },
  { $id: 'AuditTarget', title: 'AuditTarget', description: 'The graph or user that it happened to.' }
)
export type AuditTarget = Static<typeof AuditTarget>

export const AuditRequest = Type.Object(
  {
    id: Type.String({ description: 'As in the X-Request-Id header.' }),
    ip: Type.String({
      description: 'Where it came from; behind trusted proxies, what they say.',
      examples: ['127.0.0.1']
    }),
    userAgent: Type.Optional(
      Type.String({ maxLength: 255, description: 'What the client calls itself.', examples: ['curl/8.5.0'] })
    ),
    method: Type.String({ description: 'The HTTP method.', examples: ['POST'] }),
    route: Type.String({ description: 'The pattern, not the path.', examples: ['/api/graphs/{id}'] })
  },
  { $id: 'AuditRequest', title: 'AuditRequest', description: 'The request that made it happen.' }
)
export type AuditRequest = Static<typeof AuditRequest>

export const AuditEvent = Type.Object(
  {
    id: Id,
    timestamp: Time,
    principal: Type.String({
      description: 'Who did it: a login, `anonymous`, or `system` for the server and its command line.',
      examples: ['ada']
    }),
    type: AuditEventType,
    outcome: Outcome,
    target: Type.Optional(ref(AuditTarget)),
    request: Type.Optional(ref(AuditRequest)),
    data: Type.Record(Type.String(), Type.String(), {
      description:
        'Old and new value of each field that changed, as `name.old` and `name.new`; of content its SHA-256 and counts, never itself.',
      examples: [{ 'name.old': 'Les Mis', 'name.new': 'Les Misérables' }]
    })
  },
  { $id: 'AuditEvent', title: 'AuditEvent', description: 'Something that happened. Events are never changed.' }
)
export type AuditEvent = Static<typeof AuditEvent>

export const auditSorts = ['id', 'timestamp', 'principal', 'type', 'outcome'] as const

/** `yyyy-MM-dd`, and a day that the calendar has. */
const day = { format: 'date' }

const fromDate = Type.String({
  ...day,
  description: 'The first day, whole; needs toDate. In UTC, or in the zone.',
  examples: ['2026-11-01']
})
const toDate = Type.String({ ...day, description: 'The last day, whole; needs fromDate.', examples: ['2026-11-30'] })

export const auditFilters = {
  fromDate: Type.Optional(fromDate),
  toDate: Type.Optional(toDate),
  zone: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'The IANA time zone whose days are meant; needs both dates.',
      examples: ['Europe/Berlin']
    })
  ),
  principal: Type.Optional(
    Type.String({ maxLength: 64, description: 'Only what this principal did.', examples: ['ada'] })
  ),
  type: Type.Optional(AuditEventType),
  outcome: Type.Optional(Outcome),
  targetType: Type.Optional(TargetType),
  targetId: Type.Optional(
    digits(1n, 9223372036854775807n, { description: 'Only what happened to the target of this id.', examples: ['7'] })
  )
}

/** As many days may an activity have: a leap year. */
export const MAX_DAYS = 366

export const ActivityQuery = Type.Object({ ...auditFilters, fromDate, toDate }, { additionalProperties: false })

export const DayOfActivity = Type.Object(
  {
    date: Type.String({ ...day, description: 'The day, in UTC or in the zone.', examples: ['2026-11-21'] }),
    count: Type.Integer({ minimum: 0, description: 'How many events it has.', examples: [12] })
  },
  { $id: 'DayOfActivity', title: 'DayOfActivity', description: 'How much happened on a day.' }
)
export type DayOfActivity = Static<typeof DayOfActivity>

/** From `from` up to and without `to`: RFC 3339 in UTC with milliseconds, so that they compare as text. */
export interface Period {
  from: string
  to: string
}
