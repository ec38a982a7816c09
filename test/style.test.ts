import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import t from 'tap'
import { match } from 'tcompare'
import ts from 'typescript'
import { headingSlugs } from '../ui/help/slugs.ts'
import { only } from './support/engine.ts'
import { houseFolders } from './support/house.ts'

const sqlite = only('SQLite', 'it reads the tests')

const root = join(import.meta.dirname, '..')

const loose = ['match', 'has', 'matchStrict', 'hasStrict']

/** Lists the empty arrays and objects in the expectations of `t.match` and similar functions, which match anything. */
function emptyExpectations(file: string, source: string): string[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const isEmpty = (node: ts.Node) =>
    (ts.isArrayLiteralExpression(node) && node.elements.length === 0) ||
    (ts.isObjectLiteralExpression(node) && node.properties.length === 0)
  const lineOf = (node: ts.Node) => tree.getLineAndCharacterOfPosition(node.getStart()).line + 1
  function look(node: ts.Node) {
    if (isEmpty(node)) found.push(`${file}:${lineOf(node)}: ${node.getText()}`)
    ts.forEachChild(node, look)
  }
  function walk(node: ts.Node) {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const expected = node.arguments[1]
      if (expected && loose.includes(node.expression.name.text)) look(expected)
    }
    ts.forEachChild(node, walk)
  }
  walk(tree)
  return found
}

t.test('no test expects an empty array or object where that matches anything', sqlite, async (t) => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts')
  )
  t.ok(files.length > 60)
  for (const file of files) {
    const path = join(import.meta.dirname, file)
    const name = relative(root, path)
    t.same(emptyExpectations(name, readFileSync(path, 'utf8')), [], name)
  }
})

t.test('t.match compares arrays by their length', sqlite, async (t) => {
  t.equal(match(['x', 'y'], ['x']).match, false)
  t.equal(match({ faults: ['x'] }, { faults: [] }).match, false)
  t.equal(match({ faults: ['x', 'y'], count: 2 }, { faults: ['x', /y/] }).match, true)
})

t.test('empty expectations are found at any depth', sqlite, async (t) => {
  const refused = ['[]', '{}', '{ faults: [] }', '[{ data: {} }, 1]', 'problem(400, code, [{}])', '{ ...x, y: [[]] }']
  for (const expected of refused) t.equal(emptyExpectations('x.ts', `t.match(a, ${expected}, [])`).length, 1, expected)
  for (const allowed of ['t.match(f([]), { a: [1] }, {})', 't.same(a, [])', 'map.has({})', 't.match(a, [/x/])']) {
    t.same(emptyExpectations('x.ts', allowed), [], allowed)
  }
})

/** Folders whose comments and test names follow the style of CONTRIBUTING.md. */
const plainFolders = [...houseFolders, 'ui', 'clients', 'bench', 'deploy', 'test', '.ci']

/** Matches a comment line that begins with a relative clause instead of its subject. Questions are allowed. */
const CLAUSE_COMMENT = /^[ \t]*(?:\{?\/\*\*?|\/\/|\*)[ \t]*(?:What|Whatever|Who|Whoever|Whose)\b[^?\n]*$/gm

/** Matches a test name that begins with a relative clause. */
const CLAUSE_NAME = /^\s*(?:t\.test|journey)\(\s*['"`](?:what|whatever|who|whoever|whose)\b.*/gm

function clausesIn(source: string): string[] {
  return [...source.matchAll(CLAUSE_COMMENT), ...source.matchAll(CLAUSE_NAME)].map(([text]) => text.trim())
}

t.test('comments and test names begin with their subject', sqlite, async (t) => {
  const files = plainFolders.flatMap((folder) =>
    globSync(`${folder}/**/*.{ts,tsx}`, {
      cwd: root,
      exclude: (path) => /(?:^|\/)(?:node_modules|generated)/.test(path)
    })
  )
  t.ok(files.length > 250, `${files.length} files`)
  for (const file of files) t.same(clausesIn(readFileSync(join(root, file), 'utf8')), [], file)
})

t.test('relative clauses as subjects are found in comments and test names', sqlite, async (t) => {
  const refused = [
    '/** What it is. */',
    '  // Who asks.',
    ' * Whoever asks',
    '{/* Whatever */}',
    "t.test('what is', f)"
  ]
  for (const text of refused) t.equal(clausesIn(text).length, 1, text)
  for (const allowed of ['// Who asks?', '/** Whole. */', "const a = 'What'", "t.test('whole', f)"]) {
    t.same(clausesIn(allowed), [], allowed)
  }
})

/** Lists the repository paths in a document's code that do not exist. A path may be a glob pattern. */
function lostPaths(document: string): string[] {
  const words = [...document.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '))
  return words.filter((word) => {
    const [folder = '', ...rest] = word.split('/')
    return rest.length > 0 && [...plainFolders, 'docs'].includes(folder) && globSync(word, { cwd: root }).length === 0
  })
}

const documents = globSync(['*.md', '{docs,test,bench,deploy,clients}/**/*.md'], {
  cwd: root,
  exclude: (path) => /node_modules/.test(path)
})

/** Returns the text of a document without its code, which contains no links. */
function withoutCode(document: string) {
  return document
    .replace(/^ *(```+|~~~+)[^\n]*\n[\s\S]*?^ *\1 *$/gm, '')
    .replace(/(`+)[^`](?:[^`]|\n(?!\n))*?\1/g, 'code')
}

/** Returns the anchors of a document: those of its headings, as on GitHub, and its explicit ids. */
function anchorsOf(document: string): Set<string> {
  const slugOf = headingSlugs()
  const prose = document.replace(/^ *(```+|~~~+)[^\n]*\n[\s\S]*?^ *\1 *$/gm, '')
  const headings = [...prose.matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text)
  const slugs = headings.map((text) => slugOf(text.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')))
  return new Set([...slugs, ...[...prose.matchAll(/\b(?:id|name)="([^"]+)"/g)].map(([, id = '']) => id)])
}

/** Lists the relative links of a document whose target file or anchor does not exist. */
function lostLinks(file: string, document: string): string[] {
  const prose = withoutCode(document)
  const inline = prose.matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)
  const others = [...prose.matchAll(/^\[[^\]]+\]: *(\S+)/gm), ...prose.matchAll(/\b(?:href|src|srcset)="([^"\s]+)/g)]
  const targets = [...inline, ...others].map(([, target = '']) => target)
  return targets.filter((target) => {
    if (/^[a-z]+:/.test(target)) return false
    const [path = '', anchor] = target.split('#')
    const place = path === '' ? file : join(dirname(file), path)
    if (path !== '' && (place.startsWith('..') || !existsSync(join(root, place)))) return true
    if (anchor === undefined || !place.endsWith('.md')) return false
    return !anchorsOf(path === '' ? document : readFileSync(join(root, place), 'utf8')).has(anchor)
  })
}

t.test('every relative link and anchor in a document resolves', sqlite, async (t) => {
  t.ok(documents.length > 40, `${documents.length} documents`)
  for (const file of documents) t.same(lostLinks(file, readFileSync(join(root, file), 'utf8')), [], file)
})

t.test('every form of broken link is found', sqlite, async (t) => {
  const heads = '# The `a` & b\n## Same\n## Same\n<a id="own"></a>\n'
  const lost = ['[x](lost.md)', '![x](images/lost.png "X")', '<img src="lost.png">', '[x]: lost.md', '[x](#lost)']
  for (const link of [...lost, '[x](../../outside.md)', '[x](backup.md#lost)', '[`x`](#same-2)']) {
    t.equal(lostLinks('docs/x.md', `${heads}\n${link}\n`).length, 1, link)
  }
  const sound = ['[x](#the-a--b)', '[x](#same-1)', '[x](#own)', '[x](backup.md#restore)', '[x](../deploy)', '`[x](y)`']
  for (const link of [...sound, '[x](https://graphstead.example/#x)', '```md\n[x](y)\n# z\n```']) {
    t.same(lostLinks('docs/x.md', `${heads}\n${link}\n`), [], link)
  }
})

t.test('every path named in a document exists', sqlite, async (t) => {
  const present = documents.filter((file) => !file.includes('CHANGELOG'))
  t.ok(present.length > 30, `${present.length} documents`)
  for (const file of present) t.same(lostPaths(readFileSync(join(root, file), 'utf8')), [], file)
  t.same(lostPaths('`test/run.ts`, `db/*.ts`, `node src/main.ts x`, `a/b`, `test/lost.ts`, `node db/lost/*.ts x`'), [
    'test/lost.ts',
    'db/lost/*.ts'
  ])
})
