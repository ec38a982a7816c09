import { useEffect } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'
import type { LayoutState } from '../layout/use-layout.ts'
import type { Element } from './drawing/drawing.ts'
import { at, type Network } from './network/network.ts'

/** Centres an element found by search once the layout is done. */
export function useFoundNode(network: Network, selected: Element | undefined, { drawing, isRunning }: LayoutState) {
  const state = useHistoryState<{ isFound?: boolean } | null>()
  const node = selected?.kind === 'edge' ? at(network.source, selected.index) : selected?.index
  // biome-ignore lint/correctness/useExhaustiveDependencies: each search has its own state, even for the same node
  useEffect(() => {
    if (state?.isFound && node !== undefined && !isRunning) drawing.current?.goTo(node)
  }, [state, node, isRunning])
}
