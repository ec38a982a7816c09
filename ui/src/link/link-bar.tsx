import { Badge, Group, SegmentedControl, Text, Title } from '@mantine/core'
import type { RefObject } from 'react'
import type { LinkedGraph } from '../api.ts'
import { DownloadMenu } from '../graph/download-menu.tsx'
import type { Drawing } from '../graph/drawing/drawing.ts'
import { Search } from '../graph/search.tsx'
import type { GraphViewState } from '../graph/view/use-graph-view.ts'
import type { GraphFile, MediaType } from '../graphs/formats.ts'
import { text } from '../text/index.ts'

const tabs = ['drawing', 'nodes', 'edges'] as const

/**
 * The header of a link's page: the graph's name, tabs for the drawing and tables, search, and downloads if the link allows them.
 */
export function LinkBar({
  graph,
  view,
  tab,
  drawing,
  fetchFile,
  onFind
}: {
  graph: LinkedGraph
  view: GraphViewState
  tab: (typeof tabs)[number]
  /** The drawing, if there is one. */
  drawing: RefObject<Drawing | null> | undefined
  fetchFile: (mediaType: MediaType) => Promise<GraphFile>
  onFind: (node: number) => void
}) {
  return (
    <header>
      <div className="graph-bar">
        <Group gap="xs" wrap="nowrap" className="graph-name">
          <Title order={1} size="h4" lineClamp={1} className="breakable">
            {graph.name}
          </Title>
          {graph.isPinned && (
            <Badge variant="default" className="fixed">
              {text.version(graph.version)}
            </Badge>
          )}
          <Text size="sm" c="dimmed" visibleFrom="md" truncate>
            {text.counts(graph.nodeCount, graph.edgeCount)}
          </Text>
        </Group>
        <div className="graph-tools">
          <SegmentedControl
            size="xs"
            aria-label={text.graph.views}
            value={tab}
            onChange={(value) => view.change({ tab: tabs.find((tab) => tab === value) ?? 'drawing' })}
            data={tabs.map((value) => ({ value, label: text.graph[value] }))}
          />
          <Search finder={view.finder} onFind={onFind} />
          {graph.downloads && <DownloadMenu name={graph.name} fetchFile={fetchFile} view={view} drawing={drawing} />}
        </div>
      </div>
      {graph.description && (
        <Text size="sm" c="dimmed" px="md" py={4} lineClamp={2} className="breakable">
          {graph.description}
        </Text>
      )}
    </header>
  )
}
