import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, Version } from './graph.ts'
import {
  closedComponent,
  component,
  Id,
  ignored,
  ignoredUnshown,
  nullable,
  optionalText,
  TEXT,
  TEXT_NOT_BLANK,
  Time
} from './types.ts'

/** The maximum number of links per graph. */
export const MAX_LINKS = 100

/** The maximum number of origins per link. */
const MAX_ORIGINS = 20

const Name = Type.String({
  minLength: 1,
  maxLength: 255,
  pattern: TEXT_NOT_BLANK,
  description: 'A name that tells its owner what the link is for; visitors do not see it.',
  examples: ['For the paper']
})
const ShownVersion = Type.Integer({
  ...Version,
  description: 'The version that the link shows, which is kept for it; absent if the link shows the graph as it is.',
  examples: [2]
})
const expiresAt = {
  format: 'date-time',
  description: 'The time from which the link is refused; never if absent. RFC 3339, also with an offset from UTC.',
  examples: ['2027-01-31T00:00:00.000Z']
}
const Origins = Type.Array(
  Type.String({
    maxLength: 255,
    pattern: TEXT,
    description: 'Scheme, host and port of pages that may have the link in a frame.',
    examples: ['https://wiki.example.org']
  }),
  {
    maxItems: MAX_ORIGINS,
    description: 'The origins whose pages may show the link in a frame; without any, no page may.',
    examples: [['https://wiki.example.org']]
  }
)
const downloads = {
  description: 'Whether visitors get files in all formats. Without, they get what a drawing needs: all of the content.',
  examples: [false]
}
const preview = {
  description:
    'Whether everybody who has the address, even without its fragment, gets a picture of the graph: for programs that show one beside the link. Not with a password.',
  examples: [false]
}
const Password = Type.String({
  minLength: 8,
  maxLength: 256,
  pattern: TEXT,
  writeOnly: true,
  description: 'A password that visitors are asked for; 8 to 256 characters.',
  examples: ['correct horse battery']
})

const maintained = {
  id: Id,
  publicId: Type.String({ description: 'Names the link in its address.', examples: ['uX3N0fXk9cVh2mQ0bSxJ4A'] }),
  url: Type.String({
    format: 'uri-reference',
    description:
      'The address for visitors. Its fragment is the secret, which browsers send to no server. Relative unless the server has `--public-url`.',
    examples: ['https://graphs.example.org/s/uX3N0fXk9cVh2mQ0bSxJ4A#secret']
  }),
  hasPassword: Type.Boolean({ description: 'Whether visitors are asked for a password.', examples: [false] }),
  createdAt: Time,
  createdBy: Type.String({ description: 'The actor who made it; empty if the login was erased.', examples: ['ada'] }),
  openCount: Type.Integer({ minimum: 0, description: 'How often it was opened.', examples: [12] }),
  lastOpenedAt: Type.Optional({ ...Time, description: 'When it was opened last; absent if it never was.' })
}

/** A link as its owner sees it, which opens a graph to people without an account. */
export const Link = component('Link', 'A link that shows one graph to people without an account.', {
  ...maintained,
  name: Type.Optional(Name),
  version: Type.Optional(ShownVersion),
  expiresAt: optionalText(expiresAt),
  origins: Origins,
  downloads: Type.Boolean(downloads),
  preview: Type.Boolean(preview)
})
export type Link = Static<typeof Link>

/** The fields that clients can set. Null means absent. */
const writable = {
  name: Type.Optional(nullable(Name)),
  version: Type.Optional(nullable(ShownVersion)),
  expiresAt: Type.Optional(nullable(Type.String(expiresAt))),
  password: Type.Optional(nullable(Password)),
  origins: Type.Optional(nullable(Origins)),
  downloads: Type.Optional(Type.Boolean(downloads)),
  preview: Type.Optional(Type.Boolean(preview))
}
const readOnly = Object.fromEntries(Object.entries(maintained).map(([name, schema]) => [name, ignored(schema)])) as {
  [Name in keyof typeof maintained]: ReturnType<typeof ignored>
}

export const LinkCreate = closedComponent('LinkCreate', 'A new link to a graph.', {
  ...writable,
  ...readOnly,
  hasPassword: ignoredUnshown()
})
export type LinkCreate = Static<typeof LinkCreate>

export const LinkPatch = closedComponent(
  'LinkPatch',
  'Changes to a link (JSON Merge Patch, RFC 7396): absent fields stay, null removes.',
  { ...writable, ...readOnly, hasPassword: ignoredUnshown() }
)
export type LinkPatch = Static<typeof LinkPatch>

/** The body with which visitors open a link. A missing secret is a wrong one. */
export const LinkOpening = closedComponent('LinkOpening', 'The secret of a link, and its password.', {
  secret: optionalText({
    maxLength: 1024,
    writeOnly: true,
    description: 'The fragment of the address.',
    examples: ['…']
  }),
  password: optionalText({ maxLength: 1024, writeOnly: true, description: 'The password, if the link has one.' })
})

export const LinkToken = component('LinkToken', 'A token that shows the graph of one link.', {
  token: Type.String({
    description: 'A JSON Web Token for this link; send it as `Authorization: Bearer …`. No other operation takes it.'
  }),
  token_type: Type.Literal('Bearer', { description: 'The authorization scheme (RFC 6750).' }),
  expires_in: Type.Integer({ minimum: 1, description: 'Seconds until it expires.', examples: [900] })
})

const { name, type, description, tags, version, nodeCount, edgeCount, updatedAt } = GraphRecord.properties

/** A graph as the visitors of a link see it: its owner stays unnamed. */
export const LinkedGraph = component('LinkedGraph', 'A graph as the visitors of a link see it.', {
  name,
  type,
  description,
  tags,
  version,
  isPinned: Type.Boolean({ description: 'Whether the link shows this version, whatever comes later.' }),
  nodeCount,
  edgeCount,
  updatedAt,
  downloads: Type.Boolean(downloads),
  expiresAt: optionalText(expiresAt)
})
export type LinkedGraph = Static<typeof LinkedGraph>
