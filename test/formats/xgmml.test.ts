import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { read } from '../support/formats.ts'

t.test('nodes, edges, attributes with types and lists, groups and positions are read from XGMML', async (t) => {
  const file = await read(undefined, readFileSync(join(import.meta.dirname, '../samples/small.xgmml')))
  t.match(file, { format: 'xgmml', version: '3.0', name: 'Small net', valid: true })
  t.same(file.content, {
    directed: true,
    metadata: { year: 2024 },
    nodes: [
      {
        id: '61',
        label: 'A',
        x: -10.5,
        y: -20,
        z: 0,
        metadata: { score: 0.5, known: true, alias: ['a1', 'a2'] }
      },
      { id: '62', label: 'B', x: 3, y: -4 },
      { id: '63', label: 'Group', metadata: { size: 2 } },
      { id: '64', label: 'C', metadata: { parent: '63', 'shared name': 'C' } }
    ],
    edges: [
      { id: '80', source: '61', target: '62', relation: 'pp', label: 'A (pp) B', metadata: { weight: 2.5 } },
      { id: '81', source: '62', target: '64', directed: false, relation: 'pd', label: 'B (pd) C' }
    ]
  })
})

t.test('a graph without a directed attribute is undirected, and its other attributes are kept', async (t) => {
  const file = await read(
    'xgmml',
    `<graph xmlns="http://www.cs.rpi.edu/XGMML"><att name="documentVersion" value="1.1"/>
<node id="1" name="A"><att name="canonicalName" value="A"/><att name="more" type="complex"><att name="k" value="1" type="integer"/></att></node>
<edge source="1" target="1" weight="3" directed="1"/></graph>`
  )
  t.match(file, { version: '1.1', valid: true })
  t.same(file.content, {
    directed: false,
    nodes: [{ id: '1', label: 'A', metadata: { canonicalName: 'A', more: { k: 1 } } }],
    edges: [{ source: '1', target: '1', directed: true, metadata: { weight: 3 } }]
  })
})

t.test('XML attributes of elements are kept', async (t) => {
  const { content } = await read(
    'xgmml',
    `<graph xmlns="http://www.cs.rpi.edu/XGMML" xmlns:cy="http://www.cytoscape.org" label="g" id="7" Layout="circle" cy:view="1">
<node id="1" label="A" name="B" weight="3"/><node id="2" name="C" code="007"><att name="code" value="8" type="integer"/></node>
<edge source="1" target="2" weight="heavy" capacity="2.5"/></graph>`
  )
  t.same(content, {
    directed: false,
    metadata: { Layout: 'circle' },
    nodes: [
      { id: '1', label: 'A', metadata: { weight: 3, name: 'B' } },
      { id: '2', label: 'C', metadata: { code: 8 } }
    ],
    edges: [{ source: '1', target: '2', metadata: { weight: 'heavy', capacity: 2.5 } }]
  })
})

t.test('every XGMML fault has its position', async (t) => {
  const cases: [string, number, string][] = [
    ['<graph>\n<node/></graph>', 2, 'required'],
    ['<graph>\n<node id="1"/>\n<edge source="1"/></graph>', 3, 'required'],
    ['<graph>\n<node id="1"/>\n<edge source="1" target="2"/></graph>', 3, 'unknown-node'],
    ['<graph>\n<node id="1"/>\n<node id="1"/></graph>', 3, 'duplicate-id'],
    ['<graph>\n<node id="1"><att name="a" type="integer" value="x"/></node></graph>', 2, 'malformed'],
    ['<graph>\n<node id="1"></graph>', 2, 'malformed-xml'],
    ['<!DOCTYPE graph [<!ENTITY a "b">]>\n<graph/>', 1, 'doctype'],
    ['<other/>', 1, 'required']
  ]
  for (const [text, line, code] of cases) {
    const { faults, content } = await read('xgmml', text)
    t.match(faults[0], { line, code }, text)
    t.equal(content, undefined)
  }
})

t.test('the depth of nested attributes is limited', async (t) => {
  const deep = `<graph><node id="1">${'<att name="a">'.repeat(300)}${'</att>'.repeat(300)}</node></graph>`
  t.match((await read('xgmml', deep)).faults, [{ code: 'too-deep' }])
  const nested = `${'<att name="a">'.repeat(20)}<att name="b" value="c"/>${'</att>'.repeat(20)}`
  t.equal((await read('xgmml', `<graph><node id="1">${nested}</node></graph>`)).content, undefined)
  const polluted = '<graph><node id="1"><att name="a"><att name="__proto__" value="x"/></att></node></graph>'
  t.equal((await read('xgmml', polluted)).valid, true)
  t.equal(({} as Record<string, unknown>).b, undefined)
})
