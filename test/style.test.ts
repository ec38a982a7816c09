import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import t from 'tap'
import ts from 'typescript'
import { only } from './engine.ts'

const sqlite = only('SQLite', 'it reads the tests themselves')

const loose = ['match', 'has', 'matchStrict', 'hasStrict']

/** Lists the empty arrays and objects in what `t.match` and its kin expect: they are equal to whatever has more. */
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
    const name = relative(join(import.meta.dirname, '..'), path)
    t.same(emptyExpectations(name, readFileSync(path, 'utf8')), [], name)
  }
})

t.test('an empty expectation is found at any depth', sqlite, async (t) => {
  const refused = ['[]', '{}', '{ faults: [] }', '[{ data: {} }, 1]', 'problem(400, code, [{}])', '{ ...x, y: [[]] }']
  for (const expected of refused) t.equal(emptyExpectations('x.ts', `t.match(a, ${expected}, [])`).length, 1, expected)
  for (const allowed of ['t.match(f([]), { a: [1] }, {})', 't.same(a, [])', 'map.has({})', 't.match(a, [/x/])']) {
    t.same(emptyExpectations('x.ts', allowed), [], allowed)
  }
})
