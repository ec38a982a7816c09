import { Button, Group, Text } from '@mantine/core'
import { IconFileUpload, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { NewNodeDialog } from '../edit/new-node-dialog.tsx'
import { useGraphDialogs } from '../graphs/graph-dialogs.tsx'
import { mayChange } from '../graphs/graphs.ts'
import { PasteButton } from '../paste/paste-button.tsx'
import { Empty } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { useGraphContext } from './graph-context.ts'
import { NotDrawn } from './not-drawn.tsx'

/** Replaces the drawing of a graph without nodes. Must be inside GraphDialogs. */
export function NoNodes() {
  const { graph, editing, view } = useGraphContext()
  const open = useGraphDialogs()
  const [isAdding, setIsAdding] = useState(false)
  if (!editing.isPossible) {
    return (
      <Empty title={text.graph.empty}>
        {!mayChange(graph) && <Text c="dimmed">{text.graph.emptyForReaders}</Text>}
      </Empty>
    )
  }
  return (
    <Empty title={text.graph.empty}>
      <Text c="dimmed">{text.graph.emptyHint}</Text>
      {/* During an edit, the toolbar has the same buttons. */}
      {!editing.history && (
        <Group gap="xs" justify="center">
          <Button size="xs" leftSection={<IconPlus size={14} aria-hidden />} onClick={() => setIsAdding(true)}>
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
      {isAdding && (
        <NewNodeDialog
          content={editing.content}
          onClose={() => setIsAdding(false)}
          onAdd={(next, id) => {
            editing.beginWith(next)
            view.change({ node: id, edge: undefined })
          }}
        />
      )}
    </Empty>
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
