import { useState } from 'react'
import type { Attribute } from '../graph/network/attributes.ts'
import { firstChoice, methodOf } from './choice.ts'
import { LayoutControls } from './layout-controls.tsx'
import { LayoutOptions } from './layout-options.tsx'
import type { LayoutState } from './use-layout.ts'

/** Tools to choose, run, stop and, if permitted, save a layout. */
export function LayoutTools({
  layout,
  attributes,
  root,
  save,
  isSaving
}: {
  layout: LayoutState
  /** The node attributes. */
  attributes: Attribute[]
  /** The selected node, which a radial layout places in the middle. */
  root: number | undefined
  save: (() => void) | undefined
  isSaving: boolean
}) {
  const [choice, setChoice] = useState(() => firstChoice(attributes))
  const method = () => methodOf(choice, attributes, layout.stage.network.nodes.length, root)
  // One node is enough to check which attributes exist.
  const isPossible = methodOf(choice, attributes, 1) !== undefined
  return (
    <LayoutControls
      layout={layout}
      method={method}
      isPossible={isPossible}
      options={
        <LayoutOptions
          choice={choice}
          attributes={attributes}
          onChange={setChoice}
          onStart={isPossible ? () => layout.start(method()) : undefined}
          onRestore={layout.isRunning ? undefined : layout.restore}
        />
      }
      save={save}
      isSaving={isSaving}
    />
  )
}
