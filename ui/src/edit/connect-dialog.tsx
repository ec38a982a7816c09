import { Text } from '@mantine/core'
import { nodeName } from '../graph/network/network.ts'
import type { GraphViewState } from '../graph/view/use-graph-view.ts'
import { Dialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { ConnectForm } from './connect-form.tsx'
import type { Editing } from './use-editing.ts'

/** Adds an edge from one node to another, which the user can still change. Begins an edit if none is in progress. */
export function ConnectDialog({
  editing,
  view: { network, finder },
  from,
  to,
  onClose
}: {
  editing: Editing
  view: Pick<GraphViewState, 'network' | 'finder'>
  from: number
  to: number | undefined
  onClose: () => void
}) {
  return (
    <Dialog title={text.edit.addEdge} onClose={onClose}>
      <Text size="sm" mb="xs" className="breakable">
        {text.edit.from(nodeName(network, from))}
      </Text>
      <ConnectForm
        content={editing.content}
        network={network}
        finder={finder}
        node={from}
        target={to}
        onChange={(content) => {
          editing.beginWith(content)
          onClose()
        }}
      />
    </Dialog>
  )
}
