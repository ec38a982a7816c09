import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ProblemError } from '../../schemas/problem-catalogue.ts'
import { read } from '../support/formats.ts'
import { dependencies } from './strangers/dependencies.ts'
import { evidence } from './strangers/evidence.ts'
import { graphs } from './strangers/graphs.ts'
import { json } from './strangers/json.ts'
import { texts } from './strangers/texts.ts'
import { values } from './strangers/values.ts'

// Small files as other people and programs write them. Each file in `strangers/` lists some of them with the correct results.

const lists = { dependencies, evidence, graphs, json, texts, values }

const folder = join(import.meta.dirname, '../samples/strangers')

for (const [name, rows] of Object.entries(lists)) {
  t.test(name, async (t) => {
    for (const [file, expected] of rows) t.same(await resultOf(file), expected, file)
  })
}

/** Reads a file as if nothing were known about it. Returns the parts of the result that the lists contain. */
async function resultOf(file: string) {
  const bytes = readFileSync(join(folder, file))
  try {
    const { format, content, faults, losses, nodeCount, edgeCount } = await read(undefined, bytes)
    if (faults.length > 0) return { faults: faults.map(({ code, line }) => [code, line]) }
    return { format, nodes: nodeCount, edges: edgeCount, losses, first: [content?.nodes[0], content?.edges[0]] }
  } catch (error) {
    if (error instanceof ProblemError) return { refused: error.message }
    throw error
  }
}

t.test('a file that is not in the format of its extension is refused with both formats', async (t) => {
  for (const [format, text, sentence] of [
    [
      'cx',
      '[{"CXVersion":"2.0"},{"nodes":[{"id":1}]},{"status":[{"success":true}]}]',
      'This is CX2, not CX (version 1).'
    ],
    ['gml', '<?xml version="1.0"?><graphml><graph><node id="a"/></graph></graphml>', 'This is GraphML, not GML.']
  ] as const) {
    await t.rejects(read(format, text), {
      code: 'format-unknown',
      message: new RegExp(`^${sentence.replace(/[()]/g, '\\$&')}`)
    })
  }
})
