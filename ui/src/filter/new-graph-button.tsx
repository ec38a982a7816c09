import { Button } from '@mantine/core'
import { IconCopyPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useGraphContext } from '../graph/graph-context.ts'
import { text } from '../text/index.ts'
import { NewGraphFromShown } from './new-graph-from-shown.tsx'

/** Opens the dialog to create a graph from the visible elements. */
export function NewGraphButton() {
  const { visible } = useGraphContext().view
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconCopyPlus size={16} aria-hidden />}
        disabled={visible.nodes === 0}
        onClick={() => setIsOpen(true)}
      >
        {text.filter.newGraphInMenu}
      </Button>
      {isOpen && <NewGraphFromShown onClose={() => setIsOpen(false)} />}
    </>
  )
}
