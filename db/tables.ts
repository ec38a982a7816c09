import type { ColumnType, Generated, Selectable } from 'kysely'
import type { AuditEventType, Outcome, TargetType } from '../schemas/audit.ts'
import type { Role } from '../schemas/user.ts'

/** Kept as 0 and 1 where the engine has no booleans. */
type Flag = ColumnType<boolean | number, boolean, boolean>

export interface UserTable {
  id: Generated<number>
  login: string
  /** A PHC string, see src/passwords.ts. */
  passwordHash: string
  role: Role
  enabled: Flag
  /** Raised to revoke every token that was issued before. */
  tokenVersion: number
  createdAt: string
  updatedAt: string
}
export type UserRow = Selectable<UserTable>

export interface GraphTable {
  id: Generated<number>
  name: string
  type: string | null
  description: string | null
  shared: Flag
  /** The login of its creator. */
  owner: string
  version: number
  nodeCount: number
  edgeCount: number
  contentId: number | null
  /** Name and description as `q` searches them, see searchable() in db/graphs.ts. */
  searchText: string
  createdAt: string
  updatedAt: string
}
export type GraphRow = Selectable<GraphTable>

/** Contents lie apart from the records, so that listing never touches them; of large ones, equal ones are stored once. */
export interface ContentTable {
  id: Generated<number>
  /** SHA-256 of the GraphContent as JSON in UTF-8, in hexadecimal. */
  hash: string
  /** That JSON, where it is small: what reads it needs not unpack it. */
  json: string | null
  /** Else that JSON as a Zstandard frame (RFC 8878). */
  packed: Buffer | null
  /** Of the JSON, in bytes. */
  size: number
}
export type ContentRow = Selectable<ContentTable>

/** How many graphs an owner shares, and does not; the empty owner is everybody. Kept by triggers. */
export interface GraphCountTable {
  owner: string
  shared: Flag
  count: number
}

/** Rows are only ever added: triggers refuse all else. */
export interface AuditEventTable {
  id: Generated<number>
  timestamp: string
  principal: string
  type: AuditEventType
  outcome: Outcome
  targetType: TargetType | null
  targetId: number | null
  targetName: string | null
  /** AuditRequest as JSON. */
  request: string | null
  /** An object of strings as JSON. */
  data: string
}
export type AuditEventRow = Selectable<AuditEventTable>

/** How many events a day has (in UTC), and which ids they lie between. Kept by a trigger. */
export interface AuditDayTable {
  /** The date, as the timestamps begin. */
  day: string
  count: number
  firstId: number
  lastId: number
}

export interface Tables {
  user: UserTable
  graph: GraphTable
  content: ContentTable
  graphCount: GraphCountTable
  auditEvent: AuditEventTable
  auditDay: AuditDayTable
}
