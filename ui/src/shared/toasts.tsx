import { Notifications } from '@mantine/notifications'
import { useEffect } from 'react'

/** The distance of the notifications from the window's edge and from the page above them, in pixels. */
const GAP = 24

/**
 * Shows the notifications at the bottom of the window. Their height is in a CSS variable, so that controls and dialogs end above
 * them.
 */
export function Toasts() {
  useEffect(() => {
    const list = document.querySelector('.mantine-Notifications-root[data-position=bottom-center]') as Element
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.contentRect.height ?? 0
      document.documentElement.style.setProperty('--toasts-height', height > 0 ? `${height + GAP}px` : '0px')
    })
    observer.observe(list)
    return () => observer.disconnect()
  }, [])
  // In a portal, the list would not exist yet when the effect runs.
  return <Notifications position="bottom-center" limit={3} withinPortal={false} />
}
