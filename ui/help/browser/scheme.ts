// Applies the colour scheme: the last one chosen here or in the web app, or else the system's. The web app uses the same
// storage key. This script runs before the first paint, so that the page does not flash.

const KEY = 'mantine-color-scheme-value'

function chosen() {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // The browser blocks storage.
    return null
  }
}

function apply(scheme: string | null) {
  if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset.scheme = scheme
  else delete document.documentElement.dataset.scheme
}

function isDark() {
  const scheme = document.documentElement.dataset.scheme
  return scheme ? scheme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

apply(chosen())

addEventListener('storage', ({ key }) => {
  if (key === KEY) apply(chosen())
})

addEventListener('DOMContentLoaded', () => {
  const button = document.querySelector<HTMLButtonElement>('#_scheme')
  if (!button) return
  const label = () => {
    button.textContent = isDark() ? 'Light' : 'Dark'
    button.setAttribute('aria-label', isDark() ? 'Light mode' : 'Dark mode')
  }
  button.addEventListener('click', () => {
    const scheme = isDark() ? 'light' : 'dark'
    apply(scheme)
    label()
    try {
      localStorage.setItem(KEY, scheme)
    } catch {
      // The choice applies only to the current page.
    }
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', label)
  addEventListener('storage', label)
  label()
  button.hidden = false
})
