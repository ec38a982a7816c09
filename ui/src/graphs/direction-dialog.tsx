import { SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import type { GraphRecord } from '../api.ts'
import { FormDialog } from '../shared/dialog.tsx'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'
import { useSetDirection } from './graphs.ts'

/** Makes all edges of a graph directed or undirected. */
export function DirectionDialog({ graph, onClose }: { graph: GraphRecord; onClose: () => void }) {
  const [direction, setDirection] = useState('directed')
  const change = useSetDirection()
  return (
    <FormDialog
      title={text.graphs.directionTitle(graph.name)}
      submit={text.graphs.directionSubmit}
      action={change}
      onSubmit={() =>
        change.mutate(
          { graph, directed: direction === 'directed' },
          {
            onSuccess: () => {
              notify({ message: text.graphs.directionChanged(graph.name) })
              onClose()
            }
          }
        )
      }
      onClose={onClose}
    >
      <SegmentedControl
        aria-label={text.reading.direction}
        data={[
          { value: 'directed', label: text.reading.directions.directed },
          { value: 'undirected', label: text.reading.directions.undirected }
        ]}
        value={direction}
        onChange={setDirection}
        disabled={change.isPending}
      />
      <Text size="sm" c="dimmed">
        {text.graphs.directionHint}
      </Text>
    </FormDialog>
  )
}
