import { Button, Text } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { Empty } from '../shared/failure.tsx'
import { formatNumber, text } from '../text/index.ts'
import { costOf, isDrawable, MOST_DRAWN } from './drawing/drawable.ts'
import { canDraw } from './drawing/web-gl.ts'
import type { Network } from './network/network.ts'

/** Returns whether a network can be drawn, and a function that draws it even if it is large. */
export function useDrawable({ nodes, edges }: Network) {
  const [isWebGl] = useState(canDraw)
  const [isForced, setIsForced] = useState(false)
  const isSmall = isDrawable({ nodeCount: nodes.length, edgeCount: edges.length })
  return { canBeDrawn: isWebGl && (isSmall || isForced), force: isWebGl ? () => setIsForced(true) : undefined }
}

/** Replaces a drawing that is too large, or that the browser cannot show. Says why, and what drawing it would cost. */
export function NotDrawn({
  network,
  force,
  children
}: {
  network: Network
  /** Draws the network anyway. Absent if the browser cannot. */
  force: (() => void) | undefined
  children?: ReactNode
}) {
  const { seconds, megabytes } = costOf(network)
  return (
    <Empty title={force ? text.drawing.tooLarge(formatNumber(MOST_DRAWN)) : text.drawing.noWebGl}>
      <Text c="dimmed">{text.counts(network.nodes.length, network.edges.length)}</Text>
      {children}
      {force && (
        <>
          <Text size="sm">{text.drawing.cost(seconds, formatNumber(megabytes))}</Text>
          <Button variant="default" onClick={force}>
            {text.drawing.anyway}
          </Button>
        </>
      )}
    </Empty>
  )
}
