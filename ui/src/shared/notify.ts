import { type NotificationData, notifications } from '@mantine/notifications'
import { text } from '../text/index.ts'

/** Shows a notice, with an accessible close button. */
export function notify(notice: NotificationData) {
  return notifications.show({ closeButtonProps: { 'aria-label': text.close }, ...notice })
}
