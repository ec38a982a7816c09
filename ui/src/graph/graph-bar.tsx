import { ActionIcon, Badge, Group, Text, Title, Tooltip } from '@mantine/core'
import { IconArrowLeft, IconHistory } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Graph } from '../api.ts'
import { GraphDialogs } from '../graphs/graph-dialogs.tsx'
import { GraphMenu } from '../graphs/graph-menu.tsx'
import { ShareButton } from '../graphs/share-button.tsx'
import { TagChips } from '../graphs/tag-chips.tsx'
import { text } from '../text/index.ts'

/** The head of a graph's page: its name, its tags, and all its actions. The children act on the view. */
export function GraphBar({ graph, children }: { graph: Graph; children: ReactNode }) {
  const [, navigate] = useLocation()
  return (
    <>
      <Group className="graph-bar" justify="space-between">
        <Group gap="xs" wrap="nowrap" className="shrinking">
          <ActionIcon component={Link} href="/graphs" variant="subtle" color="gray" aria-label={text.graph.back}>
            <IconArrowLeft size={18} aria-hidden />
          </ActionIcon>
          <Title order={1} size="h4" lineClamp={1} className="breakable">
            {graph.name}
          </Title>
          {graph.shared && <Badge variant="default">{text.graph.shared}</Badge>}
          <Text size="sm" c="dimmed" visibleFrom="md">
            {text.counts(graph.nodeCount, graph.edgeCount)} · {text.graph.by(graph.owner)}
          </Text>
        </Group>
        <Group gap="xs">
          {children}
          <Tooltip label={text.history.title}>
            <ActionIcon
              component={Link}
              href={`/graphs/${graph.id}/history`}
              variant="default"
              aria-label={text.history.title}
            >
              <IconHistory size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <GraphDialogs onGone={() => navigate('/graphs')}>
            <ShareButton graph={graph} />
            <GraphMenu graph={graph} />
          </GraphDialogs>
        </Group>
      </Group>
      {graph.tags && (
        <div className="graph-tags">
          <TagChips tags={graph.tags} />
        </div>
      )}
    </>
  )
}
