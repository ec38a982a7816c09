import { randomBytes } from 'node:crypto'
import { system, UserActor } from '../../db/actors.ts'
import { GraphChanges, keepEverything } from '../../db/changes/graphs.ts'
import type { GraphValues } from '../../db/changes/rows.ts'
import { createLink } from '../../db/sharing/links.ts'
import type { Store } from '../../db/store.ts'
import type { UserRow } from '../../db/tables.ts'
import { hashPassword } from '../../db/users/passwords.ts'
import { createUser } from '../../db/users/users.ts'
import { contentChecker, prepareContent } from '../../graph/content/content.ts'
import type { GraphContent } from '../../schemas/graph-content.ts'
import { serveSettings } from '../../schemas/settings.ts'
import { type DemoVersions, loadDemoGraphs } from './graphs.ts'

/** The user of a new demo, and the graph that has a link. */
export interface Demo {
  user: UserRow
  password: string
  /** The id of the graph that has a link. */
  linked: number
}

const graphs = new GraphChanges(keepEverything)
const check = contentChecker({
  maxNodes: serveSettings.maxNodes.default,
  maxEdges: serveSettings.maxEdges.default,
  bodyLimit: serveSettings.bodyLimit.default
})

/** Fills an empty store with the demo's user, the graphs with their versions, and a link to the last graph. */
export async function createDemo(store: Store): Promise<Demo> {
  const password = randomBytes(9).toString('base64url')
  const values = { login: 'demo', passwordHash: await hashPassword(password), role: 'AUDITOR', enabled: true } as const
  const user = await store.write((trx) => createUser(trx, system, values))
  if (!user) throw new Error('the demo needs an empty store')
  const actor = new UserActor(user.login, user.role, user.id)
  let linked = 0
  for (const { tags, versions, ...values } of await loadDemoGraphs()) {
    linked = await createGraph(store, actor, { ...values, shared: false, tags: JSON.stringify(tags) }, versions)
  }
  await store.write((trx) => createLink(trx, actor, linked, { name: 'For visitors', downloads: true }))
  return { user, password, linked }
}

/** Creates a graph with these versions, each in its own transaction. The actor owns it. Returns the graph's id. */
async function createGraph(store: Store, actor: UserActor, values: GraphValues, [first, ...later]: DemoVersions) {
  const creation = { values, message: first.message, content: stored(first.content) }
  const { id } = await store.write((trx) => graphs.create(trx, actor, creation))
  for (const { message, content, restores } of later) {
    await store.write((trx) =>
      restores === undefined
        ? graphs.change(trx, actor, id, anyState, { message, content: stored(content) })
        : graphs.restore(trx, actor, id, anyState, { message, version: restores })
    )
  }
  return id
}

function anyState() {}

function stored(content: GraphContent | undefined) {
  return prepareContent(content, check).stored
}
