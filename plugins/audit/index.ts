import type { FastifyInstance } from 'fastify'
import type { AuditLineSink } from '../../db/audit/line-sink.ts'
import type { AuditKey } from '../../db/audit/signing-key.ts'
import type { Services } from '../http/services.ts'
import denials from './denials.ts'
import audits from './events.ts'
import auditExports from './export.ts'
import auditLines from './lines.ts'
import { auditCheckpoint, auditLog } from './log.ts'
import sequencing from './sequencing.ts'

const prefix = '/management'

interface Parts {
  auditKey?: AuditKey | undefined
  auditLines?: AuditLineSink | undefined
  keepsHouse?: boolean
}

/** Registers the audit log and the recording of denials for all routes. */
export async function provide(app: FastifyInstance, { program: { startThread }, peers }: Services, parts: Parts) {
  const { auditKey, auditLines: sink, keepsHouse = true } = parts
  await app.register(sequencing, { auditKey, startThread, keepsHouse })
  if (keepsHouse && sink) await app.register(auditLines, { sink, startThread, peers })
  await app.register(denials)
}

export async function serveVisitors(visitors: FastifyInstance, { settings }: Services) {
  if (settings.auditCheckpointPublic) await visitors.register(auditCheckpoint, { prefix })
}

export async function serveAuditors(auditing: FastifyInstance, { settings, program: { startThread } }: Services) {
  await auditing.register(audits, { prefix })
  await auditing.register(auditLog, { prefix })
  await auditing.register(auditExports, { prefix, startThread })
  if (!settings.auditCheckpointPublic) await auditing.register(auditCheckpoint, { prefix })
}
