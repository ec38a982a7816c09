import { Button } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { IconClipboardText } from '@tabler/icons-react'
import { useState } from 'react'
import type { GraphContent } from '../api.ts'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { text } from '../text/index.ts'

/** The dialog to paste a table, which is loaded on demand. */
export const PasteDialog = lazyComponent('paste', () => import('./paste-dialog.tsx'))

/** A button that opens the dialog to paste a table. Pasting outside fields and dialogs also opens it. */
export function PasteButton({ content, onApply }: { content: GraphContent; onApply: (content: GraphContent) => void }) {
  const [pasted, setPasted] = useState<string>()
  useWindowEvent('paste', (event) => {
    const isElsewhere =
      event.target instanceof Element && event.target.closest('input, textarea, select, [role=dialog]')
    const table = event.clipboardData?.getData('text/plain') ?? ''
    if (isElsewhere || pasted !== undefined || table.trim() === '') return
    event.preventDefault()
    setPasted(table)
  })
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconClipboardText size={14} aria-hidden />}
        onClick={() => setPasted('')}
      >
        {text.paste.open}
      </Button>
      {pasted !== undefined && (
        <PasteDialog content={content} pasted={pasted} onApply={onApply} onClose={() => setPasted(undefined)} />
      )}
    </>
  )
}
