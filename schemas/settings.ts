import { type Static, type TObject, type TProperties, Type } from '@sinclair/typebox'
import { METADATA_BYTES } from './graph-content.ts'
import { BYTES, DURATION, DURATION_OR_NONE } from './quantities.ts'
import { oneOf, optionalInteger, optionalText } from './types.ts'

/** The settings for connecting to PostgreSQL. */
export const databaseSettings = {
  database: optionalText({
    minLength: 1,
    description: 'postgres:// URL of a database; default: an SQLite file in the data folder'
  }),
  databaseReplica: optionalText({
    minLength: 1,
    description: 'postgres:// URL of a standby of this database, for reading the audit trail; default: none'
  }),
  databasePoolSize: Type.Integer({
    // Background work occupies one connection while it runs.
    minimum: 2,
    maximum: 1000,
    default: 10,
    description: 'maximum number of connections to PostgreSQL, plus two for searches'
  }),
  databaseTls: oneOf(['off', 'require', 'verify'], {
    default: 'off',
    description: 'TLS to PostgreSQL, unless the URL has sslmode; verify checks the certificate'
  }),
  databaseCaFile: optionalText({
    minLength: 1,
    description: 'PEM file with the CA certificates to trust with verify; default: those of Node.js'
  }),
  databaseStatementTimeout: Type.Integer({
    minimum: 1,
    default: 30_000,
    description: 'time limit for a PostgreSQL statement, in milliseconds'
  })
} satisfies TProperties

/** The settings for the store, used by every command that opens it. */
export const storeSettings = {
  data: Type.String({ minLength: 1, default: './data', description: 'folder for the database, keys and backups' }),
  ...databaseSettings
} satisfies TProperties

/** The settings for the SQLite file, used by commands that work on the file itself. */
export const fileSettings = { data: storeSettings.data } satisfies TProperties

const networkSettings = {
  host: Type.String({ minLength: 1, default: '127.0.0.1', description: 'address to listen on' }),
  port: Type.Integer({
    minimum: 0,
    maximum: 65535,
    default: 8080,
    description: 'port to listen on; 0 picks a free one'
  }),
  publicUrl: optionalText({
    pattern: '^https?://[^/?#@\\s]+/?$',
    examples: ['https://graphs.example.org'],
    description:
      'URL at which browsers reach the server, for links and single sign-on; requests for other hosts are refused; default: any host'
  }),
  tlsCert: optionalText({
    minLength: 1,
    description: 'PEM file with the certificate and its chain; enables TLS; reloaded on SIGHUP'
  }),
  tlsKey: optionalText({ minLength: 1, description: "PEM file with the certificate's private key" }),
  workers: Type.String({
    pattern: '^(?:auto|[1-9][0-9]{0,2})$',
    default: 'auto',
    examples: ['auto', '4'],
    description: 'number of processes that serve requests; auto starts more under load, up to the number of CPU cores'
  }),
  trustProxy: Type.String({
    default: '',
    description: 'proxies whose X-Forwarded-For header is trusted: true, or comma-separated addresses and networks'
  }),
  maxConnections: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 10_000,
    description: 'maximum number of open connections; one address may open half of them'
  }),
  minRate: Type.Integer({
    minimum: 1,
    default: 4096,
    description: 'minimum speed of uploads and downloads, in bytes per second; slower clients are disconnected'
  })
} satisfies TProperties

/** The settings for signing in; see docs/sign-in.md, docs/second-factor.md and docs/single-sign-on.md. */
const signInSettings = {
  passwordLogin: oneOf(['on', 'off'], {
    default: 'on',
    description: 'off lets only administrators sign in with a password'
  }),
  requireSecondFactor: oneOf(['off', 'admins', 'all'], {
    default: 'off',
    description: 'who needs two-factor authentication to sign in with a password'
  }),
  sessionIdle: Type.String({
    pattern: DURATION_OR_NONE,
    default: '8h',
    examples: ['8h', '0'],
    description:
      'idle time after which a browser session expires; 0 disables this limit, but sessions still expire after a day'
  }),
  sessionIdleRemembered: Type.String({
    pattern: DURATION_OR_NONE,
    default: '7d',
    examples: ['7d', '0'],
    description:
      'the same limit with "Keep me signed in"; 0 disables this limit, but sessions still expire after 30 days'
  }),
  oidcIssuer: optionalText({
    minLength: 1,
    description:
      'issuer of the identity provider (OpenID Connect): an https URL, or http on loopback; enables single sign-on'
  }),
  oidcName: Type.String({
    minLength: 1,
    maxLength: 50,
    default: 'single sign-on',
    description: 'name of the identity provider on the sign-in button'
  }),
  oidcClientId: optionalText({ minLength: 1, description: 'client ID of Graphstead at the provider' }),
  oidcClientSecretFile: optionalText({
    minLength: 1,
    description: 'file with the client secret; default: none, for a public client'
  }),
  oidcLoginClaim: Type.String({
    minLength: 1,
    default: 'preferred_username',
    description: 'ID token claim that becomes the username of a new user'
  }),
  oidcRoleClaim: optionalText({
    minLength: 1,
    description: 'ID token claim that sets the role at each sign-in; default: none'
  }),
  oidcAdminValues: optionalText({
    minLength: 1,
    description: 'comma-separated values of this claim that grant the role ADMIN'
  }),
  oidcAuditorValues: optionalText({
    minLength: 1,
    description: 'comma-separated values of this claim that grant the role AUDITOR'
  }),
  oidcCreateUsers: oneOf(['on', 'off'], {
    default: 'off',
    description: 'on creates a user when an unknown person signs in through the provider'
  }),
  jwtSecretFile: optionalText({
    minLength: 1,
    description: 'file with the key that signs tokens, at least 32 bytes; default: token.key in the data folder'
  })
} satisfies TProperties

const rate = { minimum: 0, maximum: 1_000_000_000 }

const limitSettings = {
  links: oneOf(['on', 'off'], {
    default: 'on',
    description: 'off disables all links for people without an account, but does not delete them'
  }),
  bodyLimit: Type.Integer({
    minimum: 1024,
    maximum: 512 * 1024 * 1024,
    default: 32 * 1024 * 1024,
    description: 'maximum size of an uploaded graph, in bytes'
  }),
  maxNodes: Type.Integer({ minimum: 1, default: 100_000, description: 'maximum number of nodes in a graph' }),
  maxEdges: Type.Integer({ minimum: 1, default: 500_000, description: 'maximum number of edges in a graph' }),
  metadataLimit: Type.Integer({
    minimum: 1024,
    maximum: 512 * 1024 * 1024,
    default: METADATA_BYTES,
    description: 'maximum size of the metadata of one node, one edge or the graph, as JSON, in bytes'
  }),
  jobTimeout: Type.String({
    pattern: DURATION,
    default: '60s',
    examples: ['60s', '2m'],
    description: 'time limit for reading, writing or comparing a large graph'
  }),
  jobMemory: Type.Integer({
    minimum: 64,
    maximum: 65_536,
    default: 768,
    description: 'memory limit for these jobs, in MiB; halved for graphs of up to 8 MiB'
  }),
  rateUser: Type.Integer({
    ...rate,
    default: 60_000,
    description: 'requests per minute per user; the limits on changes, bytes and denials scale with it; 0 for no limit'
  }),
  rateAddress: Type.Integer({
    ...rate,
    default: 6000,
    description: 'requests per minute per address without a valid token; 0 for no limit'
  }),
  userQuota: Type.String({
    pattern: BYTES,
    default: '0',
    examples: ['1GiB', '0'],
    description: 'storage for the graphs of one user, including versions and trash, such as 1GiB; 0 for no limit'
  }),
  userGraphs: Type.Integer({
    minimum: 0,
    maximum: 1_000_000_000,
    default: 0,
    description: 'maximum number of graphs of one user, including the trash; 0 for no limit'
  }),
  minFree: Type.String({
    pattern: BYTES,
    default: '64MiB',
    examples: ['64MiB', '0'],
    description: 'free disk space below which the server refuses new content; 0 for no limit'
  })
} satisfies TProperties

const retentionSettings = {
  keepVersions: optionalInteger({
    minimum: 1,
    description: 'number of versions to keep of each graph, including the current one; default: all'
  }),
  trashDays: Type.Integer({
    minimum: 0,
    maximum: 36_500,
    default: 30,
    description: 'days until deleted graphs are removed permanently; 0 removes them at once'
  }),
  every: optionalText({
    pattern: DURATION,
    examples: ['6h', '1d'],
    description: 'interval between backups, such as 6h or 1d; default: no backups'
  }),
  keep: Type.Integer({ minimum: 1, maximum: 100_000, default: 14, description: 'number of scheduled backups to keep' }),
  backups: optionalText({
    minLength: 1,
    description: 'folder for scheduled backups; default: backups in the data folder'
  })
} satisfies TProperties

const auditSettings = {
  auditKeyFile: optionalText({
    minLength: 1,
    description: 'file with the key that signs the audit log; default: audit.key beside the token key'
  }),
  auditCheckpointPublic: Type.Boolean({
    default: false,
    description: 'serve the checkpoint of the audit log without a token'
  }),
  auditLines: optionalText({
    minLength: 1,
    description: 'file to which each audit event is appended as a line of JSON; - for standard output'
  })
} satisfies TProperties

const monitoringSettings = {
  logLevel: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    default: 'info',
    description: 'lowest level to log'
  }),
  metricsPort: optionalInteger({
    minimum: 0,
    maximum: 65535,
    description: 'port that serves /metrics without authentication; default: on the main port, for administrators'
  })
} satisfies TProperties

/** The server's settings, under the headings of its help. */
export const settingGroups = {
  Network: networkSettings,
  Store: storeSettings,
  'Sign-in': signInSettings,
  Limits: limitSettings,
  'Versions, trash and backups': retentionSettings,
  'Audit log': auditSettings,
  Monitoring: monitoringSettings
}

/**
 * The server's settings, which are read once at startup. The setting `bodyLimit` corresponds to the flag `--body-limit` and the
 * variable `GRAPHSTEAD_BODY_LIMIT`.
 */
export const serveSettings = {
  ...networkSettings,
  ...storeSettings,
  ...signInSettings,
  ...limitSettings,
  ...retentionSettings,
  ...auditSettings,
  ...monitoringSettings
} satisfies TProperties

const { host, port, publicUrl, tlsCert, tlsKey, trustProxy } = networkSettings
const { data, database } = storeSettings

/** The settings that most people need. The help shows the rest on request. */
export const commonSettings = {
  ...{ host, port, data, database, publicUrl, tlsCert, tlsKey, trustProxy },
  ...{ oidcIssuer: signInSettings.oidcIssuer, every: retentionSettings.every }
} satisfies TProperties

/** The server's settings after they are read. Durations and sizes are still text, to be parsed by `quantities.ts`. */
export type Settings = Static<TObject<typeof serveSettings>>
