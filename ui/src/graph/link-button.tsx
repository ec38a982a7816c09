import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconLink } from '@tabler/icons-react'
import { notify } from '../shared/notify.ts'
import { text } from '../text/index.ts'

/** Copies the address, which holds the view. `onCopy` completes it. */
export function LinkButton({ onCopy }: { onCopy: () => void }) {
  const clipboard = useClipboard()
  const copy = () => {
    onCopy()
    // Browsers offer the clipboard only to pages under TLS or on localhost.
    if (navigator.clipboard) {
      clipboard.copy(location.href)
      notify({ message: text.link.copied })
    } else {
      notify({
        title: text.link.title,
        message: location.href,
        autoClose: false
      })
    }
  }
  return (
    <Tooltip label={text.link.title}>
      <ActionIcon variant="default" aria-label={text.link.title} onClick={copy}>
        <IconLink size={18} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
