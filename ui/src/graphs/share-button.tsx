import { ActionIcon, Tooltip } from '@mantine/core'
import { IconUsersGroup } from '@tabler/icons-react'
import type { GraphRecord } from '../api.ts'
import { text } from '../text/index.ts'
import { useGraphDialogs } from './graph-dialogs.tsx'
import { mayManage } from './graphs.ts'

/** Opens the share dialog, for users who may share the graph; GraphDialogs above shows it. */
export function ShareButton({ graph }: { graph: GraphRecord }) {
  const open = useGraphDialogs()
  if (!mayManage(graph)) return null
  return (
    <Tooltip label={text.sharing.open}>
      <ActionIcon variant="default" aria-label={text.sharing.open} onClick={() => open({ dialog: 'share', graph })}>
        <IconUsersGroup size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
