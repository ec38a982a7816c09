import { Button, Group, Text } from '@mantine/core'
import { IconFileUpload, IconPlus } from '@tabler/icons-react'
import { type MouseEvent, useState } from 'react'
import { NewNodeDialog } from '../edit/new-node-dialog.tsx'
import { useGraphDialogs } from '../graphs/graph-dialogs.tsx'
import { mayChange } from '../graphs/graphs.ts'
import { PasteButton, PasteDialog } from '../paste/paste-button.tsx'
import { Empty } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { useGraphContext } from './graph-context.ts'
import { PlacedMenu } from './marks/placed-menu.tsx'
import { NotDrawn } from './not-drawn.tsx'

/** Replaces the drawing of a graph without nodes. Must be inside GraphDialogs. */
export function NoNodes() {
  const { graph, editing, view } = useGraphContext()
  const open = useGraphDialogs()
  const [dialog, setDialog] = useState<'node' | 'paste'>()
  const [menu, setMenu] = useState<{ x: number; y: number }>()
  const close = () => {
    setMenu(undefined)
    setDialog(undefined)
  }
  const openMenu = (event: MouseEvent<HTMLElement>) => {
    // React also passes on events from dialogs, which are elsewhere in the page and need the browser's menu.
    if (!event.currentTarget.contains(event.target as Node)) return
    event.preventDefault()
    const { left, top } = event.currentTarget.getBoundingClientRect()
    setMenu({ x: event.clientX - left, y: event.clientY - top })
  }
  if (!editing.isPossible) {
    return (
      <Empty title={text.graph.empty}>
        {!mayChange(graph) && <Text c="dimmed">{text.graph.emptyForReaders}</Text>}
      </Empty>
    )
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons do the same
    <div className="empty-drawing" onContextMenu={openMenu}>
      <Empty title={text.graph.empty}>
        <Text c="dimmed">{text.graph.emptyHint}</Text>
        {/* During an edit, the toolbar has the same buttons. */}
        {!editing.history && (
          <Group gap="xs" justify="center">
            <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setDialog('node')}>
              {text.edit.addNode}
            </Button>
            <PasteButton content={editing.content} onApply={editing.beginWith} />
            <Button
              size="xs"
              variant="default"
              leftSection={<IconFileUpload size={14} aria-hidden />}
              onClick={() => open({ dialog: 'replace', graph })}
            >
              {text.graph.import}
            </Button>
          </Group>
        )}
      </Empty>
      {menu && !dialog && (
        <PlacedMenu
          place={menu}
          actions={[
            { label: text.menu.addNode, opens: true, act: () => setDialog('node') },
            { label: text.paste.open, opens: true, act: () => setDialog('paste') },
            { label: text.graph.import, act: () => open({ dialog: 'replace', graph }) }
          ]}
          onClose={close}
        />
      )}
      {dialog === 'paste' && (
        <PasteDialog content={editing.content} pasted="" onApply={editing.beginWith} onClose={close} />
      )}
      {dialog === 'node' && (
        <NewNodeDialog
          content={editing.content}
          onClose={close}
          onAdd={(next, id) => {
            editing.beginWith(next)
            view.change({ node: id, edge: undefined })
          }}
        />
      )}
    </div>
  )
}

/** Replaces the drawing of a graph that is too large, or that the browser cannot show. Links to its tables and parts. */
export function NoDrawing({ force }: { force: (() => void) | undefined }) {
  const { network, change } = useGraphContext().view
  return (
    <NotDrawn network={network} force={force}>
      <Button onClick={() => change({ tab: 'nodes' })}>{text.drawing.asTable}</Button>
      {force && (
        <Button variant="default" onClick={() => change({ whole: undefined })}>
          {text.part.back}
        </Button>
      )}
    </NotDrawn>
  )
}
