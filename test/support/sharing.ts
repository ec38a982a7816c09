import type { Test } from 'tap'
import type { Store } from '../../db/store.ts'
import type { Settings } from '../../schemas/settings.ts'
import { build, triangle } from './helper.ts'

/** The path of the grants to the graph that `prepare` creates. */
export const access = '/api/graphs/1/access'

/** Starts a server with a graph owned by ada, the users bob, cy and eve, and a group `lab` with the member cy. */
export async function prepare(t: Test, graph: object = {}, settings: Partial<Settings> = {}) {
  const server = await build(t, settings)
  const { as, tokenOf } = server
  for (const login of ['bob', 'cy', 'eve']) await tokenOf(login)
  await as('ada').post('/api/graphs', { ...triangle, ...graph })
  await as('root').post('/api/groups', { name: 'lab' })
  await as('root').put('/api/groups/lab/members/cy')
  return server
}

/** Returns the stored grants, including those that have no effect. */
export const grantsOf = (store: Store) =>
  store.read.selectFrom('graphGrant').select(['graphId', 'granteeType', 'access']).orderBy('graphId').execute()
