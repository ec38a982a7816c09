import { useHotkeys } from '@mantine/hooks'

/** Runs functions by keys, such as `mod+Z`, unless the user is typing a text. Checkboxes and sliders take no text. */
export function useKeys(keys: [key: string, act: () => void][]) {
  useHotkeys(
    keys.map(([key, act]) => [
      key,
      (event) => {
        if (isTyping(event)) return
        event.preventDefault()
        act()
      },
      { preventDefault: false }
    ]),
    []
  )
}

/** Returns whether the user presses a key in a field for text. */
export function isTyping({ target }: Event): boolean {
  return target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), textarea, select')
}
