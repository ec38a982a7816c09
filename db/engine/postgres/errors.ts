import pg from 'pg'
import { StoreBroken, StoreConflict, StoreUnavailable } from '../../store.ts'

/** Codes of conflicts, after which a transaction is run again: serialization failure, deadlock. */
const CONFLICTS = ['40001', '40P01']

const FOREIGN_KEY_VIOLATION = '23503'

/**
 * Foreign keys that two transactions side by side may violate: one adds a graph or a session while the other deletes its owner, or one stores a
 * content again while the other removes its last graph. No two transactions violate a unique key: they lock the rows that they
 * read, or insert with ON CONFLICT.
 */
export const CONTESTED_KEYS = [
  'apiToken_userId_fkey',
  'graph_contentId_fkey',
  'graph_owner_fkey',
  'groupMember_groupId_fkey',
  'groupMember_userId_fkey',
  'graphVersion_contentId_fkey',
  'recoveryCode_userId_fkey',
  'secondFactor_userId_fkey',
  'session_userId_fkey',
  'trash_owner_fkey',
  'userIdentity_userId_fkey'
]

/** A transaction has violated one of CONTESTED_KEYS. If that happens again and again, `cause` is a fault of the program. */
export class KeyConflict extends StoreConflict {
  override name = 'KeyConflict'
}

/** Classes of errors: connection, resources such as the disk, faults of the system, and orders of its operator. */
const UNAVAILABLE = /^(08|53|57|58)/
/** The time limit of waiting for a lock; a role that lacks a right. */
const ALSO_UNAVAILABLE = ['55P03', '42501']
/** A full disk, a server that is only a copy, a sequence that has come to its end. */
const BROKEN = ['53100', '25006', '2200H']

/** Errors with which the server ends the connection: it is broken, or the server shuts down. */
const ENDS = /^(08|57P)/

/** Tells whether the server has refused the statement and goes on with the connection. */
export function isAnswer(error: unknown) {
  return error instanceof pg.DatabaseError && !ENDS.test(error.code ?? '')
}

/** Returns an error of the server in the words of the store; errors about the statement itself, and others, as they are. */
export function translate(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return error
  const { code = '', constraint = '', message } = error
  if (CONFLICTS.includes(code)) return new StoreConflict(message, { cause: error })
  if (code === FOREIGN_KEY_VIOLATION && CONTESTED_KEYS.includes(constraint)) {
    return new KeyConflict(message, { cause: error })
  }
  // The server's message may name files, and readiness shows this one to everybody.
  if (BROKEN.includes(code)) return new StoreBroken(`PostgreSQL answers ${code}`, { cause: error })
  if (UNAVAILABLE.test(code) || ALSO_UNAVAILABLE.includes(code)) return new StoreUnavailable(message, { cause: error })
  return error
}
