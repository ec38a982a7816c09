import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { Empty } from '../shared/failure.tsx'
import { formatNumber, text } from '../text/index.ts'
import { MOST_DRAWN } from './drawing/drawable.ts'
import { canDraw } from './drawing/web-gl.ts'
import { useGraphContext } from './graph-context.ts'

/** Replaces the drawing of a graph without nodes. */
export function NoNodes() {
  return (
    <Empty title={text.graph.empty}>
      <Text c="dimmed">{text.graph.emptyHint}</Text>
    </Empty>
  )
}

/** Replaces a drawing that the browser cannot show. Says why and links to the tables. */
export function NoDrawing() {
  const { network, change } = useGraphContext().view
  const [isWebGl] = useState(canDraw)
  return (
    <Empty title={isWebGl ? text.drawing.tooLarge(formatNumber(MOST_DRAWN)) : text.drawing.noWebGl}>
      <Text c="dimmed">{text.counts(network.nodes.length, network.edges.length)}</Text>
      <Button onClick={() => change({ tab: 'nodes' })}>{text.drawing.asTable}</Button>
      {isWebGl && (
        <Button variant="default" onClick={() => change({ whole: undefined })}>
          {text.part.back}
        </Button>
      )}
    </Empty>
  )
}
