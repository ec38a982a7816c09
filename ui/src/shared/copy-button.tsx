import { Button } from '@mantine/core'
import { IconCopy } from '@tabler/icons-react'
import { text } from '../text/index.ts'
import { copyText } from './copy-text.ts'
import { notify } from './notify.ts'

/** A button that copies text. `label` describes the text, and begins with the button's visible text. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const copy = async () => {
    const isCopied = await copyText(value)
    notify(isCopied ? { message: text.copy.done } : { color: 'red', message: text.copy.failed })
  }
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCopy size={16} aria-hidden />}
      aria-label={label}
      onClick={copy}
    >
      {text.copy.title}
    </Button>
  )
}
