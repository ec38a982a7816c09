// The texts of a release, taken from the repository's documentation.

/** Returns the heading and text of a document's first section whose heading begins with `start`. */
function sectionOf(document: string, start: string) {
  for (const section of document.split(/^## /m).slice(1)) {
    const [heading = '', ...lines] = section.split('\n')
    if (heading.startsWith(start)) return { heading, text: lines.join('\n').trim() }
  }
  throw new Error(`no section of the document begins with “${start}”`)
}

/**
 * Returns the release notes of a version: its changes, which must come first in the changelog, and to what extent the
 * executables were tested.
 */
export function notesOf(version: string, changelog: string, executables: string): string {
  const { heading, text } = sectionOf(changelog, '')
  if (heading.split(' ')[0] !== version)
    throw new Error(`package.json has version ${version}, and the newest of CHANGELOG.md is ${heading}`)
  const tried = sectionOf(executables, 'How thoroughly they are tested')
  return `# Graphstead ${heading}\n\n${text}\n\n## How thoroughly the executables are tested\n\n${tried.text}\n`
}

/** Replaces each `{{name}}` in a recipe with the value of that name. */
export function filled(template: string, values: Record<string, string>): string {
  return template.replace(/\{\{(.*?)\}\}/g, (_, name) => {
    if (!Object.hasOwn(values, name)) throw new Error(`a recipe needs ${name}, which the release does not have`)
    return values[name] as string
  })
}
