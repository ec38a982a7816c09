import type { ColumnType, Generated, Selectable } from 'kysely'
import type { AuditEventType, Outcome, TargetType } from '../schemas/audit.ts'
import type { Encoding } from '../schemas/graph-content.ts'
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
  contentHash: string | null
  /** Name and description as `q` searches them, see searchable() in db/graphs.ts. */
  searchText: string
  createdAt: string
  updatedAt: string
}
export type GraphRow = Selectable<GraphTable>

/** Contents lie apart from the records, so that listing never touches them; equal ones are stored once. */
export interface ContentTable {
  /** SHA-256 of the GraphContent as JSON in UTF-8, in hexadecimal. */
  hash: string
  encoding: Encoding
  body: Buffer
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

export interface Tables {
  user: UserTable
  graph: GraphTable
  content: ContentTable
  auditEvent: AuditEventTable
}
