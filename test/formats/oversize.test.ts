import t from 'tap'
import { contentChecker } from '../../graph/content/content.ts'
import { readGraphFile } from '../../graph/files/conversion.ts'
import { METADATA_DEPTH } from '../../schemas/graph-content.ts'
import { only } from '../support/engine.ts'
import { read } from '../support/formats.ts'
import { build } from '../support/helper.ts'

const once = only('SQLite', 'readers use no database')
const gml = (note: string) => `graph [ node [ id 1 label "Ada" note "${note}" size 3 ] node [ id 2 ] ]`

t.test(
  'metadata up to 256 KiB per element is read; larger metadata is reported with its size and element',
  once,
  async (t) => {
    const { content } = await read('gml', gml('x'.repeat(112_000)))
    t.equal(String(content?.nodes[0]?.metadata?.note).length, 112_000)
    const { faults, content: none } = await read('gml', gml('x'.repeat(262_144)))
    t.equal(none, undefined)
    t.same(faults, [
      {
        line: 1,
        column: 9,
        element: 'node "1"',
        code: 'too-large',
        detail: 'metadata is 262164 bytes of JSON; the limit is 262144'
      }
    ])
  }
)

t.test('oversize=drop omits the largest values, and no more than necessary', once, (t) => {
  const limits = { maxNodes: 10, maxEdges: 10, bodyLimit: 1_000_000, metadataLimit: 1024 }
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })
  const file = {
    directed: true,
    metadata: { graph: 'x'.repeat(2000) },
    nodes: [
      // `{"a":"…","b":"…"}` takes 16 bytes in addition to the text.
      { id: 'fits', metadata: { a: 'x'.repeat(504), b: 'x'.repeat(504) } },
      { id: 'above', metadata: { a: 'x'.repeat(504), b: 'x'.repeat(505), c: 1 } },
      { id: 'deep', metadata: { a: nested(METADATA_DEPTH), b: nested(METADATA_DEPTH - 1) } },
      { id: 'all', metadata: { a: 'é'.repeat(600) } }
    ],
    edges: [{ source: 'fits', target: 'all', metadata: { a: 'x'.repeat(900), b: 'x'.repeat(800), c: 'x'.repeat(700) } }]
  }
  const bytes = Buffer.from(JSON.stringify(file))
  const check = contentChecker(limits)
  const refused = readGraphFile(bytes, { formats: ['node-link'] }, limits, check).report
  t.equal(refused.faultCount, 5)
  const { report, stored } = readGraphFile(bytes, { formats: ['node-link'], oversize: 'drop' }, limits, check)
  t.same(report.faults, [])
  const losses = report.losses.map(({ code, count }) => [code, count])
  t.same(losses, [['oversize-dropped', 6]])
  t.same(JSON.parse(String(stored?.body)), {
    directed: true,
    nodes: [
      file.nodes[0],
      { id: 'above', metadata: { a: 'x'.repeat(504), c: 1 } },
      { id: 'deep', metadata: { b: nested(METADATA_DEPTH - 1) } },
      { id: 'all' }
    ],
    edges: [{ source: 'fits', target: 'all', metadata: { c: 'x'.repeat(700) } }]
  })
  t.end()
})

t.test('the metadata limit is a setting, and oversize a parameter of imports', async (t) => {
  const { as } = await build(t, { metadataLimit: 1024 })
  const post = (url: string) => as('ada').post(url, gml('x'.repeat(2000)), { 'content-type': 'text/x-gml' })
  const refused = await post('/api/graphs/import')
  t.equal(refused.status, 400)
  t.equal(refused.body.errors[0].detail, 'metadata is 2020 bytes of JSON; the limit is 1024')
  const taken = await post('/api/graphs/import?oversize=drop')
  t.equal(taken.status, 201)
  t.equal(taken.headers['graphstead-loss'], 'oversize-dropped;n=1')
  t.equal((await post('/api/graphs/import?oversize=keep')).status, 400)
})
