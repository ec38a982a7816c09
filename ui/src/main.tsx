import '@mantine/core/styles.css'
import '@mantine/dates/styles.css'
import '@mantine/dropzone/styles.css'
import '@mantine/notifications/styles.css'
import './styles.css'
import { App } from './app.tsx'
import { keepFocus } from './keep-focus.ts'
import { followOtherTabs } from './other-tabs.ts'
import { renderPage } from './page.tsx'
import { queries } from './queries.ts'

followOtherTabs()
keepFocus()
catchDroppedFiles()
renderPage(queries, <App />)

/** Prevents the browser from leaving the app to open files that are dropped outside a drop area. */
function catchDroppedFiles() {
  for (const kind of ['dragover', 'drop'] as const) {
    window.addEventListener(kind, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
  }
}
