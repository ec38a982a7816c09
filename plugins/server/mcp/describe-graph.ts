import { countVersions } from '../../../db/lists/versions.ts'
import type { AttributeSummary } from '../../../schemas/graph-part.ts'
import { ProblemError } from '../../../schemas/problem-catalogue.ts'
import { DescribeGraph } from '../../../schemas/tools.ts'
import { findMatches } from '../../http/contents/find-matches.ts'
import { GraphParts } from '../../http/contents/graph-parts.ts'
import { counted, defineTool, findNamedGraph, shortened, toToolGraph, toToolNode } from './tool.ts'

/** The maximum length of a description in the API, in characters. */
const LONGEST = 2000

/** The maximum number of attributes and of values per attribute, and the maximum length of names and values, in characters. */
const ATTRIBUTES = 20
const VALUES = 5
const LONGEST_TEXT = 100

/** The number of nodes to show as examples. */
const SAMPLE = 5

export const describeGraphTool = defineTool({
  name: 'describe_graph',
  title: 'Describe a graph',
  description:
    'Returns an overview of a graph: its record, number of versions, components and degrees, the attributes of its nodes and edges, and its first nodes.',
  ...DescribeGraph,
  async run(call, { graph: name }) {
    const { reply, store, worker } = call
    const { actor } = reply.request
    const found = await findNamedGraph(call, name)
    const { components, degree, attributes } = await new GraphParts(store, worker).summary(actor, found.id)
    const [sample] = await findMatches(actor, store, worker, [found], [], { limit: SAMPLE, nodesOnly: true })
    if (!sample) throw new ProblemError('graph-not-found')
    const graph = toToolGraph(sample.graph, LONGEST)
    const versions = await countVersions(store.read, found)
    return {
      summary: `Graph ${graph.id} has ${counted(graph.nodeCount, 'node')} and ${counted(graph.edgeCount, 'edge')} in ${counted(components.count, 'component')}. It is at version ${graph.version}; the server keeps ${counted(versions, 'version')}.`,
      data: {
        graph,
        versions,
        components,
        degree,
        nodeAttributes: attributes.nodes.slice(0, ATTRIBUTES).map(toToolAttribute),
        edgeAttributes: attributes.edges.slice(0, ATTRIBUTES).map(toToolAttribute),
        sample: sample.matches.map(toToolNode)
      }
    }
  }
})

function toToolAttribute({ name, values, ...attribute }: AttributeSummary) {
  return {
    ...attribute,
    name: shortened(name, LONGEST_TEXT),
    ...(values && {
      values: values.slice(0, VALUES).map(({ value, count }) => ({
        value: shortened(JSON.stringify(value), LONGEST_TEXT),
        count
      }))
    })
  }
}
