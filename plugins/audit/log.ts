import type { FastifySchema } from 'fastify'
import { proofText } from '../../audit/checkpoint.ts'
import { placeOf, widthOf } from '../../audit/tiles.ts'
import { HASH_LENGTH } from '../../audit/tree.ts'
import { findAudit } from '../../db/audit/events.ts'
import { isAsRecorded, LeafGone, readBundle } from '../../db/audit/leaves.ts'
import { readTile } from '../../db/audit/log.ts'
import { AuditProver } from '../../db/audit/proofs.ts'
import { Consistency, ConsistencyQuery } from '../../schemas/audit-log.ts'
import { IdParameter, NoQuery } from '../../schemas/parameters.ts'
import { invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import { answer, plainText, refusals } from '../../schemas/responses.ts'
import type { Plugin } from '../http/plugin.ts'

const TEXT = 'text/plain; charset=utf-8'
const tags = ['audits']

/** How long it takes for an event to appear in the log, in seconds. */
const SOON = 2

/** Returns the latest checkpoint. The context determines who may see it. */
export const auditCheckpoint: Plugin = async (app) => {
  app.get('/audits/log/checkpoint', {
    config: { scope: 'read:audits' },
    schema: {
      tags,
      operationId: 'getAuditCheckpoint',
      summary: 'Fetch the checkpoint of the audit log',
      description:
        'Returns a signed note (c2sp.org/tlog-checkpoint) with the size and root of the log, which contains all but the most recent events. Keep a checkpoint to prove later that no earlier event was changed. The tiles of the log are at `…/audits/log/tile/{level}/{N}` and `…/audits/log/tile/entries/{N}` (c2sp.org/tlog-tiles).',
      response: { 200: plainText('The signed checkpoint.', TEXT), ...refusals(400) }
    },
    handler: async (_request, reply) => reply.type(TEXT).send((await app.auditLog.published()).checkpoint)
  })
}

/**
 * Serves the tamper-evident log of the audit events: its key, tiles and proofs. The context admits administrators and auditors.
 */
export const auditLog: Plugin = async (app) => {
  const { store } = app
  let prover = new AuditProver(store.read)
  let proved = ''

  /** Returns a prover for the tree with this origin. */
  function proverOf(origin: string): AuditProver {
    if (origin !== proved) prover = new AuditProver(store.read)
    proved = origin
    return prover
  }

  app.get('/audits/log/key', {
    config: { scope: 'read:audits' },
    schema: {
      tags,
      operationId: 'getAuditKey',
      summary: 'Fetch the public key of the audit log',
      description: 'Returns the key that verifies checkpoints, as text (c2sp.org/signed-note).',
      response: { 200: plainText('The verifier key.', TEXT), ...refusals(400) }
    },
    handler: async (_request, reply) => reply.type(TEXT).send(`${(await app.auditLog.published()).key}\n`)
  })

  app.get('/audits/log/consistency', {
    config: { scope: 'read:audits' },
    schema: {
      tags,
      operationId: 'getAuditConsistency',
      summary: 'Prove that the audit log extends an older checkpoint',
      description: 'Returns the proof that the latest checkpoint extends the checkpoint of size `from`.',
      querystring: ConsistencyQuery,
      response: { 200: answer(Consistency, 'The proof.'), ...refusals(400) }
    },
    handler: async (request) => {
      const { origin, size: to, checkpoint } = await app.auditLog.published()
      const from = Number(request.query.from)
      if (from > to) throw invalid({ parameter: 'from', code: 'too-large', detail: `must be at most ${to}` })
      const hashes = await proverOf(origin).consistency(from, to)
      return { from, to, hashes: hashes.map((hash) => hash.toString('base64')), checkpoint }
    }
  })

  app.get('/audits/:id/proof', {
    config: { scope: 'read:audits' },
    schema: {
      tags,
      operationId: 'getAuditProof',
      summary: 'Prove that an audit event is in the log',
      description:
        'Returns the proof (c2sp.org/tlog-proof) that the latest checkpoint includes the event, as a file. New events get a proof after a few seconds; until then the response is 409 `not-in-tree-yet`. An event that was altered in the database has no proof: 409 `audit-event-altered`.',
      params: IdParameter,
      response: { 200: plainText('The proof.', TEXT), ...refusals(400, 404, 409) }
    },
    handler: async (request, reply) => {
      const id = Number(request.params.id)
      const event = Number.isSafeInteger(id) ? await findAudit(store.read, id) : undefined
      if (!event) throw new ProblemError('audit-event-not-found')
      const { origin, size, checkpoint } = await app.auditLog.published()
      const proof = await proverOf(origin).inclusion(id, size)
      if (!proof) throw new ProblemError('not-in-tree-yet', { retryAfter: SOON })
      if (!(await isAsRecorded(store.read, proof.index))) throw new ProblemError('audit-event-altered')
      reply.header('content-disposition', `attachment; filename="event-${id}.tlog-proof"`)
      return reply.type(TEXT).send(proofText({ ...proof, checkpoint }))
    }
  })

  // Tile paths have a variable number of segments, which OpenAPI cannot describe.
  app.get('/audits/log/tile/*', {
    config: { scope: 'read:audits' },
    schema: { hide: true, querystring: NoQuery, response: refusals(400, 404) } as FastifySchema,
    handler: async (request, reply) => {
      const { '*': path } = request.params as { '*': string }
      const bytes = await readPlace(`tile/${path}`)
      if (!bytes) throw new ProblemError('tile-not-found')
      // The bytes at a path change if a restored store continues under a new origin.
      reply.header('cache-control', 'private, no-cache').type('application/octet-stream')
      return reply.send(bytes)
    }
  })

  /** Returns the tile or bundle at the path in the published tree, or undefined if it does not exist. */
  async function readPlace(path: string): Promise<Buffer | undefined> {
    const place = placeOf(path)
    if (!place) return undefined
    const { level, index, width } = place
    const { size } = await app.auditLog.published()
    if (width > widthOf(level, index, size)) return undefined
    if (level !== 'entries') return (await readTile(store.read, level, index)).subarray(0, width * HASH_LENGTH)
    return readBundle(store.read, index, width).catch((error: unknown) => {
      if (error instanceof LeafGone) return undefined
      throw error
    })
  }
}
