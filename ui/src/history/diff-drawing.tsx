import { Paper as Card, Group, Text, useComputedColorScheme } from '@mantine/core'
import { useMemo, useState } from 'react'
import { darkPaper, lightPaper } from '../../../picture/sheet/paper.ts'
import type { GraphContent, GraphDiff } from '../api.ts'
import { Details } from '../graph/details/details.tsx'
import type { Appearance, Element } from '../graph/drawing/drawing.ts'
import { DrawingPane } from '../graph/drawing/pane.tsx'
import { nodeName } from '../graph/network/network.ts'
import { LayoutControls } from '../layout/layout-controls.tsx'
import { useLayout } from '../layout/use-layout.ts'
import { Swatch } from '../shared/swatch.tsx'
import { text } from '../text/index.ts'
import { type Mark, markedNetwork } from './marked-network.ts'

const light: Record<Mark, string> = { same: '#c3c9cf', added: '#2b8a3e', removed: '#e03131', changed: '#e8890c' }
const dark: Record<Mark, string> = { same: '#565b60', added: '#51cf66', removed: '#ff6b6b', changed: '#ffa94d' }
const marks: Mark[] = ['added', 'removed', 'changed', 'same']

/** Shows both versions in one drawing, with changes marked by colour. */
export function DiffDrawing({ after, diff }: { after: GraphContent; diff: GraphDiff }) {
  const isDark = useComputedColorScheme('light') === 'dark'
  const [paper, colours] = isDark ? [darkPaper, dark] : [lightPaper, light]
  const { network, nodeMarks, edgeMarks } = useMemo(() => markedNetwork(after, diff), [after, diff])
  const layout = useLayout(network)
  const [selected, setSelected] = useState<Element>()
  const appearance: Appearance = useMemo(
    () => ({
      nodeColour: (node) => colours[nodeMarks[node] ?? 'same'],
      nodeSize: (node) => (nodeMarks[node] === 'same' ? 4 : 7),
      nodeLabel: (node) => nodeName(network, node),
      edgeColour: (edge) => colours[edgeMarks[edge] ?? 'same'],
      edgeSize: (edge) => (edgeMarks[edge] === 'same' ? 1 : 2.2),
      hidden: undefined,
      hiddenEdges: undefined
    }),
    [colours, network, nodeMarks, edgeMarks]
  )
  if (network.nodes.length === 0) return <Text p="md">{text.graph.empty}</Text>
  return (
    <>
      <Group px="md" py="xs">
        <LayoutControls layout={layout} />
      </Group>
      <div className="graph-body">
        <div className="graph-main">
          <DrawingPane
            stage={layout.stage}
            appearance={appearance}
            paper={paper}
            selected={selected}
            label={text.diff.drawing}
            drawing={layout.drawing}
            onSelect={setSelected}
            onMove={layout.moved}
          />
          <Card withBorder p="xs" className="drawing-legend" component="section" aria-label={text.legend.title}>
            {marks.map((mark) => (
              <Group key={mark} gap={6}>
                <Swatch colour={colours[mark]} />
                <Text size="xs">{text.diff.marks[mark]}</Text>
              </Group>
            ))}
          </Card>
        </div>
        {selected && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: it is scrollable
          <aside className="graph-side" aria-label={text.graph.side} tabIndex={0}>
            <Details network={network} colourOf={appearance.nodeColour} element={selected} onSelect={setSelected} />
          </aside>
        )}
      </div>
    </>
  )
}
