import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Group {
  heading: string
  pages: string[]
}

export interface Contents {
  /** The titles by file, such as `backup.md`, in the order of their names. */
  titles: Map<string, string>
  /** The sidebar: the pages that the index links to, under its headings. */
  groups: Group[]
}

/** The index by task, which is the first page. */
export const INDEX = 'README.md'

/** Reads the titles of the pages in a folder, and their groups from its index. */
export function readContents(folder: string): Contents {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const titles = new Map(files.sort().map((name) => [name, titleOf(readFileSync(join(folder, name), 'utf8'))]))
  return { titles, groups: groupsOf(readFileSync(join(folder, INDEX), 'utf8'), titles) }
}

function titleOf(text: string) {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '')
}

/** Groups each page under the heading of its first link. Pages without a link come last. */
function groupsOf(index: string, titles: ReadonlyMap<string, string>): Group[] {
  const left = new Set(titles.keys())
  left.delete(INDEX)
  const sections = index.split(/^## /m).map((section, count) => {
    const heading = count === 0 ? 'Start' : section.slice(0, section.indexOf('\n')).replaceAll('`', '')
    const linked = [...section.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, file = '']) => file)
    return { heading, pages: [...new Set(linked)].filter((file) => left.delete(file)) }
  })
  return [...sections, { heading: 'More', pages: [...left] }].filter(({ pages }) => pages.length > 0)
}
