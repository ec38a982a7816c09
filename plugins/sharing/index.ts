import type { FastifyInstance } from 'fastify'
import grants from '../grants.ts'
import { groupChanges, groups } from '../groups.ts'
import type { Services } from '../http/services.ts'
import linkPage from '../link-page.ts'
import linkTokens from '../link-tokens.ts'
import linkVisits from '../link-visits.ts'
import links from '../links.ts'

const prefix = '/api'

/** Provides what all routes share: the tokens of links. */
export async function provide(app: FastifyInstance, { keyFor }: Services) {
  await app.register(linkTokens, { key: keyFor('link token') })
}

export async function serveVisitors(
  visitors: FastifyInstance,
  { settings: { links }, program, addresses, pictures }: Services
) {
  const isOn = links === 'on'
  await visitors.register(linkPage, { files: program.webApp(), addresses, isOn, pictures })
  await visitors.register(linkVisits, { prefix, addresses, isOn, pictures })
}

export async function serveUsers(work: FastifyInstance, { settings, addresses }: Services) {
  await work.register(grants, { prefix })
  await work.register(links, { prefix, addresses, isOn: settings.links === 'on' })
  await work.register(groups, { prefix })
}

export async function serveAdministrators(administration: FastifyInstance) {
  await administration.register(groupChanges, { prefix })
}
