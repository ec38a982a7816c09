import { type NotificationData, notifications } from '@mantine/notifications'
import { text } from '../text/index.ts'
import { messageOf } from './failure.tsx'

/** Shows a notification with an accessible close button. */
export function notify(notice: NotificationData) {
  return notifications.show({ closeButtonProps: { 'aria-label': text.close }, ...notice })
}

/** Shows a notification for an error that has no place on the page. */
export function notifyFailure(error: unknown) {
  notify({ color: 'red', message: messageOf(error) })
}
