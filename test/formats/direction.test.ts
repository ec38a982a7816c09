import t from 'tap'
import { only } from '../support/engine.ts'
import { read } from '../support/formats.ts'
import { build } from '../support/helper.ts'

const once = only('SQLite', 'readers use no database')

/** Returns the graph's direction and the endpoints of its edges, with any direction that an edge specifies. */
async function edgesOf(format: string, file: unknown, directed: boolean | undefined) {
  const { content, losses } = await read(format, file, { directed })
  const edges = content?.edges.map(({ source, target, directed }) => [source, target, directed])
  return { directed: content?.directed, edges, losses }
}

t.test('the chosen direction applies to all edges, even those that state their own', once, async (t) => {
  const graphml = `<graphml><graph edgedefault="directed"><node id="a"/>
<edge source="a" target="a"/><edge source="a" target="a" directed="false"/></graph></graphml>`
  const own = [
    ['a', 'a', undefined],
    ['a', 'a', false]
  ]
  const all = own.map(([source, target]) => [source, target, undefined])
  const changed = { 'direction-changed': 1 }
  t.same(await edgesOf('graphml', graphml, undefined), { directed: true, edges: own, losses: {} })
  t.same(await edgesOf('graphml', graphml, true), { directed: true, edges: all, losses: changed })
  t.same(await edgesOf('graphml', graphml, false), { directed: false, edges: all, losses: changed })
  const csv = 'Source,Target,Type\na,b,Directed\nb,c,Directed'
  t.same(await edgesOf('csv', csv, false), {
    directed: false,
    edges: [
      ['a', 'b', undefined],
      ['b', 'c', undefined]
    ],
    losses: { 'direction-changed': 2 }
  })
})

t.test('a chosen direction is not reported as assumed', once, async (t) => {
  const graphml = '<graphml><graph><node id="a"/><edge source="a" target="a"/></graph></graphml>'
  t.same((await edgesOf('graphml', graphml, undefined)).losses, { 'direction-assumed': 1 })
  t.same((await edgesOf('graphml', graphml, false)).losses, {})
  t.same((await edgesOf('graphml', graphml, true)).losses, { 'direction-changed': 1 })
})

t.test(
  'a symmetric matrix becomes edges in both directions, and a mutual edge one undirected edge',
  once,
  async (t) => {
    const edges = async (format: string, file: string, directed: boolean | undefined) =>
      (await edgesOf(format, file, directed)).edges?.map(([source, target]) => `${source}${target}`)
    const matrix = ',a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0'
    t.same(await edges('csv', matrix, undefined), ['ab', 'bc'])
    t.same(await edges('csv', matrix, false), ['ab', 'bc'])
    t.same(await edges('csv', matrix, true), ['ab', 'ba', 'bc', 'cb'])
    const dl = 'dl n=3\ndata:\n0 1 0\n1 0 1\n0 1 0\n'
    t.same(await edges('ucinet', dl, true), ['12', '21', '23', '32'])
    const sparse = '%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n1 1\n2 1\n3 2\n'
    t.same(await edges('edge-list', sparse, true), ['11', '21', '12', '32', '23'])
    const mutual = 'Source,Target,Type\na,b,Mutual'
    t.same(await edges('csv', mutual, true), ['ab', 'ba'])
    t.same(await edges('csv', mutual, false), ['ab'])
  }
)

t.test('directed and encoding are parameters of imports', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const type = { 'content-type': 'text/csv; charset=utf-8' }
  const cyrillic = Buffer.from('Source,Target\n\xc0,\xc1\n', 'latin1')
  const post = (query: string) => ada.post(`/api/graphs/import?${query}`, cyrillic, type)
  t.equal((await post('')).status, 400)
  t.equal((await post('directed=false&encoding=%20CP1251')).status, 201)
  const { directed, nodes, edges } = (await ada.get('/api/graphs/1')).body.content
  t.same(
    { directed, nodes, edges },
    {
      directed: false,
      nodes: [{ id: 'А' }, { id: 'Б' }],
      edges: [{ source: 'А', target: 'Б' }]
    }
  )
  const { status, body } = await post('encoding=cp1252x')
  t.same(
    [status, body.code, body.errors],
    [
      400,
      'validation-failed',
      [
        {
          parameter: 'encoding',
          code: 'unknown-encoding',
          detail: 'is not a label of the WHATWG Encoding Standard, such as utf-8 or windows-1251'
        }
      ]
    ]
  )
  const utf16 = Buffer.from('Source,Target\nà,b', 'utf16le')
  const report = await ada.post('/api/graphs/import?dryRun=true&encoding=unicode', utf16, type)
  t.same([report.body.nodeCount, report.body.edgeCount], [2, 1])
})
