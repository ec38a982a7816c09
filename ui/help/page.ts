import type { Contents } from './contents.ts'
import { addressOfPage, escapeHtml, type Heading } from './markdown.ts'

interface Page {
  /** The file name, such as `backup.md`. */
  file?: string | undefined
  title: string
  /** The rendered document, as HTML. */
  body: string
  /** The headings to list in the sidebar under the current page. */
  headings: Heading[]
}

/** Returns the complete HTML of a page, which contains no inline scripts or styles and loads nothing from other hosts. */
export function pageHtml({ file, title, body, headings }: Page, contents: Contents, version: string) {
  // Ids outside the document begin with an underscore, so that they do not clash with those of headings.
  const name = title === 'Graphstead' ? title : `${escapeHtml(title)} · Graphstead`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name}</title>
<link rel="icon" href="icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="help.css">
<script src="scheme.js"></script>
<script src="app.js" defer></script>
<script src="search.js" defer></script>
</head>
<body>
<a class="skip" href="#_content">Skip to content</a>
<header>
<a class="home" href="./"><img src="icon.svg" alt="" width="28" height="28"> Graphstead help</a>
<nav id="_app" aria-label="Web app" hidden></nav>
<search hidden>
<input type="search" id="_query" placeholder="Search (press /)" aria-label="Search help" aria-controls="_results" autocomplete="off" spellcheck="false">
<p id="_count" role="status"></p>
<ol id="_results" hidden></ol>
</search>
<a class="to-contents" href="#_contents">Pages</a>
<button type="button" id="_scheme" hidden></button>
</header>
<div class="columns">
<main id="_content" tabindex="-1">
${body}
</main>
<nav id="_contents" aria-label="Pages" tabindex="-1">
${contents.groups.map(({ heading, pages }) => `<h2>${escapeHtml(heading)}</h2>\n<ul>\n${pages.map(entryOf).join('')}</ul>`).join('\n')}
</nav>
</div>
<footer>Graphstead ${escapeHtml(version)}</footer>
</body>
</html>
`

  function entryOf(other: string) {
    const link = `href="${addressOfPage(other)}"${other === file ? ' aria-current="page"' : ''}`
    return `<li><a ${link}>${escapeHtml(contents.titles.get(other) ?? other)}</a>${other === file ? below() : ''}</li>\n`
  }

  function below() {
    const items = headings.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
    return items.length > 1 ? `\n<ul>\n${items.join('\n')}\n</ul>\n` : ''
  }
}
