import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { METADATA_BYTES } from './graph-content.ts'
import { BYTES, DURATION, DURATION_OR_NONE } from './quantities.ts'
import { oneOf, optionalInteger, optionalText } from './types.ts'

const byMinute = (description: string, preset: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: preset, description })

/** The connection to PostgreSQL, if any. */
export const databaseSettings = {
  database: optionalText({
    minLength: 1,
    description: 'postgres:// URL of a database; default: a file of SQLite in the data folder'
  }),
  databasePoolSize: Type.Integer({
    // Background work holds one connection while it lasts.
    minimum: 2,
    maximum: 1000,
    default: 10,
    description: 'maximum of connections to PostgreSQL, besides two for searches'
  }),
  databaseTls: oneOf(['off', 'require', 'verify'], {
    default: 'off',
    description: 'TLS to PostgreSQL, unless the URL has sslmode; verify checks its certificate'
  }),
  databaseCaFile: optionalText({
    minLength: 1,
    description: 'PEM file of the certificates that verify trusts; default: those of Node.js'
  }),
  databaseStatementTimeout: Type.Integer({
    minimum: 1,
    default: 30_000,
    description: 'time limit of a statement of PostgreSQL, in milliseconds'
  }),
  databaseLockTimeout: Type.Integer({
    minimum: 1,
    default: 10_000,
    description: 'time limit of waiting for a lock, in milliseconds'
  })
} satisfies TProperties

/** The place of the records, for every command that needs them. */
export const storeSettings = {
  data: Type.String({ minLength: 1, default: './data', description: 'folder of the database and the token key' }),
  ...databaseSettings
} satisfies TProperties

/** The place of the file, for commands on the file itself. */
export const fileSettings = { data: storeSettings.data } satisfies TProperties

/** The settings of signing in by OpenID Connect; docs/sign-in.md explains them. */
const oidcSettings = {
  oidcIssuer: optionalText({
    minLength: 1,
    description: 'issuer of the identity provider (OpenID Connect); https, or http on loopback; default: none'
  }),
  oidcName: Type.String({
    minLength: 1,
    maxLength: 50,
    default: 'single sign-on',
    description: 'name of the provider on the button that signs in with it'
  }),
  oidcClientId: optionalText({ minLength: 1, description: 'id of Graphstead at the provider' }),
  oidcClientSecretFile: optionalText({
    minLength: 1,
    description: 'file of the secret for this id; default: a public client without one'
  }),
  oidcLoginClaim: Type.String({
    minLength: 1,
    default: 'preferred_username',
    description: 'claim of the id token that becomes the login of a new user'
  }),
  oidcRoleClaim: optionalText({
    minLength: 1,
    description: 'claim that decides about the role at each sign-in; default: none'
  }),
  oidcAdminValues: optionalText({
    minLength: 1,
    description: 'comma-separated values of this claim that make an ADMIN'
  }),
  oidcAuditorValues: optionalText({
    minLength: 1,
    description: 'comma-separated values of this claim that make an AUDITOR'
  }),
  oidcCreateUsers: oneOf(['on', 'off'], {
    default: 'off',
    description: 'whether the first sign-in of a person whom nobody has linked creates a user'
  }),
  passwordLogin: oneOf(['on', 'off'], {
    default: 'on',
    description: 'whether everybody may sign in with a password, or administrators only'
  })
} satisfies TProperties

/**
 * The settings of the server, which reads them once, at the start. The setting `bodyLimit` is the flag `--body-limit`
 * and the variable `GRAPHSTEAD_BODY_LIMIT`.
 */
export const serveSettings = {
  host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'address to listen on' }),
  port: Type.Integer({ minimum: 0, maximum: 65535, default: 8080, description: 'port to listen on; 0 for any' }),
  ...storeSettings,
  publicUrl: optionalText({
    pattern: '^https?://[^/?#@\\s]+/?$',
    examples: ['https://graphs.example.org'],
    description:
      'address at which browsers reach the server, for links to graphs and sign-in by a provider; requests for other hosts are refused; default: links are relative, and any host is answered'
  }),
  links: oneOf(['on', 'off'], {
    default: 'on',
    description: 'links to graphs for people without an account; off refuses all of them, and keeps them'
  }),
  tlsCert: optionalText({
    minLength: 1,
    description: 'PEM file of the certificate and its chain; enables TLS; read again on SIGHUP'
  }),
  tlsKey: optionalText({ minLength: 1, description: "PEM file of the certificate's key" }),
  trustProxy: Type.String({
    default: '',
    description: 'proxies whose X-Forwarded-For is trusted: true, or comma-separated addresses and networks'
  }),
  ...oidcSettings,
  requireSecondFactor: oneOf(['off', 'admins', 'all'], {
    default: 'off',
    description: 'who has to have a second factor to do anything after signing in with a password'
  }),
  maxConnections: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 10_000,
    description: 'maximum of open connections; fewer if the process may not have so many open files'
  }),
  connectionsPerAddress: optionalInteger({
    minimum: 1,
    description: 'maximum from one address, or /64 of IPv6, that is no proxy; default: half of them'
  }),
  minRate: Type.Integer({
    minimum: 1,
    default: 4096,
    description: 'minimum speed at which clients send bodies and read answers, in bytes per second'
  }),
  logLevel: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'lowest level to log'
  }),
  metricsPort: optionalInteger({
    minimum: 0,
    maximum: 65535,
    description: 'port that serves /metrics without authentication; default: administrators only, on the main port'
  }),
  bodyLimit: Type.Integer({
    minimum: 1024,
    maximum: 512 * 1024 * 1024,
    default: 32 * 1024 * 1024,
    description: "maximum size of a graph's body, in bytes"
  }),
  maxNodes: Type.Integer({ minimum: 1, default: 100_000, description: 'maximum of nodes in a graph' }),
  maxEdges: Type.Integer({ minimum: 1, default: 500_000, description: 'maximum of edges in a graph' }),
  metadataLimit: Type.Integer({
    minimum: 1024,
    maximum: 512 * 1024 * 1024,
    default: METADATA_BYTES,
    description: 'maximum size of the metadata of a node, an edge or the graph, as JSON, in bytes'
  }),
  jobTimeout: Type.String({
    pattern: DURATION,
    default: '60s',
    examples: ['60s', '2m'],
    description: 'time limit of reading, writing or comparing a large file or body'
  }),
  jobMemory: Type.Integer({
    minimum: 64,
    maximum: 65_536,
    default: 768,
    description: 'memory limit of the same, in MiB; half of it for files and bodies up to 8 MiB'
  }),
  sessionIdle: Type.String({
    pattern: DURATION_OR_NONE,
    default: '8h',
    examples: ['8h', '0'],
    description: 'time after which an unused browser session expires; 0 disables it: tokens still expire after a day'
  }),
  sessionIdleRemembered: Type.String({
    pattern: DURATION_OR_NONE,
    default: '7d',
    examples: ['7d', '0'],
    description: 'the same for users who chose to be remembered; 0 disables it: tokens still expire after 30 days'
  }),
  rateRequests: byMinute(
    'requests of a user per minute, in the long run; bursts of ten times as many; 0 for no limit',
    60_000
  ),
  rateChanges: byMinute('the same for requests that make changes', 6000),
  rateBytes: Type.String({
    pattern: BYTES,
    default: '256MiB',
    examples: ['256MiB', '0'],
    description: 'the same for bytes that a user sends'
  }),
  rateDenials: byMinute('the same for requests that are denied', 60),
  rateAddress: byMinute('the same for requests of an address without a valid token', 6000),
  userQuota: Type.String({
    pattern: BYTES,
    default: '0',
    examples: ['1GiB', '0'],
    description: 'bytes that the graphs of one user may take, with all versions and the trash; 0 for no limit'
  }),
  userGraphs: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'number of graphs that one user may have, including the trash; 0 for no limit'
  }),
  minFree: Type.String({
    pattern: BYTES,
    default: '64MiB',
    examples: ['64MiB', '0'],
    description:
      'bytes of the disk reserved for deleting, logging in and recording; with less free, content is refused; 0 for none'
  }),
  keepVersions: optionalInteger({
    minimum: 1,
    description: 'maximum of versions kept of each graph, including the current one; default: all'
  }),
  trashDays: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
    description: 'days that deleted graphs stay in the trash; 0 deletes at once'
  }),
  auditKeyFile: optionalText({
    minLength: 1,
    description: 'file of the key that signs the audit log; default: audit.key beside the token key'
  }),
  auditCheckpointPublic: Type.Boolean({
    default: false,
    description: 'show the checkpoint of the audit log to everybody, without a token'
  }),
  auditLines: optionalText({
    minLength: 1,
    description: 'file to which each audit event is written as a line of JSON; - for standard output'
  }),
  every: optionalText({
    pattern: DURATION,
    examples: ['6h', '1d'],
    description: 'interval between backups, such as 6h or 1d; default: none'
  }),
  keep: Type.Integer({ minimum: 1, maximum: 100_000, default: 14, description: 'number of these backups to keep' }),
  backups: optionalText({ minLength: 1, description: 'folder of these backups; default: backups in the data folder' }),
  jwtSecretFile: optionalText({
    minLength: 1,
    description: 'file of the token key, at least 32 bytes; default: token.key in the data folder'
  })
} satisfies TProperties

/** The settings of the server as they were read. Durations and bytes are text for `quantities.ts`. */
export type Settings = Static<TObject<typeof serveSettings>>
