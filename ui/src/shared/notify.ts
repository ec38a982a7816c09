import { type NotificationData, notifications } from '@mantine/notifications'
import { text } from '../text/index.ts'

/** Tells something in passing; its button to close has a name. */
export function notify(notice: NotificationData) {
  return notifications.show({ closeButtonProps: { 'aria-label': text.close }, ...notice })
}
