import { SegmentedControl, Stack } from '@mantine/core'
import { useState } from 'react'
import { FilterPanel } from '../filter/filter-panel.tsx'
import { text } from '../text/index.ts'
import { useGraphContext } from './graph-context.ts'
import { LookPanel } from './look/look-panel.tsx'

/** The panels for appearance and filters. Narrow screens show one of them at a time. Tables have only filters. */
export function SidePanels() {
  const { tab, isNarrow } = useGraphContext()
  const [panel, setPanel] = useState('look')
  if (tab !== 'drawing') return <FilterPanel />
  return (
    <Stack gap="md">
      {isNarrow && (
        <SegmentedControl
          size="xs"
          aria-label={text.graph.panels}
          value={panel}
          onChange={setPanel}
          data={[
            { value: 'look', label: text.look.title },
            { value: 'filter', label: text.filter.title }
          ]}
        />
      )}
      {(!isNarrow || panel === 'look') && <LookPanel />}
      {(!isNarrow || panel === 'filter') && <FilterPanel />}
    </Stack>
  )
}
