import fc from 'fast-check'
import t from 'tap'
import { writableFormats as formats } from '../../graph/formats/index.ts'
import { only } from '../support/engine.ts'
import { read } from '../support/formats.ts'
import { build } from '../support/helper.ts'

// Files that a reader handles in at most a second. Without limits on memory or depth, it would take minutes or exhaust all
// memory.

const once = { ...only('SQLite', 'readers use no database'), timeout: 30_000 }

const MANY = 100_000
const xml = (inside: string) => `<graphml><graph edgedefault="directed">${inside}</graph></graphml>`
const times = (text: string, count = MANY) => text.repeat(count)
const counted = (make: (index: number) => string, count = MANY) =>
  Array.from({ length: count }, (_, index) => make(index)).join('')
const dotNodes = counted((i) => `n${i};`, 90_000)
const xmlNodes = counted((i) => `<node id="${i}"/>`, 90_000)
const gexf = (attribute: (index: number) => string, count: number) =>
  `<gexf><graph><attributes class="node">${counted(attribute, count)}</attributes><nodes>${xmlNodes}</nodes></graph></gexf>`

const cases: [format: string | undefined, name: string, text: string, fault?: string][] = [
  [
    'graphml',
    'entities in a DTD',
    '<!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><graphml>&b;</graphml>',
    'doctype'
  ],
  ['graphml', 'an external DTD', '<!DOCTYPE a SYSTEM "file:///etc/passwd"><graphml/>', 'required'],
  [
    'graphml',
    'an external entity',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><graphml>&b;</graphml>',
    'doctype'
  ],
  ['graphml', 'an entity from an external DTD', '<!DOCTYPE a SYSTEM "a"><graphml>&b;</graphml>', 'malformed-xml'],
  ['graphml', 'a document type with very many spaces', `<!DOCTYPE a SYSTEM${times(' ')}x><graphml/>`, 'doctype'],
  ['graphml', 'deeply nested elements', times('<graphml>'), 'too-deep'],
  ['graphml', 'deeply nested elements with prefixes', times('<a:graphml xmlns:a="x">'), 'too-deep'],
  ['graphml', 'very many attributes', `<graphml ${counted((index) => ` a${index}="1"`)}/>`, 'required'],
  [
    'graphml',
    'one text in very many pieces',
    xml(`<node id="a"><desc>${times('<![CDATA[x]]>', 10_000)}</desc></node>`),
    undefined
  ],
  [
    'graphml',
    'defaults for all nodes',
    `<graphml>${counted((i) => `<key id="k${i}" attr.name="" attr.type="string"><default></default></key>`, 20_000)}<graph edgedefault="directed">${xmlNodes}</graph></graphml>`,
    'too-large'
  ],
  [
    'gexf',
    'defaults for all nodes',
    gexf((i) => `<attribute id="${i}" title="t${i}" type="string"><default>x</default></attribute>`, 20_000),
    'too-large'
  ],
  ['gexf', 'unused attributes', gexf((i) => `<attribute id="${i}" type="string"/>`, 90_000)],
  [
    'graphml',
    'keys after the graph, and many kinds of faults',
    `<graphml><graph>${counted((i) => `<node id="${i}"><data key="x${i}">1</data><data key="x${i}">2</data></node>`, 90_000)}</graph>${counted((i) => `<key id="k${i}"><default>1</default></key>`, 20_000)}</graphml>`,
    'repeated'
  ],
  [
    'graphml',
    'keys after the graph with defaults for all nodes',
    `<graphml><graph>${xmlNodes}</graph>${counted((i) => `<key id="k${i}"><default>1</default></key>`, 20_000)}</graphml>`,
    'too-large'
  ],
  [
    'graphml',
    'keys of one name',
    `<graphml>${counted((i) => `<key id="k${i}" attr.name="n"/>`, 90_000)}<graph/></graphml>`
  ],
  [
    'graphml',
    'data with many elements',
    xml(`<node id="a"><data key="d">${times('<a/>', 500_000)}</data></node>`),
    'too-large'
  ],
  ['graphml', 'unterminated tags', `<graph${times('<aaaaaa')}`, 'malformed-xml'],
  [
    'gexf',
    'undeclared values with many names',
    `<gexf><graph><nodes><node id="a"><attvalues>${counted((i) => `<attvalue for="${i}" value="1"/>`, 20_000)}</attvalues></node></nodes></graph></gexf>`
  ],
  ['gml', 'an unterminated string of escaped quotes', `graph [ label "${times('\\"')}`, 'malformed-gml'],
  ['gml', 'escaped quotes', `graph [ label "${times('\\"', 10_000)}" ]`],
  ['gml', 'words without quotes', `graph [ ${times('a b ', 20_000)}]`],
  ['pajek', 'partitions of one name', `*Vertices 1\n${times('*Partition a\n*Vertices 1\n1\n', 20_000)}`],
  [
    'pajek',
    'very many partitions of all nodes',
    `*Vertices 90000\n${times('*Vector a\n*Vertices 90000\n', 20_000)}`,
    'incomplete'
  ],
  [
    'pajek',
    'very many clusters of one node',
    `*Vertices 1\n${counted((i) => `*Cluster ${i}\n*Vertices 9\n${times('1\n', 9)}`, 20_000)}`
  ],
  ['pajek', 'networks', times('*Network\n*Vertices 1\n')],
  ['gml', 'deeply nested lists', `graph ${times('[ a ')}`, 'too-deep'],
  ['gml', 'comments with trailing spaces', `${times('#   \n', 100_000)}{`, 'malformed-gml'],
  ['gml', 'a very long number', `graph [ a ${times('1', 1_000_000)}x ]`, 'malformed-gml'],
  ['gml', 'one key repeated very often', `graph [ node [ id 1 ${times('a 1 ', 3000)} ] ]`],
  ['dot', 'deeply nested subgraphs', `digraph ${times('{')}`, 'too-deep'],
  [
    'dot',
    'edges between all pairs of nodes',
    `digraph { {${counted((i) => `a${i} `, 50_000)}} -> {${counted((i) => `b${i} `, 50_000)}} }`,
    'too-many-edges'
  ],
  [
    'dot',
    'a list of nodes with a list of nodes',
    `digraph { ${times('a,', 50_000)}a -> ${times('b,', 50_000)}b }`,
    'too-many-edges'
  ],
  [
    'dot',
    'the same edge again and again',
    `strict digraph { ${times('a,', 50_000)}a -> ${times('b,', 50_000)}b }`,
    'too-many-edges'
  ],
  [
    'dot',
    'attributes of a list of nodes',
    `digraph { ${times('a,', 20_000)}a [${counted((i) => `a${i}=1 `, 20_000)}] }`,
    'too-large'
  ],
  [
    'dot',
    'defaults for all nodes',
    `digraph { node [${counted((i) => `a${i}=1 `, 20_000)}] ${dotNodes} }`,
    'too-large'
  ],
  ['dot', 'constantly changing defaults', `digraph { ${counted((i) => `node [a${i}=1]; `, 20_000)} }`, 'too-large'],
  ['dot', 'a subgraph reopened very often', `digraph { ${counted((i) => `subgraph s { n${i} };`, 90_000)} }`],
  ['dot', 'nested subgraphs with many nodes', `digraph { ${times('{', 90)} ${dotNodes} ${times('}', 90)} }`],
  ['dot', 'a string of backslashes', `digraph { a [b="${times('\\\\', 500_000)}`, 'malformed-dot'],
  ['dot', 'a string in very many pieces', `digraph { "a"${times(' + "b"', 50)} ; x [label=""${times(' + ""')}] }`],
  ['dot', 'numerals', `digraph { a [b=${times('1')}] }`, undefined],
  [undefined, 'ambiguous comments', `${times('/**/', 50_000)}!`],
  [undefined, 'an unterminated document type', `<!DOCTYPE ${times('a')}`],
  [undefined, 'very many processing instructions', times('<?a ?>', 50_000)],
  ['csv', 'very many columns', `Source,Target${counted((i) => `,c${i}`)}\n${times('a,b\n')}`],
  ['csv', 'quotes', `Source,Target\n${times('"')}`],
  ['csv', 'very many cells', `Source,Target\n${times('a,')}`, 'too-many-cells'],
  ['csv', 'nothing but line breaks', times('\n', 3_000_000), 'required'],
  ['pajek', 'unterminated times', `*Vertices 2\n1 "a" ${times('[ ')}`],
  ['pajek', 'very many spaces before a quote', `*Vertices 2\n1 ${times(' ')}"`, 'malformed'],
  ['pajek', 'more vertices than the limit', '*Vertices 999999999', 'too-many-nodes'],
  ['node-link', 'deeply nested lists', `{"nodes": ${times('[')}`, 'malformed-json'],
  [
    'jgf',
    'one name repeated very often',
    `{"graph": {"nodes": {${counted(() => '"a":{},', 50_000)}"a":{}}}}`,
    'duplicate-id'
  ],
  [
    'cx2',
    'defaults for all nodes',
    `[{"CXVersion":"2.0"},{"attributeDeclarations":[{"nodes":{${counted((i) => `"a${i}":{"v":1},`, 20_000)}"z":{}}}]},{"nodes":[${counted((i) => `{"id":${i}},`, 90_000)}{"id":-1}]}]`,
    'too-large'
  ],
  ['cytoscape', 'elements that are not objects', `[${times('0,', 200_000)}0]`, 'wrong-type']
]

for (const [format, name, text, fault] of cases) {
  t.test(`${format ?? 'a file'}: ${name}`, once, async (t) => {
    try {
      const { faults, faultCount, content } = await read(format, text)
      t.ok(faults.length <= 50)
      if (fault !== undefined)
        t.ok(
          faults.some(({ code }) => code === fault),
          `${JSON.stringify(faults[0])} is ${fault}`
        )
      t.equal(content === undefined, faultCount > 0)
    } catch (error) {
      t.match(error, { code: 'format-unknown' })
    }
  })
}

t.test('names with a special meaning in JavaScript are harmless', async (t) => {
  const files: [string, string][] = [
    [
      'node-link',
      '{"nodes":[{"id":"__proto__","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}],"edges":[]}'
    ],
    ['cytoscape', '{"elements":{"nodes":[{"data":{"id":"a","__proto__":{"polluted":1}}}]}}'],
    [
      'graphml',
      xml('<node id="__proto__"/>').replace(
        '<graph ',
        '<key id="__proto__" for="node" attr.name="__proto__" attr.type="string"><default>x</default></key><graph '
      )
    ],
    ['gml', 'graph [ node [ id 1 __proto__ [ polluted 1 ] constructor [ prototype [ polluted 1 ] ] ] ]'],
    ['dot', 'digraph { __proto__ [__proto__="x", constructor=y] }'],
    ['csv', 'Source,Target,__proto__,constructor\n__proto__,b,x,y'],
    ['pajek', '*Vertices 1\n1 "__proto__" 0 0 0 __proto__ x']
  ]
  for (const [format, text] of files) {
    const { content, faults } = await read(format, text)
    t.same(faults, [], format)
    t.match(JSON.stringify(content), '__proto__', format)
    t.equal(({} as { polluted?: number }).polluted, undefined, format)
  }
})

/** Tokens with a meaning in some format, to be used in unexpected places. */
// biome-ignore format: packed lines
const pieces = [
  '=', '->', '--', '[', ']', '{', '}', '"', '<', '>', '&', ';', ':', ',', '\n', '\\', '#', '%', '\t', '+', 'null',
  'true', '-1', '1e999',
  '<node id="x">', '</node>', '<graph edgedefault="directed">', '<data key="n0">', '<default>', '<key id="k">',
  '<desc>', '<![CDATA[',
  '<attvalue for="0" value="x"/>', '<attributes class="node">', '<edge source="a" target="b">', 'subgraph', 'graph',
  'node', 'edge', 'id 1',
  '*Arcs', '*Matrix', '*Vertices 3', '"id":', '"source":', '"data":', '"v":', '"nodes":', '__proto__', 'sep=;',
  'Source', ' = b'
].map((piece) => Buffer.from(piece))

t.test('no file causes a 5xx response', async (t) => {
  const { as } = await build(t)
  const ada = as('ada')
  const nodes = [{ id: 'a', label: 'A', x: 1, y: 2, metadata: { k: 1 } }, { id: 'b' }]
  const edges = [{ source: 'a', target: 'b', metadata: { weight: 2 } }]
  await ada.post('/api/graphs', { name: 'g', content: { nodes, edges } })
  const samples = await Promise.all(
    formats.map(async ({ name }) => (await ada.get(`/api/graphs/1/content?format=${name}`)).bytes)
  )
  const mutated = fc
    .tuple(
      fc.nat({ max: samples.length - 1 }),
      fc.array(
        fc.tuple(
          fc.double({ min: 0, max: 1, noNaN: true }),
          fc.constantFrom('cut', 'insert', 'repeat'),
          fc.oneof(fc.uint8Array({ maxLength: 6 }), fc.constantFrom(...pieces))
        ),
        { minLength: 1, maxLength: 4 }
      )
    )
    .map(([index, changes]) => {
      let bytes = samples[index] as Buffer
      for (const [where, change, more] of changes) {
        const at = Math.floor(where * bytes.length)
        const rest = change === 'cut' ? bytes.subarray(at + more.length) : bytes.subarray(at)
        const between = change === 'repeat' ? bytes.subarray(at, at + 40) : Buffer.from(more as Uint8Array)
        bytes = Buffer.concat([bytes.subarray(0, at), between, rest])
      }
      return { bytes, format: formats[index]?.name }
    })
  await fc.assert(
    fc.asyncProperty(mutated, fc.boolean(), async ({ bytes, format }, isNamed) => {
      const query = isNamed ? `&format=${format}` : ''
      const { status, body } = await ada.post(`/api/graphs/import?dryRun=true${query}`, bytes, {
        'content-type': 'application/octet-stream'
      })
      // A damaged archive is reported as malformed.
      const isDamaged = status === 400 && body.errors[0].code === 'malformed-zip'
      if (status !== 200 && status !== 415 && !isDamaged) throw new Error(`${status} ${JSON.stringify(body)}`)
      if (status === 200 && body.valid !== (body.faultCount === 0)) throw new Error(JSON.stringify(body))
    }),
    { numRuns: 2000, seed: 7 }
  )
  t.pass()
})
