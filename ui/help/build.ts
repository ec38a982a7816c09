import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { basename } from 'node:path/posix'
import { type Config, Eleventy } from '@11ty/eleventy'
import { build } from 'esbuild'
import type { SearchEntry } from './browser/entry.ts'
import { type Contents, readContents } from './contents.ts'
import { addressOfPage, amend, type Section } from './markdown.ts'
import { pageHtml } from './page.ts'

// Builds dist/help, a static site of the documents in docs/. The site works under any path and without a server.

const root = join(import.meta.dirname, '../..')
const docs = join(root, 'docs')
const target = join(root, 'dist/help')
const fromHere = (path: string) => relative(process.cwd(), path) || '.'

interface Manifest {
  version: string
  repository?: { url: string }
}

/** Builds the site. The scripts are written last, because ui/build.ts checks their modification time. */
export async function buildHelp() {
  const contents = readContents(docs)
  const sections = new Map<string, Section[]>()
  const images = new Set<string>()
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const config = (config: Config) => configure(config, contents, sections, images)
  const eleventy = new Eleventy(fromHere(docs), fromHere(target), { quietMode: true, config })
  eleventy.disableLogger()
  await eleventy.write()
  // The other images are used only outside docs/.
  for (const image of images) cpSync(join(docs, image), join(target, image))
  writeFileSync(join(target, 'search.json'), JSON.stringify(entriesOf(contents, sections)))
  await buildScripts()
}

function configure(config: Config, contents: Contents, sections: Map<string, Section[]>, images: Set<string>) {
  const { version, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest
  const source = repository?.url.replace(/^git\+/, '').replace(/\.git$/, '')
  const site = {
    titles: contents.titles,
    addressOf: source === undefined ? undefined : (path: string) => `${source}/blob/HEAD/${path}`
  }
  config.setUseGitIgnore(false)
  config.setTemplateFormats(['md'])
  for (const folder of readdirSync(docs, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
    config.ignores.add(`${fromHere(join(docs, folder.name))}/**`)
  }
  for (const file of contents.leftOut) config.ignores.add(fromHere(join(docs, file)))
  config.addPassthroughCopy({
    [fromHere(join(import.meta.dirname, 'browser/help.css'))]: 'help.css',
    [fromHere(join(import.meta.dirname, '../src/icon.svg'))]: 'icon.svg'
  })
  config.addGlobalData('permalink', () => ({ page }: { page: { filePathStem: string } }) => {
    return addressOfPage(`${page.filePathStem.slice(1)}.md`)
  })
  config.addTemplate('404.md', '# Page not found\n\nSearch the help or choose a page.\n')
  config.amendLibrary('md', (markdown) =>
    amend(markdown, site, (path, found) => {
      sections.set(basename(path), found)
    })
  )
  config.addTransform('page', function (body) {
    const file = basename(this.page.inputPath)
    const found = sections.get(file) ?? []
    for (const [, image = ''] of body.matchAll(/"(images\/[^"\s]+)/g)) images.add(image)
    const title = found.find(({ level }) => level === 1)?.text ?? ''
    return pageHtml({ file, title, body, headings: found.filter(({ level }) => level === 2) }, contents, version)
  })
  // Disables templates, because braces in the documents are literal text.
  return { markdownTemplateEngine: false }
}

function entriesOf({ titles, rankOf }: Contents, sections: ReadonlyMap<string, Section[]>): SearchEntry[] {
  return [...titles].flatMap(([file, title]) =>
    (sections.get(file) ?? []).map(({ level, id, text, body }): SearchEntry => {
      const address = addressOfPage(file)
      return [level === 1 ? address : `${address}#${id}`, title, level === 1 ? '' : text, body.trim(), rankOf(file)]
    })
  )
}

async function buildScripts() {
  await build({
    absWorkingDir: root,
    entryPoints: ['scheme', 'app', 'search'].map((name) => join(import.meta.dirname, 'browser', `${name}.ts`)),
    outdir: target,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    logLevel: 'warning'
  })
}
