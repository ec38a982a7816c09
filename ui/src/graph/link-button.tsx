import { ActionIcon, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconLink } from '@tabler/icons-react'
import { text } from '../text/index.ts'

/** The address says what is shown: whoever opens it sees the same. */
export function LinkButton() {
  const clipboard = useClipboard()
  const copy = () => {
    // Browsers have a clipboard for pages under TLS and of this machine only.
    if (navigator.clipboard) {
      clipboard.copy(location.href)
      notifications.show({ message: text.link.copied, closeButtonProps: { 'aria-label': text.close } })
    } else {
      notifications.show({
        title: text.link.title,
        message: location.href,
        autoClose: false,
        closeButtonProps: { 'aria-label': text.close }
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
