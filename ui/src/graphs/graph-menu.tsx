import { ActionIcon, Menu } from '@mantine/core'
import {
  IconArrowsLeftRight,
  IconCopy,
  IconDots,
  IconFileUpload,
  IconHistory,
  IconPencil,
  IconShieldSearch,
  IconTopologyStar,
  IconTrash,
  IconUsersGroup
} from '@tabler/icons-react'
import { Link } from 'wouter'
import { mayReadAudits, useAccount } from '../account/account.ts'
import type { GraphRecord } from '../api.ts'
import { text } from '../text/index.ts'
import { useCopyGraph } from './copy-graph.tsx'
import { useGraphDialogs } from './graph-dialogs.tsx'
import { mayChange, mayManage } from './graphs.ts'

/**
 * The menu of actions that the user may perform on a graph. It must be inside GraphDialogs, which shows the dialogs. `onEdit`
 * is called to start editing nodes and edges.
 */
export function GraphMenu({ graph, onEdit }: { graph: GraphRecord; onEdit?: (() => void) | undefined }) {
  const user = useAccount()
  const open = useGraphDialogs()
  const copy = useCopyGraph()
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={text.actionsFor(graph.name)}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onEdit && (
          <Menu.Item leftSection={<IconTopologyStar size={16} aria-hidden />} onClick={onEdit}>
            {text.edit.beginInMenu}
          </Menu.Item>
        )}
        {mayChange(graph) && (
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => open({ dialog: 'edit', graph })}>
            {text.editDescription}
          </Menu.Item>
        )}
        {mayChange(graph) && (
          <Menu.Item
            leftSection={<IconFileUpload size={16} aria-hidden />}
            onClick={() => open({ dialog: 'replace', graph })}
          >
            {text.graphs.replace}
          </Menu.Item>
        )}
        {mayChange(graph) && (
          <Menu.Item
            leftSection={<IconArrowsLeftRight size={16} aria-hidden />}
            onClick={() => open({ dialog: 'direction', graph })}
          >
            {text.graphs.direction}
          </Menu.Item>
        )}
        {mayManage(graph) && (
          <Menu.Item
            leftSection={<IconUsersGroup size={16} aria-hidden />}
            onClick={() => open({ dialog: 'share', graph })}
          >
            {text.sharing.open}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={() => copy.mutate(graph)}>
          {text.graphs.copy}
        </Menu.Item>
        <Menu.Item
          component={Link}
          href={`/graphs/${graph.id}/history`}
          leftSection={<IconHistory size={16} aria-hidden />}
        >
          {text.history.title}
        </Menu.Item>
        {mayReadAudits(user) && (
          <Menu.Item
            component={Link}
            href={`/audits?targetType=GRAPH&targetId=${graph.id}`}
            leftSection={<IconShieldSearch size={16} aria-hidden />}
          >
            {text.auditEvents}
          </Menu.Item>
        )}
        {mayManage(graph) && (
          <Menu.Item
            leftSection={<IconTrash size={16} aria-hidden />}
            color="var(--mantine-color-error)"
            onClick={() => open({ dialog: 'delete', graph })}
          >
            {text.delete}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
