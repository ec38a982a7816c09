import { type NotificationData, notifications } from '@mantine/notifications'
import { text } from '../text/index.ts'
import { messageOf } from './failure.tsx'

/**
 * The id of the notification that offers to show hidden nodes again, until the filters or the content change, or the user leaves the
 * view.
 */
export const HIDDEN_NODES = 'hidden-nodes'

/** Shows a notification with an accessible close button. */
export function notify(notice: NotificationData) {
  return notifications.show({ closeButtonProps: { 'aria-label': text.close }, ...notice })
}

/** Shows a notification for an error that has no place on the page. */
export function notifyFailure(error: unknown) {
  notify({ color: 'red', message: messageOf(error) })
}
