// Adds the navigation of the web app to the header if the web app serves these pages. Elsewhere, the links would lead nowhere.

/** The names and addresses of the pages. */
const pages = [
  ['Graphs', '/graphs'],
  ['Trash', '/trash'],
  ['Help', '/help/']
] as const

const nav = document.querySelector<HTMLElement>('#_app')
if (nav && location.pathname.startsWith('/help/')) {
  for (const [name, address] of pages) {
    const link = document.createElement('a')
    link.href = address
    link.textContent = name
    if (name === 'Help') link.setAttribute('aria-current', 'page')
    nav.append(link)
  }
  nav.hidden = false
}
