/** Keeps the browser from opening files that are dropped where nothing takes them, which would leave the app. */
export function catchDroppedFiles() {
  for (const kind of ['dragover', 'drop'] as const) {
    window.addEventListener(kind, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault()
    })
  }
}
