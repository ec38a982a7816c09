import { join } from 'node:path/posix'
import { HOME, INDEX } from './contents.ts'
import { headingSlugs } from './slugs.ts'

// Adapts the output of markdown-it: adds GitHub-style anchors, points links at pages of the site, and removes inline styles.

interface Token {
  type: string
  tag: string
  content: string
  markup: string
  children: Token[] | null
  attrGet(name: string): string | null
  attrSet(name: string, value: string): void
}

interface State {
  tokens: Token[]
  env: { page: { inputPath: string } }
  Token: new (type: string, tag: string, nesting: number) => Token
}

type Rule = (tokens: Token[], index: number) => string

/** The parts of markdown-it used here. */
export interface Markdown {
  set(options: { html: boolean; linkify: boolean }): void
  core: { ruler: { push(name: string, rule: (state: State) => void): void } }
  renderer: {
    rules: Record<string, Rule | undefined>
    renderToken(tokens: Token[], index: number, options: object): string
  }
}

export interface Heading {
  level: number
  id: string
  text: string
}

/** The text from one heading to the next. */
export interface Section extends Heading {
  body: string
}

export interface Site {
  /** The titles of the pages by file name, such as `backup.md`. */
  titles: ReadonlyMap<string, string>
  /** Returns the URL of a file in the repository. Undefined if the repository is not public. */
  addressOf: ((path: string) => string) | undefined
}

/** Returns the address of a page, relative to the site. */
export const addressOfPage = (file: string) =>
  file === HOME ? 'index.html' : file === INDEX ? 'manual.html' : file.replace(/\.md$/, '.html')

/** Configures markdown-it, and calls `found` with the sections of each rendered page. */
export function amend(markdown: Markdown, site: Site, found: (path: string, sections: Section[]) => void) {
  markdown.set({ html: true, linkify: false })
  markdown.core.ruler.push('help', ({ tokens, env, Token }) => {
    for (const { children } of tokens) if (children) mendLinks(children, site)
    for (const token of tokens) classInsteadOfStyle(token)
    removeTests(tokens)
    found(env.page.inputPath, sectionsOf(tokens, Token))
  })
  const { rules } = markdown.renderer
  // Wide tables and code blocks scroll horizontally, and can be focused for scrolling with the keyboard.
  rules.table_open = () => '<div class="wide" tabindex="0" role="group" aria-label="Table">\n<table>\n'
  rules.table_close = () => '</table>\n</div>\n'
  for (const name of ['fence', 'code_block']) {
    rules[name] = (tokens, index) =>
      `<pre tabindex="0"><code>${escapeHtml((tokens[index] as Token).content)}</code></pre>\n`
  }
}

/**
 * Points links at pages of the site, or at files in the repository. If the repository's URL is unknown, keeps only the link
 * text.
 */
function mendLinks(tokens: Token[], site: Site) {
  let isUnwrapped = false
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'link_open') {
      const href = token.attrGet('href') ?? ''
      const target = targetOf(href, site)
      isUnwrapped = target === undefined
      if (target !== undefined) token.attrSet('href', target)
      const label = tokens[index + 1]
      // Shows the page title in place of a file name.
      if (label?.content === href) label.content = site.titles.get(href) ?? href
    }
    const isEnd = token.type === 'link_open' || token.type === 'link_close'
    if (isUnwrapped && isEnd) Object.assign(token, { type: 'text', tag: '', content: '', nesting: 0 })
    if (token.type === 'link_close') isUnwrapped = false
  }
}

function targetOf(href: string, { titles, addressOf }: Site): string | undefined {
  if (/^(?:[a-z]+:|#|images\/)/.test(href)) return href
  const [, path = '', anchor = ''] = /^([^#]*)(.*)$/.exec(href) ?? []
  if (titles.has(path)) return addressOfPage(path) + anchor
  return addressOf?.(join('docs', path) + anchor)
}

/** Sets the alignment of a cell by class, because the server's Content-Security-Policy forbids inline styles. */
function classInsteadOfStyle(token: Token) {
  const style = token.type === 'th_open' || token.type === 'td_open' ? token.attrGet('style') : null
  if (style === null) return
  Object.assign(token, { attrs: [['class', style.replace('text-align:', 'align-')]] })
}

/** Removes the paragraphs that list test files, which only contributors have. */
function removeTests(tokens: Token[]) {
  for (let index = tokens.length - 2; index > 0; index--) {
    if (tokens[index]?.type === 'inline' && tokens[index]?.content.startsWith('Tests: `test/'))
      tokens.splice(index - 1, 3)
  }
}

/** Adds an anchor to each heading, and returns the sections with their text. */
function sectionsOf(tokens: Token[], TokenType: State['Token']): Section[] {
  const slugOf = headingSlugs()
  const sections: Section[] = []
  let isHeading = false
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const inline = tokens[index + 1] as Token
      const text = textOf(inline)
      const section = { level: Number(token.tag.slice(1)), id: slugOf(text), text, body: '' }
      sections.push(section)
      token.attrSet('id', section.id)
      if (section.level > 1) inline.children?.push(...anchorTo(section, TokenType))
      isHeading = true
    } else if (token.type === 'heading_close') {
      isHeading = false
    } else if (!isHeading && ['inline', 'fence', 'code_block'].includes(token.type)) {
      const section = sections.at(-1)
      if (section) section.body += `${textOf(token)} `
    }
  }
  return sections
}

function anchorTo({ id, text }: Heading, TokenType: State['Token']) {
  const link = new TokenType('html_inline', '', 0)
  link.content = ` <a class="anchor" href="#${id}" aria-label="${escapeHtml(`Link to “${text}”`)}">#</a>`
  return [link]
}

function textOf({ type, content, children }: Token): string {
  if (!children) return type === 'html_inline' ? '' : type === 'softbreak' || type === 'hardbreak' ? ' ' : content
  return children.map(textOf).join('').replaceAll(/\s+/g, ' ').trim()
}

export function escapeHtml(text: string) {
  const names: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => names[character] as string)
}
