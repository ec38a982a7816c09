import { Type } from '@sinclair/typebox'
import { auditSortKey, countAudits, findAudit, listAudits } from '../../db/audit/events.ts'
import { ActivityQuery, AuditEvent, auditFilters, auditSorts, DayOfActivity, MAX_DAYS } from '../../schemas/audit.ts'
import { IdParameter, listQuery } from '../../schemas/parameters.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, pageHeaders, refusals } from '../../schemas/responses.ts'
import { ref } from '../../schemas/types.ts'
import { abortSignalOf } from '../http/abort-signals.ts'
import { daysOf, periodOf } from '../http/periods.ts'
import type { Plugin } from '../http/plugin.ts'

/** Adds the address of the version that the event created. */
function withLink(event: AuditEvent): AuditEvent {
  const { target } = event
  if (target?.version === undefined) return event
  return { ...event, target: { ...target, href: `/api/graphs/${target.id}/versions/${target.version}` } }
}

/** Lists, counts and fetches audit events. The context admits administrators and auditors. */
const audits: Plugin = async (app) => {
  const { store } = app
  const tags = ['audits']

  app.get('/audits', {
    config: { scope: 'read:audits' },
    schema: {
      tags,
      operationId: 'listAudits',
      summary: 'List audit events',
      description:
        'Returns a page of events, newest first by default. `fromDate` and `toDate` select whole days, both inclusive.',
      querystring: listQuery(auditFilters, auditSorts),
      response: { 200: answer(Type.Array(ref(AuditEvent)), 'A page of events.', pageHeaders), ...refusals(400) }
    },
    handler: async ({ query }, reply) => {
      const filter = { ...query, period: periodOf(query) }
      return reply.sendPage({
        path: '/management/audits',
        direction: 'desc',
        hasLongRows: true,
        rows: async (slice) => (await listAudits(store, filter, slice)).map(withLink),
        count: () => countAudits(store, filter),
        sortKey: auditSortKey
      })
    }
  })

  app.get('/activity', {
    config: { scope: 'read:audits' },
    schema: {
      tags,
      operationId: 'auditActivity',
      summary: 'Count audit events per day',
      description: `Returns the number of matching events for each day from \`fromDate\` to \`toDate\`, at most ${MAX_DAYS} days.`,
      querystring: ActivityQuery,
      response: { 200: answer(Type.Array(ref(DayOfActivity)), 'All days, in order.'), ...refusals(400) }
    },
    handler: async ({ query }, reply) => {
      const signal = abortSignalOf(reply.raw)
      const activity: DayOfActivity[] = []
      for (const { date, period } of daysOf(query, MAX_DAYS)) {
        if (signal.aborted) break
        activity.push({ date, count: await countAudits(store, { ...query, period }) })
      }
      return activity
    }
  })

  app.get('/audits/:id', {
    config: { scope: 'read:audits' },
    schema: {
      tags,
      operationId: 'getAudit',
      summary: 'Fetch an audit event',
      description: 'Returns the event with this id.',
      params: IdParameter,
      response: { 200: answer(AuditEvent, 'The event.'), ...refusals(400, 404) }
    },
    handler: async (request) => {
      const id = Number(request.params.id)
      const event = Number.isSafeInteger(id) ? await findAudit(store.read, id) : undefined
      if (!event) throw new ProblemError('audit-event-not-found')
      return withLink(event)
    }
  })
}

export default audits
