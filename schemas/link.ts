import { type Static, Type } from '@sinclair/typebox'
import { GraphRecord, Version } from './graph.ts'
import { GraphView, ViewName } from './saved-view.ts'
import {
  closedComponent,
  component,
  Id,
  ignored,
  ignoredUnshown,
  nullable,
  optionalText,
  ref,
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
  description: 'A name that tells the owner what the link is for. Visitors do not see it.',
  examples: ['For the paper']
})
const ShownVersion = Type.Integer({
  ...Version,
  description:
    'The version that the link shows, which is kept as long as the link exists; absent if the link shows the current version.',
  examples: [2]
})
const expiresAt = {
  format: 'date-time',
  description: 'When the link expires, in RFC 3339 format with any UTC offset. If absent, the link never expires.',
  examples: ['2027-01-31T00:00:00.000Z']
}
const Origins = Type.Array(
  Type.String({
    maxLength: 255,
    pattern: TEXT,
    description: 'The scheme, host and port of pages that may embed the link.',
    examples: ['https://wiki.example.org']
  }),
  {
    maxItems: MAX_ORIGINS,
    description: 'The origins of pages that may embed the link in a frame. If empty, no page may embed it.',
    examples: [['https://wiki.example.org']]
  }
)
const downloads = {
  description:
    'Whether visitors can download files in all formats. If not, they get only the data for the drawing, which includes all of the content.',
  examples: [false]
}
const preview = {
  description:
    'Whether anyone with the address, even without its fragment, can get a picture of the graph. Programs use it for link previews. Not available for links with a password.',
  examples: [false]
}
const shownView = {
  description:
    'The view that the link shows: the name of a saved view of the graph, or a view of its own. If absent, or if the saved view was deleted, the link shows the default view of the graph.',
  examples: ['Valjean and his neighbours']
}
const Password = Type.String({
  minLength: 8,
  maxLength: 256,
  pattern: TEXT,
  writeOnly: true,
  description: 'The password that visitors must enter, 8 to 256 characters.',
  examples: ['correct horse battery']
})

const maintained = {
  id: Id,
  publicId: Type.String({ description: 'Identifies the link in its address.', examples: ['uX3N0fXk9cVh2mQ0bSxJ4A'] }),
  url: Type.String({
    format: 'uri-reference',
    description:
      'The address for visitors. Its fragment is the secret, which browsers do not send to servers. Relative unless the server has `--public-url`.',
    examples: ['https://graphs.example.org/s/uX3N0fXk9cVh2mQ0bSxJ4A#secret']
  }),
  hasPassword: Type.Boolean({ description: 'Whether visitors must enter a password.', examples: [false] }),
  createdAt: Time,
  createdBy: Type.String({
    description: 'The login of the user who created the link; empty if it was erased.',
    examples: ['ada']
  }),
  openCount: Type.Integer({ minimum: 0, description: 'How often the link was opened.', examples: [12] }),
  lastOpenedAt: Type.Optional({ ...Time, description: 'When the link was last opened; absent if it never was.' })
}

/** A link that lets people without an account open a graph, as shown to its owner. */
export const Link = component('Link', 'A link that shows one graph to people without an account.', {
  ...maintained,
  name: Type.Optional(Name),
  version: Type.Optional(ShownVersion),
  view: Type.Optional(Type.Union([ViewName, ref(GraphView)], shownView)),
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
  view: Type.Optional(Type.Union([ViewName, ref(GraphView), Type.Null()], shownView)),
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
  'Changes to a link (JSON Merge Patch, RFC 7396). Absent fields stay the same; null removes a field.',
  { ...writable, ...readOnly, hasPassword: ignoredUnshown() }
)
export type LinkPatch = Static<typeof LinkPatch>

/** The body with which a visitor opens a link. A missing secret is treated as wrong. */
export const LinkOpening = closedComponent('LinkOpening', 'The secret of a link and, if required, its password.', {
  secret: optionalText({
    maxLength: 1024,
    writeOnly: true,
    description: 'The fragment of the link address.',
    examples: ['…']
  }),
  password: optionalText({ maxLength: 1024, writeOnly: true, description: 'The password, if the link has one.' })
})

export const LinkToken = component('LinkToken', 'A token that gives access to the graph of one link.', {
  token: Type.String({
    description:
      'A JSON Web Token for this link. Send it as `Authorization: Bearer …`. Other operations do not accept it.'
  }),
  token_type: Type.Literal('Bearer', { description: 'The authorization scheme (RFC 6750).' }),
  expires_in: Type.Integer({ minimum: 1, description: 'Number of seconds until the token expires.', examples: [900] })
})

const { name, type, description, tags, version, nodeCount, edgeCount, updatedAt } = GraphRecord.properties

/** A graph as visitors of a link see it, without its owner. */
export const LinkedGraph = component('LinkedGraph', 'A graph as visitors of a link see it.', {
  name,
  type,
  description,
  tags,
  version,
  isPinned: Type.Boolean({ description: 'Whether the link keeps showing this version when the graph changes.' }),
  nodeCount,
  edgeCount,
  updatedAt,
  downloads: Type.Boolean(downloads),
  expiresAt: optionalText(expiresAt),
  view: Type.Optional({ ...ref(GraphView), description: 'The view in which the link shows the graph, if it has one.' })
})
export type LinkedGraph = Static<typeof LinkedGraph>
