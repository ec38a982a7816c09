import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { auditFilters } from './audit.ts'
import { contentIn } from './responses.ts'
import { closed, digits, MAX_INTEGER, oneOf } from './types.ts'

/** The export formats and their media types. */
export const exportTypes = { jsonl: 'application/jsonl', csv: 'text/csv; charset=utf-8; header=present' } as const
export const exportFormats = ['jsonl', 'csv'] as const

export const AuditExportQuery = closed({
  format: Type.Optional(
    oneOf(exportFormats, {
      description: 'JSON Lines with the exact bytes of the entries (the default), or CSV.',
      examples: ['jsonl']
    })
  ),
  ...auditFilters,
  after: Type.Optional(
    digits(0, MAX_INTEGER, {
      description: 'Only leaves with a higher index. To resume, send the index of the last line received.',
      examples: ['41999']
    })
  )
})
export type AuditExportQuery = Static<typeof AuditExportQuery>

/** A successful response that contains an export. */
export const auditExport = {
  description: 'The lines, in leaf order.',
  headers: {
    'Graphstead-Audit-Size': Type.Integer({
      minimum: 0,
      description: 'The size of the exported tree, as in the latest checkpoint.',
      examples: [42000]
    }),
    'Graphstead-Audit-Checkpoint': Type.String({
      description: 'The latest checkpoint as a byte sequence (RFC 9651): base64 between colons.'
    }),
    'Content-Disposition': Type.String({
      description: 'A suggested file name (RFC 6266).',
      examples: ['attachment; filename="audit-42000.jsonl"']
    })
  },
  content: contentIn(Object.values(exportTypes).map((type) => type.split(';')[0] as string))
} as unknown as TSchema
