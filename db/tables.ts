import type { ColumnType, Generated, Selectable } from 'kysely'
import type { AuditEventType, Outcome, TargetType } from '../schemas/audit.ts'
import type { Role } from '../schemas/user.ts'

/** Kept as 0 and 1 where the engine has no booleans. */
type Flag = ColumnType<boolean | number, boolean, boolean>

export interface UserTable {
  id: Generated<number>
  login: string
  /** A PHC string, see db/passwords.ts. */
  passwordHash: string
  role: Role
  enabled: Flag
  /** Somebody else has given the password: with a session it is to be changed before anything else. */
  mustChangePassword: ColumnType<boolean | number, boolean | undefined, boolean>
  /** Raised to revoke every token that was issued before. */
  tokenVersion: number
  createdAt: string
  updatedAt: string
}
export type UserRow = Selectable<UserTable>

/** A graph as it is at one version. */
interface VersionColumns {
  version: number
  name: string
  type: string | null
  description: string | null
  shared: Flag
  nodeCount: number
  edgeCount: number
  contentId: number | null
  /** When the version was made, */
  updatedAt: string
  /** by whom, */
  principal: string
  /** what they say about it, */
  message: string | null
  /** the event that tells of it; null for the first version: the first event of the graph. */
  auditEventId: number | null
  /** The version whose state it has again. */
  restoredFrom: number | null
}

export interface GraphTable extends VersionColumns {
  id: Generated<number>
  /** The login of its creator. */
  owner: string
  /** Name and description as `q` searches them, see db/search.ts. */
  searchText: string
  createdAt: string
  /** What its versions take together, see db/usage.ts. */
  bytes: Generated<number>
}
export type GraphRow = Selectable<GraphTable>

/** The versions that are no longer current, and all those of graphs in the trash. */
export interface GraphVersionTable extends VersionColumns {
  graphId: number
}
export type GraphVersionRow = Selectable<GraphVersionTable>

/** Graphs that were deleted and can be had back; their last version says what they are. */
export interface TrashTable {
  /** The graph's. */
  id: number
  owner: string
  /** The last. */
  version: number
  searchText: string
  createdAt: string
  trashedAt: string
  trashedBy: string
  /** As the graph had it. */
  bytes: Generated<number>
}

/** Graphs that are gone for good, but for versions that are still to be removed. */
export interface PurgedGraphTable {
  id: number
}

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
  /** The version of the graph that it tells of. */
  targetVersion: number | null
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

/** How often something was tried lately that is not to be tried often. */
export interface AttemptTable {
  key: string
  count: number
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** Sessions that were ended before their tokens expire. */
export interface EndedSessionTable {
  /** The token's, `jti`. */
  id: string
  /** When the token expires and this may be forgotten, in milliseconds since 1970. */
  expiresAt: number
}

/** Sessions of browsers. One that is not here has ended. */
export interface SessionTable {
  /** That of its token, `jti`. */
  id: string
  /** Whether it outlives the window. */
  remembered: Flag
  /** When it was last used, or up to USE_INTERVAL before that (see db/sessions.ts); in milliseconds since 1970. */
  lastUsedAt: number
}

/** What the graphs of an owner take, those in the trash included; the sum of the rows. Kept by triggers. */
export interface UsageTable {
  owner: string
  graphs: number
  bytes: number
}

/** One row, see db/clock.ts. */
export interface ClockTable {
  /** When the clock was last believed, in milliseconds since 1970. */
  trustedAt: number
  /** For how long servers have run since then, in milliseconds. */
  ran: number
  /** Is counted on to see whether anything can be written. */
  probes: number
}

export interface Tables {
  user: UserTable
  graph: GraphTable
  graphVersion: GraphVersionTable
  trash: TrashTable
  purgedGraph: PurgedGraphTable
  content: ContentTable
  graphCount: GraphCountTable
  auditEvent: AuditEventTable
  auditDay: AuditDayTable
  attempt: AttemptTable
  endedSession: EndedSessionTable
  session: SessionTable
  clock: ClockTable
  usage: UsageTable
}

/** The rows of a table are what people have; a copy takes them along. */
interface Records<Table> {
  readonly rows: 'records'
  /** Its columns tell rows apart, and order them. */
  readonly key: readonly (keyof Selectable<Table>)[]
  /** Whether its ids are counted, and never given out twice. */
  readonly countsIds?: true
  /** Whether metrics and checks tell how many rows there are. */
  readonly hasFigure?: true
}

/** The rows follow from those of other tables, by triggers, which keep them in a copy as well. */
interface Derived {
  readonly rows: 'derived'
}

/** The rows are about the servers that share the store; a copy begins with its own. */
interface Local {
  readonly rows: 'local'
}

/**
 * What each table is for those who go through all of them: copy, checks, metrics, tests. Those with records are copied in
 * this order, in which no row refers to one that comes later.
 */
export const TABLES = {
  user: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  content: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  graph: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  graphVersion: { rows: 'records', key: ['graphId', 'version'], hasFigure: true },
  trash: { rows: 'records', key: ['id'], hasFigure: true },
  purgedGraph: { rows: 'records', key: ['id'] },
  auditEvent: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  endedSession: { rows: 'records', key: ['id'] },
  session: { rows: 'records', key: ['id'] },
  graphCount: { rows: 'derived' },
  auditDay: { rows: 'derived' },
  usage: { rows: 'derived' },
  attempt: { rows: 'local' },
  clock: { rows: 'local' }
} as const satisfies { [Name in keyof Tables]: Records<Tables[Name]> | Derived | Local }

/** The names of the tables that are so. */
export type TableWith<Traits> = {
  [Name in keyof Tables]: (typeof TABLES)[Name] extends Traits ? Name : never
}[keyof Tables]

/** Lists the tables that are so, in the order of TABLES. */
export function tablesWith<const Traits extends object>(traits: Traits): TableWith<Traits>[] {
  const isSo = (table: object) => Object.entries(traits).every(([name, value]) => Reflect.get(table, name) === value)
  const names = Object.entries(TABLES).filter(([, table]) => isSo(table))
  return names.map(([name]) => name as TableWith<Traits>)
}
