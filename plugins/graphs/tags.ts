import { Type } from '@sinclair/typebox'
import { countTags, listTags, tagSortKey } from '../../db/graphs/tags.ts'
import { listQuery } from '../../schemas/parameters.ts'
import { answer, pageHeaders, refusals } from '../../schemas/responses.ts'
import { TagCount, tagSorts } from '../../schemas/tag.ts'
import { ref } from '../../schemas/types.ts'
import type { Plugin } from '../http/plugin.ts'

/** Lists the tags of the graphs that the caller may read. The context authenticates the caller. */
const tags: Plugin = async (app) => {
  const { store } = app

  app.get('/tags', {
    config: { scope: 'read:graphs' },
    schema: {
      tags: ['graphs'],
      operationId: 'listTags',
      summary: 'List tags',
      description:
        'Returns a page of the tags of graphs that the caller can read, each with its number of graphs, sorted by tag by default.',
      querystring: listQuery({}, tagSorts),
      response: { 200: answer(Type.Array(ref(TagCount)), 'A page of tags.', pageHeaders), ...refusals(400) }
    },
    handler: async ({ actor }, reply) => {
      return reply.sendPage({
        path: '/api/tags',
        key: 'tag',
        direction: 'asc',
        rows: (slice) => listTags(store.scan, actor, slice),
        count: () => countTags(store.scan, actor),
        sortKey: tagSortKey
      })
    }
  })
}

export default tags
