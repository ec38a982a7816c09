// Light or dark: as the system, or as last chosen here or in the web app, which keeps the choice under this key.
// It runs before the page is shown, so that the page does not flash.

const KEY = 'mantine-color-scheme-value'

function chosen() {
  try {
    return localStorage.getItem(KEY)
  } catch {
    // The browser keeps nothing for this page.
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
      // The choice lasts until the next page.
    }
  })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', label)
  addEventListener('storage', label)
  label()
  button.hidden = false
})
