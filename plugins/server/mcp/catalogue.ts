import { compareVersionsTool } from './compare-versions.ts'
import { describeGraphTool } from './describe-graph.ts'
import { findNodesTool } from './find-nodes.ts'
import { getSubgraphTool } from './get-subgraph.ts'
import { searchGraphsTool } from './search-graphs.ts'
import type { Tool } from './tool.ts'

/** All tools, in the order in which agents see them. */
export const tools: readonly Tool[] = [
  searchGraphsTool,
  describeGraphTool,
  findNodesTool,
  getSubgraphTool,
  compareVersionsTool
]
