/** How long a component may take to move the focus itself, in milliseconds. */
const PATIENCE = 100

/** Ancestors outside these are not focused, because they are larger than what the user was doing. */
const REGION = 'main, [role=dialog]'

/**
 * Keeps the keyboard focus near an element that is removed while it has the focus, such as the button of a finished step. Otherwise
 * browsers continue from the start of the page.
 */
export function keepFocus() {
  let path: Element[] = []
  document.addEventListener('focusin', ({ target }) => {
    path = target instanceof Element ? ancestorsOf(target) : []
  })
  // A click on the background removes the focus on purpose.
  document.addEventListener('pointerdown', () => {
    path = []
  })
  new MutationObserver(() => {
    const [focused] = path
    if (!focused || focused.isConnected || document.activeElement !== document.body) return
    const lost = path
    path = []
    setTimeout(() => {
      if (document.activeElement !== document.body) return
      const near = lost.find((element) => element.isConnected)
      if (near?.closest(REGION) && near instanceof HTMLElement) focusOn(near)
    }, PATIENCE)
  }).observe(document.body, { childList: true, subtree: true })
}

/** Returns the element, its parent, and so on. */
function ancestorsOf(element: Element): Element[] {
  const path: Element[] = []
  for (let next: Element | null = element; next; next = next.parentElement) path.push(next)
  return path
}

function focusOn(element: HTMLElement) {
  if (!element.hasAttribute('tabindex')) element.tabIndex = -1
  element.focus({ preventScroll: true })
}
