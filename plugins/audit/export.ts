import { recordEvent } from '../../db/audit/events.ts'
import { exportLines } from '../../db/audit/export.ts'
import { AuditLineWriter } from '../../db/audit/line-writer.ts'
import { heads } from '../../db/audit/lines.ts'
import type { StartThread } from '../../graph/jobs/thread.ts'
import { AuditExportQuery, auditExport, exportTypes } from '../../schemas/audit-export.ts'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { refusals } from '../../schemas/responses.ts'
import { streamInPieces } from '../http/bodies/pieces.ts'
import { whenClosed } from '../http/bodies/when-closed.ts'
import { periodOf } from '../http/periods.ts'
import type { Plugin } from '../http/plugin.ts'
import { byteSequence } from '../http/structured-fields.ts'

/** The maximum number of concurrent exports, in total and per caller. Each export uses a few megabytes of memory. */
const [MOST, MOST_OF_ONE] = [8, 2]

/** The value of `Retry-After`, in seconds. */
const RETRY_AFTER = 10

/** Exports the events of the audit log. The context admits administrators and auditors. */
const auditExports: Plugin<{ startThread: StartThread }> = async (app, { startThread }) => {
  const { store } = app
  const writer = new AuditLineWriter(startThread)
  app.addHook('onClose', () => writer.close())

  /** The callers of all exports in progress. */
  const callers: string[] = []

  /** Registers an export. Returns a function that ends it. Throws `server-busy` or `too-many-requests`. */
  function begin(subject: string) {
    const detail = 'Too many exports are running. Try again later.'
    if (callers.length >= MOST) throw new ProblemError('server-busy', { detail, retryAfter: RETRY_AFTER })
    if (callers.filter((caller) => caller === subject).length >= MOST_OF_ONE) {
      throw new ProblemError('too-many-requests', { detail, retryAfter: RETRY_AFTER })
    }
    callers.push(subject)
    return () => {
      callers.splice(callers.indexOf(subject), 1)
    }
  }

  app.get('/audits/export', {
    config: { scope: 'read:audits' },
    schema: {
      tags: ['audits'],
      operationId: 'exportAudits',
      summary: 'Export audit events',
      description:
        'Streams all matching events up to the latest checkpoint, in log order. The export itself is recorded first, as an AUDIT_EXPORTED event. To resume an interrupted export, send the last received index as `after`. In JSONL, each line contains the bytes of the entry, the disclosures of its sealed parts, and the event; in CSV, each row contains the hash of its leaf.',
      querystring: AuditExportQuery,
      response: { 200: auditExport, ...refusals(400, 429) }
    },
    handler: async (request, reply) => {
      const { query, method, actor } = request
      const { format = 'jsonl', after } = query
      const filter = { ...query, period: periodOf(query) }
      const { size, checkpoint } = await app.auditLog.published()
      reply.headers({
        'graphstead-audit-size': String(size),
        'graphstead-audit-checkpoint': byteSequence(Buffer.from(checkpoint)),
        'content-disposition': `attachment; filename="audit-${size}.${format}"`
      })
      reply.type(exportTypes[format])
      // Sends an empty stream, since the length is unknown. An empty response would declare a length of 0.
      if (method === 'HEAD') return reply.send(streamInPieces([]))

      const end = begin(actor.subject)
      whenClosed(reply.raw, end)
      await request.write((trx, actor) =>
        recordEvent(trx, actor, { type: 'AUDIT_EXPORTED', data: { ...query, format, size: String(size) } })
      )
      const lines = exportLines(store, writer, {
        format,
        filter,
        from: after === undefined ? 0 : Number(after) + 1,
        size
      })
      return reply.send(streamInPieces(bytesOf(heads[format], lines)))
    }
  })
}

async function* bytesOf(head: string, lines: AsyncIterable<{ bytes: Uint8Array }>) {
  yield Buffer.from(head)
  for await (const { bytes } of lines) yield bytes
}

export default auditExports
