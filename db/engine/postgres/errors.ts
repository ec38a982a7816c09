import pg from 'pg'
import { StoreBroken, StoreConflict, StoreUnavailable } from '../../store.ts'

/** Error codes of conflicts after which a transaction is retried: serialization failure and deadlock. */
const CONFLICTS = ['40001', '40P01']

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Foreign keys that concurrent transactions may violate. For example, one transaction adds a graph or session while another
 * deletes its owner, or one reuses stored content while another removes the last graph that refers to it. Unique keys are never
 * violated this way, because transactions lock the rows that they read, or insert with ON CONFLICT.
 */
export const CONTESTED_KEYS = [
  'apiToken_userId_fkey',
  'graph_contentId_fkey',
  'graph_owner_fkey',
  'groupMember_groupId_fkey',
  'groupMember_userId_fkey',
  'graphVersion_contentId_fkey',
  'invitation_userId_fkey',
  'layout_contentId_fkey',
  'recoveryCode_userId_fkey',
  'secondFactor_userId_fkey',
  'session_userId_fkey',
  'trash_owner_fkey',
  'userIdentity_userId_fkey'
]

/** Thrown if a transaction violates one of CONTESTED_KEYS. If retries keep failing, `cause` is a bug in the program. */
export class KeyConflict extends StoreConflict {
  override name = 'KeyConflict'
}

/** Error classes: connection failures, insufficient resources such as disk space, system errors, and operator intervention. */
const UNAVAILABLE = /^(08|53|57|58)/
/** The error codes for a lock timeout, and for a role that lacks the required privilege. */
const ALSO_UNAVAILABLE = ['55P03', '42501']
/** Error codes for a full disk, a read-only replica, and an exhausted sequence. */
const BROKEN = ['53100', '25006', '2200H']

/** Error codes that mean that the connection is lost or the server is shutting down. */
const ENDS = /^(08|57P)/

/** Returns whether the server rejected the statement but kept the connection open. */
export function isAnswer(error: unknown) {
  return error instanceof pg.DatabaseError && !ENDS.test(error.code ?? '')
}

/**
 * Translates errors from the server to store errors. Returns all other errors unchanged, including those about the statement
 * itself.
 */
export function translate(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { code = '', constraint = '', message } = error
  if (CONFLICTS.includes(code)) return new StoreConflict(message, { cause: error })
  // The keys that refer to the partitions of a table have numbers after their names.
  const key = constraint.replace(/_?\d{1,9}$/, '')
  if (code === FOREIGN_KEY_VIOLATION && CONTESTED_KEYS.includes(key)) {
    return new KeyConflict(message, { cause: error })
  }
  // Omit the server's message: it may contain file names, and anyone can call the readiness check.
  if (BROKEN.includes(code)) return new StoreBroken(`PostgreSQL error ${code}`, { cause: error })
  if (UNAVAILABLE.test(code) || ALSO_UNAVAILABLE.includes(code)) return new StoreUnavailable(message, { cause: error })
  return error
}
