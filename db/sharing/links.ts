import { hash, randomBytes, randomInt } from 'node:crypto'
import { MAX_LINKS } from '../../schemas/link.ts'
import { faultAs, invalid, ProblemError } from '../../schemas/problem-catalogue.ts'
import type { Actor } from '../actors.ts'
import { describeChanges, recordEvent } from '../audit/events.ts'
import { prepared } from '../engine/prepared.ts'
import { requireGraph, requireRight } from '../graphs/access.ts'
import { findGraph, targetOf } from '../graphs/graphs.ts'
import { findView } from '../graphs/saved-views.ts'
import type { Db, Trx } from '../store.ts'
import type { GraphRow, LinkRow } from '../tables.ts'
import { requireLink, type ShownView, shownViewOf } from './link-visits.ts'
import { tellOpenings } from './opening-counts.ts'

// Links to graphs, for people without an account. Only owners can create them. A link belongs to the graph, not to its versions,
// and remains when the owner changes. If the graph is in the trash, its links remain too, but show nothing until the graph is
// restored.

/** The fields of a link that its owner can set. */
export interface LinkValues extends Pick<LinkRow, 'name' | 'version' | 'expiresAt' | 'passwordHash'> {
  origins: readonly string[]
  downloads: boolean
  preview: boolean
  view: ShownView | null
}

const NO_VALUES: LinkValues = {
  name: null,
  version: null,
  expiresAt: null,
  passwordHash: null,
  origins: [],
  downloads: false,
  preview: false,
  view: null
}

/**
 * Returns the graph if the actor may manage its links. Inside a transaction, also locks the row. Throws `graph-not-found` or
 * `forbidden`.
 */
export async function requireLinkable(db: Db, actor: Actor, id: number) {
  return requireRight(actor, 'OWNER', requireGraph(await findGraph(db, actor, id)))
}

const selectLinks = prepared((db, { graphId }: { graphId: number }) =>
  db.selectFrom('link').selectAll().where('graphId', '=', graphId).orderBy('id')
)

/** Returns the graph's links, oldest first. Throws `graph-not-found` or `forbidden`. */
export async function listLinks(db: Db, actor: Actor, id: number): Promise<readonly LinkRow[]> {
  await requireLinkable(db, actor, id)
  return selectLinks(db, { graphId: id })
}

/**
 * Creates a link to the graph and returns it. Throws `graph-not-found`, `forbidden`, `version-not-found`, `too-many-links` or
 * `validation-failed`.
 */
export async function createLink(trx: Trx, actor: Actor, id: number, values: Partial<LinkValues>): Promise<LinkRow> {
  const graph = await requireLinkable(trx, actor, id)
  if ((await selectLinks(trx, { graphId: id })).length >= MAX_LINKS) {
    throw new ProblemError('too-many-links', {
      detail: `A graph can have at most ${MAX_LINKS} links. Revoke some first.`
    })
  }
  const { origins, view, ...chosen } = { ...NO_VALUES, ...values }
  requirePreviewable(chosen)
  await requireKept(trx, graph, chosen.version)
  await requireShown(trx, id, view)
  const row = {
    ...chosen,
    origins: JSON.stringify(origins),
    view: view && JSON.stringify(view),
    graphId: id,
    publicId: randomBytes(16).toString('base64url'),
    salt: randomBytes(16).toString('base64url'),
    tokenVersion: newTokenVersion(),
    createdAt: new Date().toISOString(),
    createdBy: actor.principal
  }
  const link = await trx.insertInto('link').values(row).returningAll().executeTakeFirstOrThrow()
  const data = describeChanges({}, describeLink(link))
  await recordEvent(trx, actor, {
    type: 'LINK_CREATED',
    target: targetOf(graph),
    data: { link: String(link.id), ...data }
  })
  return link
}

/**
 * Updates one of the graph's links and returns it. Setting or removing the password invalidates the tokens of current visitors.
 * Does nothing if nothing has changed. Throws `graph-not-found`, `forbidden`, `link-not-found`, `version-not-found` or
 * `validation-failed`.
 */
export async function updateLink(
  trx: Trx,
  actor: Actor,
  { id, linkId }: { id: number; linkId: number },
  values: Partial<LinkValues>
): Promise<LinkRow> {
  const graph = await requireLinkable(trx, actor, id)
  const before = requireLink((await selectLinks(trx, { graphId: id })).find((link) => link.id === linkId))
  const { origins, view, ...chosen } = values
  const hasNewPassword = chosen.passwordHash !== undefined && chosen.passwordHash !== before.passwordHash
  const after = {
    ...before,
    ...chosen,
    ...(origins && { origins: JSON.stringify(origins) }),
    ...(view !== undefined && { view: view && JSON.stringify(view) }),
    ...(hasNewPassword && { tokenVersion: newTokenVersion() })
  }
  requirePreviewable(after)
  if (after.version !== before.version) await requireKept(trx, graph, after.version)
  if (after.view !== before.view) await requireShown(trx, id, view)
  const data: Record<string, string> = describeChanges(describeLink(before), describeLink(after))
  if (hasNewPassword && after.passwordHash !== null && before.passwordHash !== null) data.password = 'replaced'
  if (Object.keys(data).length === 0) return before
  const { name, version, expiresAt, passwordHash, downloads, preview, tokenVersion } = after
  await trx
    .updateTable('link')
    .set({
      name,
      version,
      expiresAt,
      passwordHash,
      origins: after.origins,
      downloads: Boolean(downloads),
      preview: Boolean(preview),
      view: after.view,
      tokenVersion
    })
    .where('id', '=', linkId)
    .execute()
  await recordEvent(trx, actor, {
    type: 'LINK_UPDATED',
    target: targetOf(graph),
    data: { link: String(linkId), ...data }
  })
  return after
}

/** Revokes one of the graph's links. Throws `graph-not-found`, `forbidden` or `link-not-found`. */
export async function revokeLink(trx: Trx, actor: Actor, id: number, linkId: number) {
  const graph = await requireLinkable(trx, actor, id)
  const removed = await trx
    .deleteFrom('link')
    .where('id', '=', linkId)
    .where('graphId', '=', id)
    .returningAll()
    .executeTakeFirst()
  const link = requireLink(removed)
  await tellOpenings(trx, targetOf(graph), link)
  const data = { link: String(linkId), ...describeChanges(describeLink(link), {}) }
  await recordEvent(trx, actor, { type: 'LINK_REVOKED', target: targetOf(graph), data })
}

/** Removes the links of a permanently deleted graph. */
export async function removeLinksOfGraph(trx: Trx, graph: Pick<GraphRow, 'id' | 'name'>) {
  const removed = await trx.deleteFrom('link').where('graphId', '=', graph.id).returningAll().execute()
  for (const link of removed) await tellOpenings(trx, targetOf(graph), link)
}

/**
 * Removes all links except those whose public ids are in `kept`, so that restoring a backup does not bring back revoked links.
 */
export async function keepLinks(trx: Trx, kept: ReadonlySet<string>) {
  const links = await trx.selectFrom('link').select(['id', 'publicId']).execute()
  for (const { id } of links.filter(({ publicId }) => !kept.has(publicId))) {
    await trx.deleteFrom('link').where('id', '=', id).execute()
  }
}

/** Returns the origins whose pages may embed the graph in a frame. */
export function originsOf({ origins }: Pick<LinkRow, 'origins'>): string[] {
  return JSON.parse(origins)
}

/** Throws `validation-failed` if the link would show a saved view that the graph does not have. */
async function requireShown(trx: Trx, graphId: number, view: ShownView | null | undefined) {
  if (typeof view !== 'string' || (await findView(trx, graphId, view))) return
  throw invalid({ pointer: '#/view', code: 'view-not-found', detail: 'is not a saved view of this graph' })
}

/** Throws `version-not-found` if the link would show a version that the graph does not have. */
async function requireKept(trx: Trx, graph: Pick<GraphRow, 'id' | 'version'>, version: number | null) {
  if (version === null || version === graph.version) return
  const kept = await trx
    .selectFrom('graphVersion')
    .select('version')
    .where('graphId', '=', graph.id)
    .where('version', '=', version)
    .executeTakeFirst()
  if (kept) return
  throw faultAs({ pointer: '#/version', code: 'version-not-found', detail: 'is not a version of this graph' })
}

/** Throws `validation-failed` if the link has both a password and a public preview. */
function requirePreviewable({ preview, passwordHash }: Pick<LinkRow, 'preview' | 'passwordHash'>) {
  if (!preview || passwordHash === null) return
  throw invalid({ pointer: '#/preview', code: 'has-password', detail: 'cannot be true for a link with a password' })
}

/** Returns a random version, so that a row restored from a backup does not make old tokens valid again. */
function newTokenVersion() {
  return randomInt(2 ** 47)
}

/**
 * Returns the fields of a link that are recorded in events. A view of the link's own is recorded as its hash, because it may name
 * nodes.
 */
function describeLink({ name, version, expiresAt, passwordHash, origins, downloads, preview, view }: LinkRow) {
  const shown = shownViewOf({ view })
  return {
    name,
    version,
    expiresAt,
    hasPassword: passwordHash !== null,
    origins: originsOf({ origins }).join(' ') || null,
    downloads: Boolean(downloads),
    preview: Boolean(preview),
    view: view !== null && typeof shown === 'object' ? `sha256:${hash('sha256', view)}` : shown
  }
}
