import { Text } from '@mantine/core'
import { nodeName } from '../graph/network/network.ts'
import type { GraphViewState } from '../graph/view/use-graph-view.ts'
import { Dialog } from '../shared/dialog.tsx'
import { text } from '../text/index.ts'
import { ConnectForm } from './connect-form.tsx'
import type { Editing } from './use-editing.ts'

/** Adds an edge from each of some nodes to another node, as one step. Begins an edit if none is in progress. */
export function ConnectDialog({
  editing,
  view: { network, finder },
  from,
  onClose
}: {
  editing: Editing
  view: Pick<GraphViewState, 'network' | 'finder'>
  from: ReadonlySet<number>
  onClose: () => void
}) {
  return (
    <Dialog title={text.edit.connectNodes(from.size)} onClose={onClose}>
      {from.size === 1 && (
        <Text size="sm" mb="xs" className="breakable">
          {text.edit.from(nodeName(network, [...from][0] as number))}
        </Text>
      )}
      <ConnectForm
        content={editing.content}
        network={network}
        finder={finder}
        nodes={from}
        onChange={(content) => {
          editing.beginWith(content)
          onClose()
        }}
      />
    </Dialog>
  )
}
