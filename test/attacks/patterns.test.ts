import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { addWords } from '../../graph/content/words.ts'
import { safeFileName } from '../../graph/files/names.ts'
import { foreignCharacter } from '../../graph/formats/shared/encodings.ts'
import { Losses } from '../../graph/formats/shared/losses.ts'
import { groupedNumber } from '../../graph/formats/shared/number-forms.ts'
import { isBefore } from '../../graph/formats/shared/xml.ts'
import { Formulas } from '../../graph/formats/tables/csv-formulas.ts'
import { rowsOf } from '../../graph/formats/tables/csv-rows.ts'
import { directionOf } from '../../graph/formats/tables/languages.ts'
import { TEXT_NOT_BLANK } from '../../schemas/types.ts'
import { patternsOf, patternsWithin, slowInput } from '../fuzz/patterns.ts'
import { cpuTime } from '../support/cpu-time.ts'
import { read } from '../support/formats.ts'
import { build } from '../support/helper.ts'

const root = join(import.meta.dirname, '..', '..')

t.test('quadratic time is detected', async (t) => {
  for (const pattern of [
    /^[^\0]*[^\s\0][^\0]*$/u,
    /^\*\s*(\w*)(.*)$/,
    /[.\s-]+$/,
    /^(a+)+$/,
    /^(?:\s|#[^\n]*|x)*!/,
    /#([^\r\n]*)[\r\n]*$/,
    /;\s*charset\s*\s*=/
  ]) {
    // Under load, one measurement may miss a slow pattern, but three are unlikely to.
    const found = slowInput(pattern) ?? slowInput(pattern) ?? slowInput(pattern)
    t.type(found, 'string', String(pattern))
  }
})

t.test('every pattern of a schema takes linear time', async (t) => {
  const modules = await Promise.all(
    ['schemas', 'src/settings']
      .flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(root, folder, file)))
      .filter((file) => /schemas\/.*\.ts$|\/config\.ts$/.test(file))
      .map((file) => import(file) as Promise<object>)
  )
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8')) as unknown
  const patterns = new Set([...patternsWithin(document), ...modules.flatMap((module) => patternsWithin({ ...module }))])
  t.ok(patterns.has(TEXT_NOT_BLANK))
  t.ok(patterns.size >= 8, `${patterns.size} patterns`)
  // With the flags that Ajv uses.
  for (const pattern of patterns) t.equal(slowInput(new RegExp(pattern, 'u')), undefined, pattern)
})

for (const folder of ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas']) {
  t.test(`every regular expression in ${folder}/ takes linear time`, async (t) => {
    const { literals } = patternsOf(folder)
    for (const { where, pattern } of literals) t.equal(slowInput(pattern), undefined, `${where} ${pattern}`)
    if (folder === 'graph') t.ok(literals.length > 80, `${literals.length} regular expressions`)
  })
}

t.test('the few patterns built from strings are all measured here', async (t) => {
  const made = ['src', 'plugins', 'db', 'graph', 'picture', 'audit', 'schemas'].flatMap(
    (folder) => patternsOf(folder).made
  )
  // The commands contain no patterns other than those in schemas.
  t.same(made, [
    'src/commands/audit/erase.ts',
    'src/commands/group.ts',
    'plugins/http/path-patterns.ts',
    'graph/content/words.ts',
    'graph/formats/shared/encodings.ts',
    'graph/formats/shared/number-forms.ts',
    'graph/formats/shared/xml.ts',
    'graph/formats/tables/csv-formulas.ts',
    'graph/formats/tables/csv-rows.ts',
    'graph/formats/tables/languages.ts',
    'graph/formats/text/gml-parser.ts',
    'graph/formats/text/rdf-tokens.ts',
    'schemas/user.ts'
  ])
  for (const piece of [' ', "'", '"', ';', '\t', ";'", "=;'", '\n ', '--']) {
    const text = piece.repeat(200_000)
    const formulas = new Formulas(',')
    const spent = await cpuTime(() => formulas.escape(`${text}x`) + formulas.escape(`${text}=`))
    t.ok(spent < 500, `${JSON.stringify(piece)} ${spent} ms`)
    t.ok((await cpuTime(() => safeFileName(`x${text}x`))) < 500, piece)
  }
  for (const piece of ['<', '<graph', '<a:', '<a.', 'a.', ':', '<a:graph:']) {
    const text = piece.repeat(200_000)
    t.ok(
      (await cpuTime(() => isBefore('graph', 'key', text) || isBefore('graph', 'key', `<graph>${text}`))) < 500,
      piece
    )
  }
  for (const piece of ['東', 'a東', 'aB', 'éB', 'ก่', 'é\u0301']) {
    t.ok((await cpuTime(() => addWords(new Set(), piece.repeat(100_000)))) < 2000, piece)
  }
  for (const piece of ['1', ' 234', '.234', ',234', "1'", '-1', 'é', '“', 'a“', '¢', 'ééé ', 'un', 'gericht', '有向']) {
    const text = piece.repeat(100_000)
    const spent = await cpuTime(() => [groupedNumber(`1${text}`), foreignCharacter(`${text} é`), directionOf(text)])
    t.ok(spent < 500, `${piece} ${spent} ms`)
  }
  for (const piece of ['a:', '.', 'a.', ':', '%41', '\\', '\\-', '\u00b7']) {
    t.ok((await cpuTime(() => read('turtle', `<a> <b> a:${piece.repeat(50_000)} .`))) < 1000, piece)
  }
  t.ok((await cpuTime(() => [...rowsOf('a,'.repeat(200_000), 0, ',', new Losses())])) < 500)
})

t.test('an overlong name that ends with U+0000 is refused quickly', async (t) => {
  const { as } = await build(t)
  const send = () => as('ada').post('/api/graphs', { name: `${'a'.repeat(60_000)}\0` })
  const { status, body } = await send()
  t.equal(status, 400)
  t.same(body.errors, [{ pointer: '#/name', code: 'too-long', detail: 'must have at most 255 characters' }])
  const time = await cpuTime(send)
  t.ok(time < 200, `${time} ms`)
})
