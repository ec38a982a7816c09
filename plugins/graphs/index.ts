import type { FastifyInstance } from 'fastify'
import type { Services } from '../http/services.ts'
import { ContentCache } from './content-cache.ts'
import contentPatches from './content-patches.ts'
import copies from './copies.ts'
import diff from './diff.ts'
import graphFiles from './files.ts'
import graphs from './graphs.ts'
import indexing from './indexing.ts'
import keyedGraphs from './keyed.ts'
import layouts from './layouts.ts'
import graphLists from './lists.ts'
import graphParts from './parts.ts'
import pictures from './pictures.ts'
import graphReplies from './replies.ts'
import savedViews from './saved-views.ts'
import search from './search.ts'
import tags from './tags.ts'
import trash from './trash.ts'
import versions from './versions.ts'

const prefix = '/api'

/** Registers indexing, and the reply methods that send graphs, for all routes. */
export async function provide(app: FastifyInstance, { worker, keyFor }: Services) {
  await app.register(indexing, { worker })
  await app.register(graphReplies, { worker, contents: new ContentCache(), etagKey: keyFor('link etag') })
}

/** Registers the plugins with routes that add content. The context checks for free disk space. */
export async function serveContents(contents: FastifyInstance, { settings: { bodyLimit }, worker }: Services) {
  await contents.register(graphs, { prefix, bodyLimit, worker })
  await contents.register(graphFiles, { prefix, bodyLimit, worker })
  await contents.register(contentPatches, { prefix, bodyLimit, worker })
  await contents.register(keyedGraphs, { prefix, bodyLimit, worker })
  await contents.register(versions, { prefix, worker })
  await contents.register(copies, { prefix, worker })
}

export async function serveUsers(work: FastifyInstance, { worker, layouts: placed, pictures: drawn }: Services) {
  await work.register(graphParts, { prefix, worker })
  await work.register(layouts, { prefix, layouts: placed })
  await work.register(pictures, { prefix, pictures: drawn })
  await work.register(graphLists, { prefix })
  await work.register(search, { prefix, worker })
  await work.register(diff, { prefix, worker })
  await work.register(trash, { prefix })
  await work.register(tags, { prefix })
  await work.register(savedViews, { prefix })
}
