import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import { match } from 'tcompare'
import ts from 'typescript'
import { only } from './support/engine.ts'
import { houseFolders } from './support/house.ts'

const sqlite = only('SQLite', 'it reads the tests themselves')

const root = join(import.meta.dirname, '..')

const loose = ['match', 'has', 'matchStrict', 'hasStrict']

/** Lists the empty arrays and objects in the expectations of `t.match` and its kin, which match anything. */
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

t.test('no test expects an empty array or object where more is accepted', sqlite, async (t) => {
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

t.test('an empty expectation is found at any depth', sqlite, async (t) => {
  const refused = ['[]', '{}', '{ faults: [] }', '[{ data: {} }, 1]', 'problem(400, code, [{}])', '{ ...x, y: [[]] }']
  for (const expected of refused) t.equal(emptyExpectations('x.ts', `t.match(a, ${expected}, [])`).length, 1, expected)
  for (const allowed of ['t.match(f([]), { a: [1] }, {})', 't.same(a, [])', 'map.has({})', 't.match(a, [/x/])']) {
    t.same(emptyExpectations('x.ts', allowed), [], allowed)
  }
})

/** Folders whose comments and test names follow the house style of CONTRIBUTING.md. */
const plainFolders = [...houseFolders, 'ui', 'clients', 'bench', 'deploy', 'test', '.ci']

/** A comment, or a line of one, that begins with a relative clause instead of its subject. Questions are allowed. */
const CLAUSE_COMMENT = /^[ \t]*(?:\{?\/\*\*?|\/\/|\*)[ \t]*(?:What|Whatever|Who|Whoever|Whose)\b[^?\n]*$/gm

/** A test name that begins in the same way. */
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

t.test('a clause as subject is found in comments and test names', sqlite, async (t) => {
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

/** Lists the paths of the repository in the code of a document that lead nowhere. A path may be a pattern. */
function lostPaths(document: string): string[] {
  const words = [...document.matchAll(/`([^`\n]+)`/g)].flatMap(([, code = '']) => code.split(' '))
  return words.filter((word) => {
    const [folder = '', ...rest] = word.split('/')
    return rest.length > 0 && [...plainFolders, 'docs'].includes(folder) && globSync(word, { cwd: root }).length === 0
  })
}

t.test('every path that a document names exists', sqlite, async (t) => {
  const documents = globSync(['*.md', '{docs,test,bench,deploy,clients}/**/*.md'], {
    cwd: root,
    exclude: (path) => /node_modules|CHANGELOG/.test(path)
  })
  t.ok(documents.length > 30, `${documents.length} documents`)
  for (const file of documents) t.same(lostPaths(readFileSync(join(root, file), 'utf8')), [], file)
  t.same(lostPaths('`test/run.ts`, `db/*.ts`, `node src/main.ts x`, `a/b`, `test/lost.ts`, `node db/lost/*.ts x`'), [
    'test/lost.ts',
    'db/lost/*.ts'
  ])
})
