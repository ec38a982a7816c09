import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Group {
  heading: string
  pages: string[]
}

export interface Contents {
  /** The titles by file name, such as `backup.md`, in alphabetical order of the names. */
  titles: Map<string, string>
  /** The groups of the sidebar, which follow the headings of the index. */
  groups: Group[]
  /** The pages for contributors, which are not part of the site. */
  leftOut: string[]
  /** Returns the rank of a page in the search: a page about the web app comes before one for programs or administrators. */
  rankOf(file: string): number
}

/** The list of all pages, in groups. */
export const INDEX = 'README.md'

/** The index of tasks, which is the home page. */
export const HOME = 'guide.md'

/** The heading of the pages for contributors. */
const CONTRIBUTORS = 'Contribute'

/** The ranks of pages that people who use the web app look for. Other pages have the rank 1. */
const RANKS = new Map([
  ['web-app.md', 4],
  ...[
    'figures.md',
    'formats.md',
    'history.md',
    'links.md',
    'second-factor.md',
    'sharing.md',
    'sign-in.md',
    'tables.md'
  ].map((name) => [name, 2] as const)
])

/** Reads the titles of the pages in a folder, and the groups from the folder's index. */
export function readContents(folder: string): Contents {
  const files = readdirSync(folder).filter((name) => name.endsWith('.md'))
  const all = new Map(files.sort().map((name) => [name, titleOf(readFileSync(join(folder, name), 'utf8'))]))
  const groups = groupsOf(readFileSync(join(folder, INDEX), 'utf8'), all)
  const leftOut = groups.find(({ heading }) => heading === CONTRIBUTORS)?.pages ?? []
  return {
    titles: new Map([...all].filter(([name]) => !leftOut.includes(name))),
    groups: groups.filter(({ heading }) => heading !== CONTRIBUTORS),
    leftOut,
    rankOf: (file) => RANKS.get(file) ?? 1
  }
}

function titleOf(text: string) {
  return (/^# (.+)$/m.exec(text)?.[1] ?? '').replaceAll('`', '')
}

/** Groups pages by the heading under which the index first links to them. Unlinked pages come last. */
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
