import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Part } from '../audit/entry.ts'
import type { AuditEventType, Outcome, TargetType } from '../schemas/audit.ts'
import type { GrantedAccess, GranteeType } from '../schemas/grant.ts'
import type { SignInMethod } from '../schemas/session.ts'
import type { Role, UserKind } from '../schemas/user.ts'

/** A boolean; 0 or 1 on engines without booleans. */
type Flag = ColumnType<boolean | number, boolean, boolean>

export interface UserTable {
  id: Generated<number>
  login: string
  kind: ColumnType<UserKind, UserKind | undefined, never>
  /** A PHC string, see db/users/passwords.ts; empty for a SERVICE, and for people without a password. */
  passwordHash: string
  role: Role
  enabled: Flag
  /** Another user has set the password: a session must change it before anything else. */
  mustChangePassword: ColumnType<boolean | number, boolean | undefined, boolean>
  /** Incremented to revoke all tokens that were issued before. */
  tokenVersion: number
  /** When they confirmed their second factor; null without one. */
  secondFactorSince: ColumnType<string | null, string | null | undefined, string | null>
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
  /** A JSON array of strings. */
  tags: string
  nodeCount: number
  edgeCount: number
  contentId: number | null
  /** When the version was made. */
  updatedAt: string
  /** The user who made it. */
  principal: string
  /** The user's comment on it. */
  message: string | null
  /** The event of the change; null for the first version, whose event is the first of the graph. */
  auditEventId: number | null
  /** The version that it restores. */
  restoredFrom: number | null
}

export interface GraphTable extends VersionColumns {
  id: Generated<number>
  /** The login of its creator. */
  owner: string
  /** A name for programs, which no other graph of the owner has; null for none. */
  key: ColumnType<string | null, string | null | undefined, string | null>
  /** Name and description as `q` searches them, see db/graphs/searchable-text.ts. */
  searchText: string
  createdAt: string
  /** The size of its versions together, see db/graphs/usage.ts. */
  bytes: number
}
export type GraphRow = Selectable<GraphTable>

/** A group of users. */
export interface GroupTable {
  id: Generated<number>
  name: string
  description: string | null
  createdAt: string
  updatedAt: string
}
export type GroupRow = Selectable<GroupTable>

export interface GroupMemberTable {
  groupId: number
  userId: number
}

/** The key of a person or a group to whom graphs are granted. */
export interface Grantee {
  granteeType: GranteeType
  granteeId: number
}

/** A right to one graph that a person or a group has. It has no effect while the graph is in the trash. */
export interface GraphGrantTable extends Grantee {
  graphId: number
  access: GrantedAccess
  /** Whether the graph is in lists by this grant: it is private, and not in the trash. */
  listed: Flag
  createdAt: string
  /** The principal who has made the grant. */
  createdBy: string
}

/** A way to look at one graph that has a name. */
export interface SavedViewTable {
  graphId: number
  name: string
  /** The query of the page of the graph in the web app. */
  query: string
  savedAt: string
  /** The principal who has saved it last. */
  savedBy: string
}

/** A link to one graph, for people without an account. See db/sharing/links.ts. */
export interface LinkTable {
  id: Generated<number>
  graphId: number
  /** Names the link in its address, and tells nothing of it. */
  publicId: string
  /** The secret of its address is made of this and of a key that the store does not have. */
  salt: string
  name: string | null
  /** The version that it shows; null if it follows the graph. */
  version: number | null
  expiresAt: string | null
  /** A PHC string, see db/users/passwords.ts; null without a password. */
  passwordHash: string | null
  /** The origins whose pages may frame it, as a JSON array of strings. */
  origins: string
  /** Whether its content may be downloaded in all formats. */
  downloads: Flag
  /** Whether strangers who have its address without the secret get a picture of the graph. Never with a password. */
  preview: Flag
  /** Replaced to revoke all tokens that were issued before. */
  tokenVersion: number
  createdAt: string
  /** The principal who has made it. */
  createdBy: string
  openCount: Generated<number>
  lastOpenedAt: string | null
  /** When the minute began in which it was opened last, in milliseconds since 1970. */
  minuteStart: Generated<number>
  /** How often it was opened in that minute. */
  minuteCount: Generated<number>
}
export type LinkRow = Selectable<LinkTable>

/** The numbers of grants of each person and group. Kept by triggers. */
export interface GrantCountTable extends Grantee {
  total: number
  /** The grants with `listed`. */
  listed: number
  /** Incremented whenever one of these grants or its graph has changed for lists. */
  changes: number
}

/** Earlier versions of graphs, and all versions of graphs in the trash. */
export interface GraphVersionTable extends VersionColumns {
  graphId: number
}
export type GraphVersionRow = Selectable<GraphVersionTable>

/** Deleted graphs that can be restored. Their last version has their state. */
export interface TrashTable {
  /** The id of the graph. */
  id: number
  owner: string
  key: ColumnType<string | null, string | null | undefined, never>
  /** The last version. */
  version: number
  searchText: string
  createdAt: string
  trashedAt: string
  trashedBy: string
  /** The size that the graph had. */
  bytes: number
}

/** Permanently deleted graphs, some of whose versions still have to be removed. */
export interface PurgedGraphTable {
  id: number
}

/** Contents lie apart from the records, so that listing never touches them; of large ones, equal ones are stored once. */
export interface ContentTable {
  id: Generated<number>
  /** SHA-256 of the GraphContent as JSON in UTF-8, in hexadecimal. */
  hash: string
  /** That JSON, if it is small. */
  json: string | null
  /** That JSON as a Zstandard frame (RFC 8878), if it is large. */
  packed: Buffer | null
  /** The size of the JSON in bytes. */
  size: number
}
export type ContentRow = Selectable<ContentTable>

/** The numbers of shared and of private graphs of each owner; the empty owner stands for all. Kept by triggers. */
export interface GraphCountTable {
  owner: string
  shared: Flag
  count: number
}

/** Rows can only be added: triggers refuse all other changes. */
export interface AuditEventTable {
  id: Generated<number>
  timestamp: string
  principal: string
  type: AuditEventType
  outcome: Outcome
  targetType: TargetType | null
  targetId: number | null
  targetName: string | null
  /** The version of the graph that the event made. */
  targetVersion: number | null
  /** AuditRequest as JSON. */
  request: string | null
  /** An object of strings as JSON. */
  data: string
}
export type AuditEventRow = Selectable<AuditEventTable>

/** The state of the log that proves the events: one row. The empty text stands for what is not there yet. */
export interface AuditLogTable {
  id: number
  /** The name under which its checkpoints are signed; empty if the store has come from elsewhere. */
  origin: string
  /** Incremented with each origin. */
  epoch: number
  /** The number of its leaves. */
  size: number
  /** The first leaf whose event is kept. */
  firstIndex: number
  /** The verifier key of the origin. */
  key: string
  /** The checkpoint of the tree of this size. Nobody may see it before its signer has kept it as `audit.head`. */
  checkpoint: string
}

/** Hashes of the tree: up to 256 of one row. */
export interface AuditTileTable {
  level: number
  index: number
  hashes: Buffer
}

/** Salts of 256 leaves, 48 bytes each; zeros where a part was erased. */
export interface AuditSaltTable {
  bundle: number
  salts: Buffer
}

/** Events with successive ids that are successive leaves. */
export interface AuditRunTable {
  firstIndex: number
  firstId: number
  count: number
}

/** The digests of parts of leaves that were erased. */
export interface AuditErasedTable {
  index: number
  part: Part
  digest: string
}

/** The number of events of each day (in UTC), with their first and last ids. Kept by a trigger. */
export interface AuditDayTable {
  /** The date, as the timestamps begin. */
  day: string
  count: number
  firstId: number
  lastId: number
}

/** Recent attempts at something that is limited, such as logging in. */
export interface AttemptTable {
  key: string
  count: number
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** Sessions that were ended before their tokens expire. */
export interface EndedSessionTable {
  /** The id of the token, `jti`. */
  id: string
  /** When the token expires and the row may be removed, in milliseconds since 1970. */
  expiresAt: number
}

/** Sessions of browsers, and tokens for passwords. A browser's session without a row has ended. */
export interface SessionTable {
  /** The id of its token, `jti`. */
  id: string
  /** Whether the session outlives the browser's window. */
  remembered: Flag
  /** When it was last used, or up to USE_INTERVAL before that (see db/users/sessions.ts); in milliseconds since 1970. */
  lastUsedAt: number
  userId: ColumnType<number, number, never>
  /** The provider's name of its session, if it has told one. */
  sid: ColumnType<string | null, string | undefined, never>
  /** The name by which its user ends it. It gives no rights. */
  handle: ColumnType<string, string, never>
  /** Whether it is a browser's, and ends without use; else a program has its token. */
  browser: ColumnType<boolean | number, boolean, never>
  /** How its user signed in. */
  method: ColumnType<SignInMethod, SignInMethod, never>
  /** The user's `tokenVersion` at that time: with another one it has ended. */
  tokenVersion: ColumnType<number, number, never>
  /** In milliseconds since 1970; `expiresAt` as well. */
  startedAt: ColumnType<number, number, never>
  expiresAt: ColumnType<number, number, never>
  /** The address and program that signed in. */
  address: ColumnType<string, string, never>
  userAgent: ColumnType<string | null, string | undefined, never>
  /** Whether the user had signed in from there before. */
  familiar: ColumnType<boolean | number, boolean, never>
}
export type SessionRow = Selectable<SessionTable>

/** The second factor of a user; it counts from `secondFactorSince` of the user on. */
export interface SecondFactorTable {
  userId: number
  /** Encrypted, see plugins/sign-in/sealed-secrets.ts. */
  secret: string
  /** The step of time of the last code that was accepted: no code of it, or of one before, is accepted again. */
  lastStep: number
  /** When it was begun to be set up, in milliseconds since 1970, and the id of the token that did so. */
  begunAt: number
  begunBy: string
}

/** A recovery code that has not been used. */
export interface RecoveryCodeTable {
  userId: number
  hash: string
}

/** The person at an identity provider as whom a user signs in. Nobody else has the same. */
export interface UserIdentityTable {
  userId: number
  issuer: string
  subject: string
  linkedAt: string
  /** The principal who has linked it. */
  linkedBy: string
}

/** The token of a program. */
export interface ApiTokenTable {
  id: Generated<number>
  userId: number
  name: string
  /** See db/users/token-text.ts. */
  hash: string
  /** Separated by spaces. */
  scopes: string
  createdAt: string
  /** The principal who has made it. */
  createdBy: string
  expiresAt: string
  /** A day in UTC; null before the first use. */
  lastUsedAt: string | null
}
export type ApiTokenRow = Selectable<ApiTokenTable>

/**
 * The words by which graphs are found, see db/search/word-index.ts. `rowid` is the id of the graph. The words can be searched, and not
 * read.
 */
export interface GraphWordsTable {
  rowid: number
  words: string
}

/** The progress of adding all graphs to the index of words: one row. */
export interface IndexingTable {
  id: number
  /** The id of the last graph that has been added. */
  after: number
  isDone: Flag
}

/** The usage of each owner, as the sum of several rows; includes the trash. Kept by triggers. */
export interface UsageTable {
  owner: string
  graphs: number
  bytes: number
}

/** One row, see db/clock.ts. */
export interface ClockTable {
  /** When the clock was last trusted, in milliseconds since 1970. */
  trustedAt: number
  /** How long servers have run since then, in milliseconds. */
  ran: number
  /** Incremented to test whether anything can be written. */
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
  auditLog: AuditLogTable
  auditTile: AuditTileTable
  auditSalt: AuditSaltTable
  auditRun: AuditRunTable
  auditErased: AuditErasedTable
  attempt: AttemptTable
  endedSession: EndedSessionTable
  session: SessionTable
  userIdentity: UserIdentityTable
  secondFactor: SecondFactorTable
  recoveryCode: RecoveryCodeTable
  apiToken: ApiTokenTable
  clock: ClockTable
  usage: UsageTable
  group: GroupTable
  groupMember: GroupMemberTable
  graphGrant: GraphGrantTable
  grantCount: GrantCountTable
  savedView: SavedViewTable
  link: LinkTable
  graphWords: GraphWordsTable
  /** Words of graphs that have many, in several rows: `rowid` is 1024 × the id of the graph, plus the number of the part. */
  graphWordPart: GraphWordsTable
  indexing: IndexingTable
}

/** The rows of a table belong to users; a copy includes them. */
interface Records<Table> {
  readonly rows: 'records'
  /** The columns that identify rows, and order them. */
  readonly key: readonly (keyof Selectable<Table>)[]
  /** Whether a counter gives out its ids, none of them twice. */
  readonly countsIds?: true
  /** Whether metrics and checks show its number of rows. */
  readonly hasFigure?: true
}

/** Triggers derive the rows from other tables, in a copy as well. */
interface Derived {
  readonly rows: 'derived'
}

/** The program derives the rows from other tables. A copy computes them anew. */
interface Computed {
  readonly rows: 'computed'
}

/** The rows are about the servers that share the store; a copy begins with its own. */
interface Local {
  readonly rows: 'local'
}

/**
 * The traits of each table, for code that goes through all tables: copy, checks, metrics, tests. Records are copied in this
 * order, in which no row refers to a later one.
 */
export const TABLES = {
  user: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  userIdentity: { rows: 'records', key: ['userId'] },
  secondFactor: { rows: 'records', key: ['userId'] },
  recoveryCode: { rows: 'records', key: ['userId', 'hash'] },
  apiToken: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  group: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  groupMember: { rows: 'records', key: ['groupId', 'userId'] },
  content: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  graph: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  graphVersion: { rows: 'records', key: ['graphId', 'version'], hasFigure: true },
  trash: { rows: 'records', key: ['id'], hasFigure: true },
  purgedGraph: { rows: 'records', key: ['id'] },
  graphGrant: { rows: 'records', key: ['graphId', 'granteeType', 'granteeId'], hasFigure: true },
  savedView: { rows: 'records', key: ['graphId', 'name'] },
  link: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  auditEvent: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  auditTile: { rows: 'records', key: ['level', 'index'] },
  auditSalt: { rows: 'records', key: ['bundle'] },
  auditRun: { rows: 'records', key: ['firstIndex'] },
  auditErased: { rows: 'records', key: ['index', 'part'] },
  endedSession: { rows: 'records', key: ['id'] },
  session: { rows: 'records', key: ['id'] },
  graphCount: { rows: 'derived' },
  auditDay: { rows: 'derived' },
  usage: { rows: 'derived' },
  grantCount: { rows: 'derived' },
  attempt: { rows: 'local' },
  graphWords: { rows: 'computed' },
  graphWordPart: { rows: 'computed' },
  auditLog: { rows: 'local' },
  clock: { rows: 'local' },
  indexing: { rows: 'local' }
} as const satisfies { [Name in keyof Tables]: Records<Tables[Name]> | Derived | Computed | Local }

/** The names of the tables with these traits. */
export type TableWith<Traits> = {
  [Name in keyof Tables]: (typeof TABLES)[Name] extends Traits ? Name : never
}[keyof Tables]

/** Lists the tables with these traits, in the order of TABLES. */
export function tablesWith<const Traits extends object>(traits: Traits): TableWith<Traits>[] {
  const hasTraits = (table: object) =>
    Object.entries(traits).every(([name, value]) => Reflect.get(table, name) === value)
  const names = Object.entries(TABLES).filter(([, table]) => hasTraits(table))
  return names.map(([name]) => name as TableWith<Traits>)
}
