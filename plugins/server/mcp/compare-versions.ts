import type { DiffDigest } from '../../../schemas/diff.ts'
import { CompareVersions } from '../../../schemas/tools.ts'
import { compareVersions } from '../../http/contents/compare-versions.ts'
import { counted, defineTool, findNamedGraph } from './tool.ts'

/** The maximum length of each list of changes. */
const LIMIT = 50

export const compareVersionsTool = defineTool({
  name: 'compare_versions',
  title: 'Compare two versions of a graph',
  description:
    'Returns the fields, nodes and edges that differ between two versions of a graph: by default, between the current version and the one before. Lines are marked - for removed, + for added and ~ for changed.',
  ...CompareVersions,
  async run(call, { graph, from, to }) {
    const { id } = await findNamedGraph(call, graph)
    const { bytes, ...versions } = await compareVersions(call.reply.request.actor, call.store, call.worker, id, {
      from,
      to,
      as: 'digest',
      limit: LIMIT
    })
    const digest = JSON.parse(bytes.toString()) as DiffDigest
    const { fields, nodes, edges, truncated, text } = digest
    const countsOf = ({ added, removed, changed }: DiffDigest['nodes']) =>
      `${added} added, ${removed} removed, ${changed} changed`
    return {
      summary: `Graph ${id}, version ${versions.from} to ${versions.to}: ${counted(fields, 'field')} changed; nodes: ${countsOf(nodes)}; edges: ${countsOf(edges)}.${truncated ? ' The text omits some changes.' : ''}`,
      data: { graph: id, ...versions, ...digest },
      text
    }
  }
})
