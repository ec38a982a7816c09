import { flushSync } from 'react-dom'

const ENDS = ['pointerup', 'pointercancel']

/** Ends with the press on a drawing, if one is in progress. */
let press: Promise<void> | undefined

/** Follows the presses on a drawing, given its container. */
export function followPresses(container: HTMLElement) {
  container.addEventListener('pointerdown', () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    press = promise
    const end = () => {
      for (const name of ENDS) window.removeEventListener(name, end)
      // The click comes after the end of the press.
      setTimeout(() => {
        if (press === promise) press = undefined
        resolve()
      })
    }
    for (const name of ENDS) window.addEventListener(name, end)
  })
}

/**
 * Runs the action, or waits for the end of a press on a drawing, whose click would be lost if the action changed the drawing.
 * Actions that wait run in order, and each sees the page as the one before has changed it.
 */
export function afterPress(action: () => void) {
  if (press) press.then(() => flushSync(action))
  else action()
}
