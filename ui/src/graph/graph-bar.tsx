import { ActionIcon, Badge, Button, Group, Text, Title, Tooltip } from '@mantine/core'
import { IconArrowLeft, IconHistory, IconPencil, IconUsersGroup } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import type { Graph, GraphContent } from '../api.ts'
import { GraphDialogs, useGraphDialogs } from '../graphs/graph-dialogs.tsx'
import { GraphMenu } from '../graphs/graph-menu.tsx'
import { mayManage } from '../graphs/graphs.ts'
import { TagChips } from '../graphs/tag-chips.tsx'
import { text } from '../text/index.ts'

/**
 * The header of a graph's page: its name, tags and actions. The children are tools for the view. The header never wraps. On
 * narrow screens, the children move to a separate line, and the other actions move into the menu.
 */
export function GraphBar({
  graph,
  edited,
  onEdit,
  children
}: {
  graph: Graph
  /** The content during an edit. */
  edited?: GraphContent | undefined
  /** Begins an edit. Absent if editing is not possible or already in progress. */
  onEdit?: (() => void) | undefined
  children: ReactNode
}) {
  const [, navigate] = useLocation()
  return (
    <>
      <div className="graph-bar">
        <Group gap="xs" wrap="nowrap" className="graph-name">
          <Tooltip label={text.graph.back}>
            <ActionIcon component={Link} href="/graphs" variant="subtle" color="gray" aria-label={text.graph.back}>
              <IconArrowLeft size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          <Title order={1} size="h4" lineClamp={1} className="breakable">
            {graph.name}
          </Title>
          {graph.shared && <Badge variant="default">{text.graph.shared}</Badge>}
          <Text size="sm" c="dimmed" visibleFrom="md" truncate>
            {text.counts(edited?.nodes.length ?? graph.nodeCount, edited?.edges.length ?? graph.edgeCount)} ·{' '}
            {text.graph.by(graph.owner)}
          </Text>
        </Group>
        <div className="graph-tools">{children}</div>
        <GraphDialogs onGone={() => navigate('/graphs')}>
          <div className="graph-actions">
            {onEdit && (
              <Button size="xs" variant="default" leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
                {text.edit.title}
              </Button>
            )}
            <Button
              component={Link}
              href={`/graphs/${graph.id}/history`}
              size="xs"
              variant="default"
              leftSection={<IconHistory size={16} aria-hidden />}
            >
              {text.history.title}
            </Button>
          </div>
          {mayManage(graph) && <ShareButton graph={graph} />}
          <GraphMenu graph={graph} onEdit={onEdit} />
        </GraphDialogs>
      </div>
      {graph.tags && (
        <div className="graph-tags">
          <TagChips tags={graph.tags} />
        </div>
      )}
    </>
  )
}

function ShareButton({ graph }: { graph: Graph }) {
  const open = useGraphDialogs()
  return (
    <Button
      size="xs"
      variant="default"
      className="tool"
      aria-label={text.sharing.open}
      leftSection={<IconUsersGroup size={16} aria-hidden />}
      onClick={() => open({ dialog: 'share', graph })}
    >
      <span className="tool-label">{text.sharing.open}</span>
    </Button>
  )
}
