import { deflateRawSync } from 'node:zlib'
import t from 'tap'
import { read } from '../support/formats.ts'

const model = `<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>
<mxCell id="g" value="Group" style="swimlane;" vertex="1" parent="1"><mxGeometry x="100" y="10" width="200" height="100" as="geometry"/></mxCell>
<mxCell id="a" value="&lt;b&gt;A &amp;amp; B&lt;/b&gt;&lt;div&gt;two&lt;/div&gt;" style="html=1;" vertex="1" parent="g"><mxGeometry x="10" width="20" height="10" as="geometry"/></mxCell>
<object id="b" label="B" cost="5"><mxCell vertex="1" parent="1"/></object>
<mxCell id="e" style="endArrow=none;" edge="1" parent="1" source="a" target="b"><mxGeometry relative="1" as="geometry"><mxPoint x="9" y="9"/></mxGeometry></mxCell>
<mxCell id="l" value="placed" vertex="1" parent="e"/>
<mxCell id="f" value="both" style="startArrow=classic" edge="1" parent="1" source="b" target="a"/>
<mxCell id="h" edge="1" parent="1" source="b"/>
</root></mxGraphModel>`

const expected = {
  directed: true,
  nodes: [
    { id: 'g', label: 'Group', x: 200, y: -60 },
    { id: 'a', label: 'A & B\ntwo', x: 120, y: -15, metadata: { parent: 'g' } },
    { id: 'b', label: 'B', metadata: { cost: 5 } }
  ],
  edges: [
    { id: 'e', source: 'a', target: 'b', directed: false, label: 'placed' },
    { id: 'f', source: 'b', target: 'a', label: 'both' },
    { source: 'a', target: 'b', label: 'both' }
  ]
}

const compressed = deflateRawSync(encodeURIComponent(model)).toString('base64')

t.test('draw.io diagrams are read, plain and compressed', async (t) => {
  for (const text of [
    model,
    `<mxfile><diagram name="Flow">${model}</diagram></mxfile>`,
    `<mxfile><diagram name="Flow">${compressed}</diagram><diagram name="Empty"/></mxfile>`
  ]) {
    const { format, content, losses } = await read(undefined, text)
    t.equal(format, 'drawio')
    t.same(losses, { 'edge-per-direction': 1, 'edge-without-end': 1, 'subgraph-flattened': 1, 'visual-dropped': 4 })
    t.same(content, expected)
  }
})

t.test('several pages and damaged diagrams are refused', async (t) => {
  const faultsOf = async (text: string) => (await read('drawio', `<mxfile>${text}</mxfile>`)).faults
  const page = (name: string, text = compressed) => `<diagram name="${name}">${text}</diagram>`
  const [several] = await faultsOf(page('One') + page('Two', model))
  t.equal(several?.code, 'several-graphs')
  t.equal(several?.detail, 'has 2 pages ("One", "Two"): export each page as a separate file')
  t.same(
    (await faultsOf(page('One', 'AAAA'))).map(({ code }) => code),
    ['malformed']
  )
  const bomb = deflateRawSync(Buffer.alloc(8 * 1024 * 1024, 'a')).toString('base64')
  t.same(
    (await faultsOf(page('One', bomb))).map(({ code }) => code),
    ['too-large']
  )
})

t.test('placeholders in labels stand for attributes of the object', async (t) => {
  const { content } = await read(
    undefined,
    `<mxGraphModel><root><object id="a" label="%n% of %N% at 5%, 6%" n="Pump" placeholders="1"><mxCell vertex="1"/></object>
<object id="b" label="%n%" n="Pump"><mxCell vertex="1"/></object></root></mxGraphModel>`
  )
  t.same(
    content?.nodes.map(({ label }) => label),
    ['Pump of %N% at 5%, 6%', '%n%']
  )
})
