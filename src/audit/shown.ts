import { readHead, type TreeHead } from '../../audit/checkpoint.ts'
import { NoteError, openNote, readVerifier } from '../../audit/note.ts'
import { readLog, readRoot } from '../../db/audit/log.ts'
import type { Db } from '../../db/store.ts'
import { auditKeyOf } from './signing-key.ts'

/** Thrown if the log cannot be shown. The message is a complete sentence for the operator. */
export class AuditLogRefused extends Error {
  override readonly name = 'AuditLogRefused'
}

/** The checkpoint that may be shown, and the key for verifying it. */
export interface Shown extends TreeHead {
  checkpoint: string
  key: string
}

/**
 * Returns the last checkpoint saved as `audit.head`, or the store's own if that file does not exist. Later checkpoints could be
 * lost if the store is restored, and would then contradict those issued afterwards. Throws AuditLogRefused or AuditKeyRefused.
 */
export async function readShown(db: Db, data: string): Promise<Shown> {
  // Read this before the state, so that the state is at least as recent.
  const kept = await auditKeyOf(data).head()
  const { key, checkpoint: own } = await readLog(db)
  const checkpoint = kept ?? own
  if (checkpoint === '' || key === '') {
    throw new AuditLogRefused('The log has no checkpoint yet: the server creates one when it runs.')
  }
  try {
    const head = readHead(openNote(checkpoint, [readVerifier(key)]).text)
    if (head.root.equals(await readRoot(db, head.size))) return { ...head, checkpoint, key }
  } catch (error) {
    if (!(error instanceof NoteError) && !(error instanceof RangeError)) throw error
  }
  throw new AuditLogRefused(
    'The store does not continue the last checkpoint, audit.head: it was restored, copied or changed. The server begins a new epoch when it starts.'
  )
}
