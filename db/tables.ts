import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Part } from '../audit/entry.ts'
import type { AuditEventType, Outcome, TargetType } from '../schemas/audit.ts'
import type { GrantedAccess, GranteeType } from '../schemas/grant.ts'
import type { SignInMethod } from '../schemas/session.ts'
import type { Role, UserKind } from '../schemas/user.ts'

/** A boolean, stored as 0 or 1 by engines without booleans. */
type Flag = ColumnType<boolean | number, boolean, boolean>

export interface UserTable {
  id: Generated<number>
  login: string
  kind: ColumnType<UserKind, UserKind | undefined, never>
  /** A PHC string (see db/users/passwords.ts). Empty for services and for people without a password. */
  passwordHash: string
  role: Role
  enabled: Flag
  /** Whether the user must change the password before doing anything else, because someone else set it. */
  mustChangePassword: ColumnType<boolean | number, boolean | undefined, boolean>
  /** Incremented to revoke all earlier tokens. */
  tokenVersion: number
  /** When the user confirmed their second factor, or null if they have none. */
  secondFactorSince: ColumnType<string | null, string | null | undefined, string | null>
  /** The UTC date on which the user last signed in, or last used a session or an API token. */
  lastSeenAt: ColumnType<string | null, string | null | undefined, string | null>
  createdAt: string
  updatedAt: string
}
export type UserRow = Selectable<UserTable>

/** The state of a graph at one version. */
interface VersionColumns {
  version: number
  name: string
  /** The key by which lists sort the name (see db/graphs/name-order.ts). */
  sortName: string
  type: string | null
  description: string | null
  shared: Flag
  /** A JSON array of strings. */
  tags: string
  nodeCount: number
  edgeCount: number
  contentId: number | null
  /** When the version was created. */
  updatedAt: string
  /** The user who created the version. */
  principal: string
  /** The user's comment on the version. */
  message: string | null
  /** The event that recorded the change. Null for the first version, whose event is the graph's first. */
  auditEventId: number | null
  /** The version that this one restores. */
  restoredFrom: number | null
}

export interface GraphTable extends VersionColumns {
  id: Generated<number>
  /** The login of the owner, who is initially the creator. */
  owner: string
  /** A name for use by programs, unique among the owner's graphs, or null. */
  key: ColumnType<string | null, string | null | undefined, string | null>
  /** The name of the saved view that shows the graph by default, or null. */
  defaultView: ColumnType<string | null, string | null | undefined, string | null>
  /** The folded name and description that `q` searches (see db/graphs/searchable-text.ts). */
  searchText: string
  createdAt: string
  /** The total size of all versions (see db/graphs/usage.ts). */
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

/** A user or group that graphs are granted to. */
export interface Grantee {
  granteeType: GranteeType
  granteeId: number
}

/** A user's or group's access to one graph. It has no effect while the graph is in the trash. */
export interface GraphGrantTable extends Grantee {
  graphId: number
  access: GrantedAccess
  /** Whether the graph appears in lists because of this grant. True if the graph is private and not in the trash. */
  listed: Flag
  createdAt: string
  /** The principal who created the grant. */
  createdBy: string
}

/** A named view of a graph. */
export interface SavedViewTable {
  graphId: number
  name: string
  /** The query string of the graph's page in the web app. */
  query: string
  /** A Style as JSON, or null. */
  style: string | null
  savedAt: string
  /** The principal who last saved the view. */
  savedBy: string
}

/** A link to one graph, for people without an account. See db/sharing/links.ts. */
export interface LinkTable {
  id: Generated<number>
  graphId: number
  /** Identifies the link in its address, and reveals nothing about it. */
  publicId: string
  /** The secret in the address is derived from this salt and a key that is not in the store. */
  salt: string
  name: string | null
  /** The version that the link shows, or null for the current version. */
  version: number | null
  expiresAt: string | null
  /** A PHC string (see db/users/passwords.ts). Null if the link has no password. */
  passwordHash: string | null
  /** The origins whose pages may embed the graph in a frame, as a JSON array of strings. */
  origins: string
  /** Whether visitors may download the content in all formats. */
  downloads: Flag
  /**
   * Whether anyone with the address, even without its secret, can see a picture of the graph. Never set together with a password.
   */
  preview: Flag
  /** The view that the link shows, in JSON: the name of a saved view, or a GraphView. Null for the graph's default view. */
  view: string | null
  /** Replaced to revoke all earlier tokens. */
  tokenVersion: number
  createdAt: string
  /** The principal who created the link. */
  createdBy: string
  openCount: Generated<number>
  lastOpenedAt: string | null
  /** The start of the minute in which the link was last opened, in milliseconds since 1970. */
  minuteStart: Generated<number>
  /** The number of visits in that minute. */
  minuteCount: Generated<number>
}
export type LinkRow = Selectable<LinkTable>

/** The number of grants per grantee. Maintained by triggers. */
export interface GrantCountTable extends Grantee {
  total: number
  /** The number of grants that are `listed`. */
  listed: number
  /** Incremented whenever one of these grants or its graph changes in a way that affects lists. */
  changes: number
}

/** Earlier versions of graphs, and all versions of graphs in the trash. */
export interface GraphVersionTable extends VersionColumns {
  graphId: number
}
export type GraphVersionRow = Selectable<GraphVersionTable>

/** Deleted graphs that can be restored. The last version preserves the graph's state. */
export interface TrashTable {
  /** The id of the graph. */
  id: number
  owner: string
  key: ColumnType<string | null, string | null | undefined, never>
  defaultView: ColumnType<string | null, string | null | undefined, never>
  /** The last version. */
  version: number
  searchText: string
  createdAt: string
  trashedAt: string
  trashedBy: string
  /** The graph's size when it was deleted. */
  bytes: number
}

/** Permanently deleted graphs whose remaining versions have yet to be removed. */
export interface PurgedGraphTable {
  id: number
}

/** Content, stored separately from graphs so that lists never read it. Large content is deduplicated. */
export interface ContentTable {
  id: Generated<number>
  /** The SHA-256 hash of the GraphContent as UTF-8 JSON, in hexadecimal. */
  hash: string
  /** The JSON, if it is small. */
  json: string | null
  /** The JSON as a Zstandard frame (RFC 8878), if it is large. */
  packed: Buffer | null
  /** The size of the JSON in bytes. */
  size: number
}
export type ContentRow = Selectable<ContentTable>

/** The force-directed layout that was computed for the content. See db/graphs/layouts.ts. */
export interface LayoutTable {
  contentId: number
  /** The x and y coordinates of all nodes, alternating, as little-endian 32-bit floats. */
  positions: Buffer
  /** Whether the nodes no longer moved when the layout ended. */
  settled: Flag
}

/**
 * The number of shared and private graphs per owner. The row with an empty owner counts the graphs of all owners. Maintained by
 * triggers.
 */
export interface GraphCountTable {
  owner: string
  shared: Flag
  count: number
}

/** The audit events. The table is append-only: triggers reject all other changes. */
export interface AuditEventTable {
  id: Generated<number>
  timestamp: string
  principal: string
  type: AuditEventType
  outcome: Outcome
  targetType: TargetType | null
  targetId: number | null
  targetName: string | null
  /** The version of the graph that the event created. */
  targetVersion: number | null
  /** An AuditRequest as JSON. */
  request: string | null
  /** A JSON object of string values. */
  data: string
}
export type AuditEventRow = Selectable<AuditEventTable>

/** The state of the verifiable log of events, in a single row. An empty string represents a value that does not exist yet. */
export interface AuditLogTable {
  id: number
  /** The origin under which checkpoints are signed. Empty if the store was copied from another one. */
  origin: string
  /** Incremented with each new origin. */
  epoch: number
  /** The number of leaves. */
  size: number
  /** The index of the first leaf whose event still exists. */
  firstIndex: number
  /** The origin's verifier key. */
  key: string
  /**
   * The signed checkpoint of the tree at this size. It must not be published before its signer has saved it as `audit.head`.
   */
  checkpoint: string
}

/** The tiles of the tree, with up to 256 adjacent hashes each. */
export interface AuditTileTable {
  level: number
  index: number
  hashes: Buffer
}

/** The salts of 256 leaves, 48 bytes each. The salts of erased parts are zeros. */
export interface AuditSaltTable {
  bundle: number
  salts: Buffer
}

/** A run of consecutive event ids that belong to consecutive leaves. */
export interface AuditRunTable {
  firstIndex: number
  firstId: number
  count: number
}

/** The digests of parts that were erased from leaves. */
export interface AuditErasedTable {
  index: number
  part: Part
  digest: string
}

/** The number of events per UTC day, with their first and last ids. Maintained by a trigger. */
export interface AuditDayTable {
  /** The date part of the timestamps. */
  day: string
  count: number
  firstId: number
  lastId: number
}

/** Recent attempts at rate-limited actions, such as signing in. */
export interface AttemptTable {
  key: string
  count: number
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** Sessions that ended before their tokens expired. */
export interface EndedSessionTable {
  /** The id of the token, `jti`. */
  id: string
  /** When the token expires, in milliseconds since 1970. The row may be removed afterwards. */
  expiresAt: number
}

/** Browser sessions, and sessions of tokens obtained with a password. A browser session without a row has ended. */
export interface SessionTable {
  /** The id of the session's token, `jti`. */
  id: string
  /** Whether the session outlives the browser window. */
  remembered: Flag
  /** The time of last use, in milliseconds since 1970. May be out of date by up to USE_INTERVAL (see db/users/sessions.ts). */
  lastUsedAt: number
  userId: ColumnType<number, number, never>
  /** The identity provider's id for its session, if the provider has sent one. */
  sid: ColumnType<string | null, string | undefined, never>
  /** The id that the user specifies to end the session. It grants no rights. */
  handle: ColumnType<string, string, never>
  /** Whether this is a browser session, which ends when idle. Otherwise, a program holds the token. */
  browser: ColumnType<boolean | number, boolean, never>
  /** How the user signed in. */
  method: ColumnType<SignInMethod, SignInMethod, never>
  /** The user's `tokenVersion` at sign-in. If the user's current version differs, the session has ended. */
  tokenVersion: ColumnType<number, number, never>
  /** In milliseconds since 1970, like `expiresAt`. */
  startedAt: ColumnType<number, number, never>
  expiresAt: ColumnType<number, number, never>
  /** The IP address and user agent of the sign-in. */
  address: ColumnType<string, string, never>
  userAgent: ColumnType<string | null, string | undefined, never>
  /** Whether the user had signed in from the same network before. */
  familiar: ColumnType<boolean | number, boolean, never>
}
export type SessionRow = Selectable<SessionTable>

/** A user's second factor. It takes effect once the user's `secondFactorSince` is set. */
export interface SecondFactorTable {
  userId: number
  /** The encrypted secret (see plugins/sign-in/sealed-secrets.ts). */
  secret: string
  /** The time step of the last accepted code. Codes of this step and earlier steps are rejected. */
  lastStep: number
  /** When the setup began, in milliseconds since 1970, and the id of the token that began it. */
  begunAt: number
  begunBy: string
}

/** An unused recovery code. */
export interface RecoveryCodeTable {
  userId: number
  hash: string
}

/** An invitation that lets a user without a password choose one. */
export interface InvitationTable {
  userId: number
  /** The hash of the secret (see db/users/token-text.ts). */
  hash: string
  /** In milliseconds since 1970. */
  expiresAt: number
}

/** The identity that a user signs in with through an identity provider. Each identity belongs to at most one user. */
export interface UserIdentityTable {
  userId: number
  issuer: string
  subject: string
  linkedAt: string
  /** The principal who linked the identity. */
  linkedBy: string
}

/** An API token for a program. */
export interface ApiTokenTable {
  id: Generated<number>
  userId: number
  name: string
  /** The hash of the token (see db/users/token-text.ts). */
  hash: string
  /** A space-separated list. */
  scopes: string
  createdAt: string
  /** The principal who created the token. */
  createdBy: string
  expiresAt: string
  /** A UTC date, or null before the first use. */
  lastUsedAt: string | null
}
export type ApiTokenRow = Selectable<ApiTokenTable>

/**
 * The word index of graphs (see db/search/word-index.ts). `rowid` is the id of the graph. The words can be searched but not
 * read.
 */
export interface GraphWordsTable {
  rowid: number
  words: string
}

/** The progress of rebuilding the word index, in a single row. */
export interface IndexingTable {
  id: number
  /** The id of the last graph that was added. */
  after: number
  isDone: Flag
}

/** The usage per owner, including the trash. An owner's usage is the sum of several rows. Maintained by triggers. */
export interface UsageTable {
  owner: string
  graphs: number
  bytes: number
}

/** The state of the clock, in a single row (see db/clock.ts). */
export interface ClockTable {
  /** When the clock was last trusted, in milliseconds since 1970. */
  trustedAt: number
  /** How long servers have run since then, in milliseconds. */
  ran: number
  /** Incremented to test whether the store is writable. */
  probes: number
}

export interface Tables {
  user: UserTable
  graph: GraphTable
  graphVersion: GraphVersionTable
  trash: TrashTable
  purgedGraph: PurgedGraphTable
  content: ContentTable
  layout: LayoutTable
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
  invitation: InvitationTable
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
  /**
   * The words of large graphs, in several rows per graph. `rowid` is 1024 × the id of the graph, plus the number of the part.
   */
  graphWordPart: GraphWordsTable
  indexing: IndexingTable
}

/** A table whose rows contain users' data. Copies of the store include these rows. */
interface Records<Table> {
  readonly rows: 'records'
  /** The columns that identify and order the rows. */
  readonly key: readonly (keyof Selectable<Table>)[]
  /** Whether ids come from a counter and are never reused. */
  readonly countsIds?: true
  /** Whether metrics and checks report the number of rows. */
  readonly hasFigure?: true
}

/** A table whose rows triggers derive from other tables, including in copies of the database. */
interface Derived {
  readonly rows: 'derived'
}

/** A table whose rows are derived from other tables by the program, which recomputes them in copies. */
interface Computed {
  readonly rows: 'computed'
}

/** A table whose rows concern the servers that share the store. Copies start without such rows. */
interface Local {
  readonly rows: 'local'
}

/**
 * The properties of each table, for code that iterates over all tables: copies, checks, metrics and tests. Records are copied
 * in this order, so that no row refers to a row that has yet to be copied.
 */
export const TABLES = {
  user: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  userIdentity: { rows: 'records', key: ['userId'] },
  secondFactor: { rows: 'records', key: ['userId'] },
  recoveryCode: { rows: 'records', key: ['userId', 'hash'] },
  invitation: { rows: 'records', key: ['userId'] },
  apiToken: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  group: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  groupMember: { rows: 'records', key: ['groupId', 'userId'] },
  content: { rows: 'records', key: ['id'], countsIds: true, hasFigure: true },
  layout: { rows: 'records', key: ['contentId'] },
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

/** The names of the tables with the given traits. */
export type TableWith<Traits> = {
  [Name in keyof Tables]: (typeof TABLES)[Name] extends Traits ? Name : never
}[keyof Tables]

/** Lists the tables with the given traits, in the order of TABLES. */
export function tablesWith<const Traits extends object>(traits: Traits): TableWith<Traits>[] {
  const hasTraits = (table: object) =>
    Object.entries(traits).every(([name, value]) => Reflect.get(table, name) === value)
  const names = Object.entries(TABLES).filter(([, table]) => hasTraits(table))
  return names.map(([name]) => name as TableWith<Traits>)
}
