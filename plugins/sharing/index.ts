import type { FastifyInstance } from 'fastify'
import type { Services } from '../http/services.ts'
import grants from './grants.ts'
import { groupChanges, groups } from './groups.ts'
import { LinkAddresses } from './link-addresses.ts'
import linkPage from './link-page.ts'
import linkTokens from './link-tokens.ts'
import linkVisits from './link-visits.ts'
import links from './links.ts'

const prefix = '/api'

/** Registers the tokens for link visitors. */
export async function provide(app: FastifyInstance, { keyFor }: Services) {
  await app.register(linkTokens, { key: keyFor('link token') })
}

export async function serveVisitors(visitors: FastifyInstance, services: Services) {
  const { program, layouts, pictures } = services
  await visitors.register(linkPage, { files: program.webApp(), pictures, ...linkSettingsOf(services) })
  await visitors.register(linkVisits, { prefix, layouts, pictures, ...linkSettingsOf(services) })
}

export async function serveUsers(work: FastifyInstance, services: Services) {
  await work.register(grants, { prefix })
  await work.register(links, { prefix, ...linkSettingsOf(services) })
  await work.register(groups, { prefix })
}

export async function serveAdministrators(administration: FastifyInstance) {
  await administration.register(groupChanges, { prefix })
}

function linkSettingsOf({ settings: { links, publicUrl }, keyFor }: Services) {
  return { addresses: new LinkAddresses(keyFor('link'), publicUrl), isOn: links === 'on' }
}
