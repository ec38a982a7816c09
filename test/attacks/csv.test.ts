import fc from 'fast-check'
import t from 'tap'
import { read, write } from '../support/formats.ts'

/** The start of a spreadsheet formula, after quotes and white space. */
const FORMULA = /^["\s\uFEFF]*[=+\-@＝＋－＠]/

/** Splits text into cells as a spreadsheet does with any of these delimiters, with and without quotes. */
function cellsOf(text: string, delimiters: RegExp) {
  return text.split(delimiters)
}

const texts = [
  ['x;=1+1', "x;'=1+1"],
  ['x\t=1+1', "x\t'=1+1"],
  ['x;"=1+1', 'x;\'"=1+1'],
  ['x; +cmd', "x;' +cmd"],
  ['x\n-1+1', "x\n'-1+1"],
  ['x\r\n@SUM(A1)', "x\r\n'@SUM(A1)"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  [' =1+1', "' =1+1"],
  ['\u3000＝1+1', "'\u3000＝1+1"],
  ['\t=1', "'\t'=1"],
  ['\n=1', "'\n'=1"],
  ["x;'=1", "x;''=1"],
  ['a-b; c=d', 'a-b; c=d'],
  ['1;2', '1;2']
] as const

for (const format of ['csv', 'tsv']) {
  t.test(`${format}: no cell is a formula with any delimiter, and exports can be imported again`, async (t) => {
    for (const [text, guarded] of texts) {
      const content = {
        directed: true,
        nodes: [{ id: text }, { id: 'z' }],
        edges: [{ source: text, target: 'z', label: text, metadata: { [text]: text } }]
      }
      const file = write(format, content)
      t.ok(file.text.includes(guarded.replaceAll('"', '""')), JSON.stringify([text, file.text]))
      for (const delimiters of [/[;\r\n]/, /[\t\r\n]/, format === 'tsv' ? /[,\r\n]/ : /[;\t\r\n]/]) {
        for (const cell of cellsOf(file.text, delimiters))
          t.notMatch(cell, FORMULA, `${JSON.stringify(cell)} is not a formula`)
      }
      const back = await read(format, file.text)
      t.same(back.content?.edges, content.edges)
      t.same(back.losses['formula-unescaped'], file.losses['formula-escaped'])
    }
  })

  t.test(`${format}: any text comes back unchanged`, async (t) => {
    const pieces = ['=', '+', '-', '@', '＝', "'", '"', ';', ',', '\t', '\n', '\r', ' ', 'x', '1', '\u3000', '\u2028']
    const text = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''))
    const different: unknown[] = []
    for (const [source, target, label] of fc.sample(fc.tuple(text, text, text), { numRuns: 500, seed: 3 })) {
      const edges = [{ source, target, label }]
      const nodes = [...new Set([source, target])].map((id) => ({ id }))
      const file = write(format, { directed: true, nodes, edges })
      const { content } = await read(format, file.text)
      const cells = [/[;\r\n]/, /[\t\r\n]/].flatMap((delimiters) => cellsOf(file.text, delimiters))
      const formulas = cells.filter((cell) => FORMULA.test(cell) && !/^["\s]*[+-]?\d*["\s,\t]/.test(cell))
      const edge = content?.edges[0]
      if (edge?.source !== source || edge.target !== target || edge.label !== label) different.push([edges, file.text])
      else if (formulas.length > 0) different.push([formulas, file.text])
    }
    t.same(different, [])
  })
}
