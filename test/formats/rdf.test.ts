import t from 'tap'
import { read } from '../support/formats.ts'

/** Returns the triples of a graph, and its attributes. */
async function found(text: string, format?: string) {
  const { content, faults, losses } = await read(format, text)
  if (!content) return faults.map(({ code, line, column }) => [code, line, column])
  const edges = content.edges.map(({ source, target, relation }) => `${source} ${relation} ${target}`)
  return { nodes: content.nodes, edges, losses }
}

const PREFIX = '@prefix ex: <http://ex.org/> .\n'

t.test('Turtle is read', async (t) => {
  const file = `# People
${PREFIX}PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@base <http://ex.org/dir/> .
ex:a a ex:Person, ex:Admin ; rdfs:label "Ann \\u00e9"@en, "Anna"@de ;
  ex:age 42 ; ex:w 1.5, -2e3 ; ex:ok true ; ex:day "2020-01-01"^^xsd:date ; ex:n "7"^^xsd:int ;
  ex:text """two
"lines" \\"""" ; ex:knows <b>, _:c, [ ex:name 'Zed' ; ] .
<http://ex.org/a> ex:knows ex:d.e.
[] ex:knows ex:a .`
  t.same(await found(file), {
    nodes: [
      {
        id: 'ex:a',
        label: 'Ann é',
        metadata: {
          type: ['ex:Person', 'ex:Admin'],
          'rdfs:label': 'Anna',
          'ex:age': 42,
          'ex:w': [1.5, -2000],
          'ex:ok': true,
          'ex:day': '2020-01-01',
          'ex:n': 7,
          'ex:text': 'two\n"lines" "'
        }
      },
      { id: 'http://ex.org/dir/b' },
      { id: '_:c' },
      { id: '_:[1]', metadata: { 'ex:name': 'Zed' } },
      { id: 'ex:d.e' },
      { id: '_:[2]' }
    ],
    edges: [
      'ex:a ex:knows http://ex.org/dir/b',
      'ex:a ex:knows _:c',
      'ex:a ex:knows _:[1]',
      'ex:a ex:knows ex:d.e',
      '_:[2] ex:knows ex:a'
    ],
    losses: { 'datatype-dropped': 3 }
  })
})

t.test('distinct IRIs have distinct ids', async (t) => {
  const file = `${PREFIX}ex:a ex:p <ex:a> .\n@prefix ex: <http://other.org/> .\nex:a ex:q <http://ex.org/a> .`
  t.same(await found(file), {
    nodes: [{ id: 'ex:a' }, { id: '<ex:a>' }, { id: 'http://other.org/a' }],
    edges: ['ex:a ex:p <ex:a>', 'http://other.org/a ex:q ex:a'],
    losses: {}
  })
})

t.test('rare forms of Turtle are read', async (t) => {
  const file = '@prefix a·̀‿𐀀: <http://p/> .\n<> a·̀‿𐀀:p _:b́.⁀ ;; a·̀‿𐀀:w 12.E-1 ; .'
  t.same(await found(file), {
    nodes: [{ id: '<>', metadata: { 'a·̀‿𐀀:w': 1.2 } }, { id: '_:b́.⁀' }],
    edges: ['<> a·̀‿𐀀:p _:b́.⁀'],
    losses: {}
  })
})

t.test('N-Triples are read as Turtle', async (t) => {
  const result = await found('<http://e/a> <http://e/p> <http://e/b> .', 'turtle')
  t.same('edges' in result && result.edges, ['http://e/a http://e/p http://e/b'])
})

t.test('a repeated triple is one edge', async (t) => {
  const result = await found(`${PREFIX}ex:a ex:p ex:b, ex:b ; ex:q ex:b .`)
  t.same('edges' in result && result.edges, ['ex:a ex:p ex:b', 'ex:a ex:q ex:b'])
})

t.test('a collection becomes a chain', async (t) => {
  const result = await found(`${PREFIX}ex:a ex:list ( ex:b 2 ), () .`)
  t.same('edges' in result && result.edges, [
    '_:[1] rdf:first ex:b',
    '_:[1] rdf:rest _:[2]',
    '_:[2] rdf:rest rdf:nil',
    'ex:a ex:list _:[1]',
    'ex:a ex:list rdf:nil'
  ])
})

t.test('N-Triples are read', async (t) => {
  const file = '_:x <http://p/a#p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\n_:x <http://p/a#q> _:y . # end\n'
  t.same(await found(file), {
    nodes: [{ id: '_:x', metadata: { 'http://p/a#p': 1 } }, { id: '_:y' }],
    edges: ['_:x http://p/a#q _:y'],
    losses: {}
  })
})

t.test('faulty Turtle is refused', async (t) => {
  const codes = async (text: string) => await found(PREFIX + text, 'turtle')
  t.same(await codes('ex:a no:p ex:b .'), [['malformed', 2, 6]], 'an undeclared prefix')
  t.same(await codes('ex:a ex:p ex:b'), [['malformed', 2, 15]], 'a missing dot')
  t.same(await codes('ex:a ex:p "b .'), [['malformed', 2, 11]], 'an open string')
  t.same(await codes('"a" ex:p ex:b .'), [['malformed', 2, 1]], 'a literal as a subject')
  t.same(await codes('<< ex:a ex:p ex:b >> ex:q 1 .'), [['not-allowed', 2, 1]])
  for (const named of ['{ ex:a ex:p ex:b . }', 'GRAPH ex:g { ex:a ex:p ex:b . }']) {
    t.same(await codes(named), [['not-allowed', 2, 1]])
  }
  t.same(await codes('ex:g { ex:a ex:p ex:b . }'), [['not-allowed', 2, 6]])
  t.same(await codes('<http://a/1> <http://a/p> "x" <http://a/g> .'), [['not-allowed', 2, 31]])
  t.same(await codes(`ex:a ex:p ${'('.repeat(1e5)}`), [['too-deep', 2, 111]])
  const long = `@prefix l: <http://l/${'x'.repeat(1e6)}/> .\n${'l:a l:p l:b .\n'.repeat(1e5)}`
  t.same(
    (await read('turtle', long)).faults.map(({ code }) => code),
    ['too-large'],
    'a long namespace'
  )
  t.same((await read('turtle', `${PREFIX}ex:a ex:p "${'\\"'.repeat(1e6)}" .`)).nodeCount, 1, 'a long string')
})
