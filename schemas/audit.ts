import { type Static, Type } from '@sinclair/typebox'
import { closed, component, Id, idDigits, LARGE, oneOf, optionalInteger, optionalText, ref, Time } from './types.ts'

const auditEventTypes = [
  'AUTHENTICATION_SUCCESS',
  'AUTHENTICATION_FAILURE',
  'AUTHORIZATION_FAILURE',
  'PASSWORD_CHANGED',
  'SESSION_ENDED',
  'SESSIONS_ENDED',
  'SECOND_FACTOR_ENABLED',
  'SECOND_FACTOR_DISABLED',
  'RECOVERY_CODE_USED',
  'RECOVERY_CODES_RENEWED',
  'USER_CREATED',
  'USER_UPDATED',
  'USER_DELETED',
  'USER_LINKED',
  'USER_UNLINKED',
  'USER_INVITED',
  'INVITATION_ACCEPTED',
  'TOKEN_CREATED',
  'TOKEN_REVOKED',
  'GRAPH_CREATED',
  'GRAPH_UPDATED',
  'GRAPH_SHARED',
  'GRAPH_UNSHARED',
  'GRAPH_ACCESS_GRANTED',
  'GRAPH_ACCESS_REVOKED',
  'GRAPH_VIEW_SAVED',
  'GRAPH_VIEW_REMOVED',
  'GRAPH_TRANSFERRED',
  'LINK_CREATED',
  'LINK_UPDATED',
  'LINK_REVOKED',
  'LINK_OPENED',
  'GRAPH_RESTORED',
  'GRAPH_TRASHED',
  'GRAPH_PURGED',
  'GRAPH_DELETED',
  'GROUP_CREATED',
  'GROUP_UPDATED',
  'GROUP_DELETED',
  'SERVER_STARTED',
  'SERVER_STOPPED',
  'STORE_RESTORED',
  'AUDIT_EPOCH_STARTED',
  'AUDIT_EXPORTED',
  'AUDIT_ERASED',
  'AUDIT_PRUNED'
] as const
const AuditEventType = oneOf(auditEventTypes, { description: 'The type of event.', examples: ['GRAPH_CREATED'] })
export type AuditEventType = Static<typeof AuditEventType>

const Outcome = oneOf(['SUCCESS', 'FAILURE', 'DENIED'], {
  description: 'FAILURE: the attempt failed. DENIED: the caller lacked permission.',
  examples: ['SUCCESS']
})
export type Outcome = Static<typeof Outcome>

const TargetType = oneOf(['GRAPH', 'USER', 'GROUP'], { description: 'The type of the target.', examples: ['GRAPH'] })
export type TargetType = Static<typeof TargetType>

export const AuditTarget = component('AuditTarget', 'The graph, user or group that the event is about.', {
  type: TargetType,
  id: Id,
  name: Type.String({
    description: 'The name at the time of the event. Empty if it was erased.',
    examples: ['Les Misérables']
  }),
  version: optionalInteger({
    ...LARGE,
    minimum: 1,
    description: 'The graph version that the event created.',
    examples: [2]
  }),
  href: optionalText({
    format: 'uri-reference',
    description: 'The address of this version, as long as it is kept.',
    examples: ['/api/graphs/7/versions/2']
  })
})
export type AuditTarget = Static<typeof AuditTarget>

export const AuditToken = component('AuditToken', 'The API token with which the request was made.', {
  id: Id,
  name: Type.String({ description: 'The name at the time of the event.', examples: ['nightly import'] })
})

export const AuditRequest = component('AuditRequest', 'The request that caused the event.', {
  id: Type.String({ description: 'The request id, as in the X-Request-Id header.' }),
  ip: Type.String({
    description: 'The client address, as reported by trusted proxies.',
    examples: ['127.0.0.1']
  }),
  userAgent: optionalText({ maxLength: 255, description: 'The `User-Agent` of the client.', examples: ['curl/8.5.0'] }),
  method: Type.String({ description: 'The HTTP method.', examples: ['POST'] }),
  route: Type.String({ description: 'The route pattern, not the requested path.', examples: ['/api/graphs/{id}'] }),
  token: Type.Optional(ref(AuditToken))
})
export type AuditRequest = Static<typeof AuditRequest>

export const AuditEvent = component(
  'AuditEvent',
  'A recorded event. Events are never changed, except that the operator can erase the personal data of a deleted user; an AUDIT_ERASED event records the erasure.',
  {
    id: Id,
    timestamp: Time,
    principal: Type.String({
      description:
        'The login of the user who caused the event, `anonymous`, or `system` for the server and its command line. Empty if it was erased; the event then has no `request` either.',
      examples: ['ada']
    }),
    type: AuditEventType,
    outcome: Outcome,
    target: Type.Optional(ref(AuditTarget)),
    request: Type.Optional(ref(AuditRequest)),
    data: Type.Record(Type.String(), Type.String(), {
      description:
        'The old and new value of each changed field, as `name.old` and `name.new`. Content is never included, only its SHA-256 and counts. Empty if erased.',
      examples: [{ 'name.old': 'Les Mis', 'name.new': 'Les Misérables' }]
    })
  }
)
export type AuditEvent = Static<typeof AuditEvent>

export const auditSorts = ['id', 'timestamp', 'principal', 'type', 'outcome'] as const

/** A valid calendar day in the form `yyyy-MM-dd`. */
const day = { format: 'date' }

const fromDate = Type.String({
  ...day,
  description: 'The first day (inclusive). Requires `toDate`. In UTC unless a time zone is given.',
  examples: ['2026-11-01']
})
const toDate = Type.String({
  ...day,
  description: 'The last day (inclusive). Requires `fromDate`.',
  examples: ['2026-11-30']
})

export const auditFilters = {
  fromDate: Type.Optional(fromDate),
  toDate: Type.Optional(toDate),
  zone: optionalText({
    maxLength: 64,
    description: 'The IANA time zone of both dates. Requires both.',
    examples: ['Europe/Berlin']
  }),
  principal: optionalText({ maxLength: 64, description: 'Only events caused by this principal.', examples: ['ada'] }),
  type: Type.Optional(AuditEventType),
  outcome: Type.Optional(Outcome),
  targetType: Type.Optional(TargetType),
  targetId: Type.Optional(idDigits({ description: 'Only events about the target with this id.', examples: ['7'] }))
}

/** The values of these filters. Ids are strings of digits, since a JavaScript number cannot represent every int64. */
export type AuditFilters = Static<ReturnType<typeof Type.Object<typeof auditFilters>>>

/** The maximum number of days in an activity report: a leap year. */
export const MAX_DAYS = 366

export const ActivityQuery = closed({ ...auditFilters, fromDate, toDate })

export const DayOfActivity = component('DayOfActivity', 'The number of events on a day.', {
  date: Type.String({ ...day, description: 'The day, in UTC or the given time zone.', examples: ['2026-11-21'] }),
  count: Type.Integer({ minimum: 0, description: 'The number of events.', examples: [12] })
})
export type DayOfActivity = Static<typeof DayOfActivity>

/**
 * A period from `from` (inclusive) to `to` (exclusive). Both are in RFC 3339 format, in UTC with milliseconds, so that they can
 * be compared as text.
 */
export interface Period {
  from: string
  to: string
}
