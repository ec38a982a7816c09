import { api, type GraphRecord, take } from '../api.ts'
import { saveFile } from '../shared/save-file.ts'
import { text } from '../text/index.ts'
import type { BulkKind } from './bulk-kinds.ts'
import { downloadGraph, type MediaType } from './formats.ts'
import { patchGraph } from './graphs.ts'
import { MAX_TAGS } from './tags.ts'
import { zipOf } from './zip.ts'

/** The user's choices for an action. Each action uses one of them at most. */
export interface BulkChoice {
  tags: string[]
  mediaType: MediaType
}

/** The maximum size of the files in one archive, in bytes, because they are kept in memory. */
const MAX_BYTES = 1024 ** 3

/** Thrown for a graph on which the action cannot be performed. The message is shown to the user. */
export class BulkLimit extends Error {}

/** The steps of an action. */
export interface BulkRun {
  /** Performs the action on one graph. */
  apply: (graph: GraphRecord) => Promise<unknown>
  /** Called after all graphs. */
  finish?: () => Promise<void>
}

/** Returns the steps of an action. */
export function bulkRun(kind: BulkKind, { tags, mediaType }: BulkChoice): BulkRun {
  switch (kind) {
    case 'addTags':
      return { apply: (graph) => setTags(graph, [...new Set([...(graph.tags ?? []), ...tags])]) }
    case 'removeTags':
      return {
        apply: (graph) =>
          setTags(
            graph,
            (graph.tags ?? []).filter((tag) => !tags.includes(tag))
          )
      }
    case 'share':
      return { apply: (graph) => setShared(graph, true) }
    case 'unshare':
      return { apply: (graph) => setShared(graph, false) }
    case 'delete':
      return { apply: ({ id }) => take(api.DELETE('/api/graphs/{id}', { params: { path: { id } } })) }
    case 'download':
      return downloadRun(mediaType)
  }
}

async function setTags(graph: GraphRecord, tags: string[]) {
  if (tags.length === (graph.tags ?? []).length) return
  if (tags.length > MAX_TAGS) throw new BulkLimit(text.bulk.tooManyTags)
  await patchGraph({ graph, changes: { tags } })
}

async function setShared({ id, shared: isShared }: GraphRecord, shared: boolean) {
  if (isShared !== shared) await take(api.PATCH('/api/graphs/{id}', { params: { path: { id } }, body: { shared } }))
}

function downloadRun(mediaType: MediaType): BulkRun {
  const files = new Map<string, Blob>()
  let bytes = 0
  return {
    apply: async ({ id }) => {
      const { blob, name } = await downloadGraph(id, mediaType)
      if (bytes + blob.size > MAX_BYTES) throw new BulkLimit(text.bulk.tooLarge)
      bytes += blob.size
      files.set(files.has(name) ? `${id}-${name}` : name, blob)
    },
    finish: async () => {
      if (files.size === 0) return
      saveFile(await zipOf([...files].map(([name, file]) => ({ name, file }))), 'graphs.zip')
    }
  }
}
