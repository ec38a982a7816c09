import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { writableFormats } from '../../graph/formats/index.ts'
import { read, write } from '../support/formats.ts'

// In GraphContent, y increases upwards. In each of these files, node n is north of node s by the convention of the format.

const yed = (y: number) =>
  `<data key="d"><ShapeNode><Geometry x="0" y="${y}" width="10" height="10"/></ShapeNode></data>`

const north: Record<string, string> = {
  pajek: '*Vertices 2\n1 "n" 0.5 0.1\n2 "s" 0.5 0.9\n*Edges\n1 2',
  cytoscape:
    '{"elements":[{"data":{"id":"n"},"position":{"x":0,"y":-5}},{"data":{"id":"s"},"position":{"x":0,"y":5}}]}',
  cx2: '[{"CXVersion":"2.0"},{"metaData":[{"name":"nodes","elementCount":2}]},{"nodes":[{"id":1,"x":0,"y":-5},{"id":2,"x":0,"y":5}]},{"status":[{"success":true}]}]',
  cx: '[{"metaData":[]},{"nodes":[{"@id":1},{"@id":2}]},{"cartesianLayout":[{"node":1,"x":0,"y":-5},{"node":2,"x":0,"y":5}]},{"status":[{"error":"","success":true}]}]',
  drawio:
    '<mxGraphModel><root><mxCell id="n" vertex="1"><mxGeometry y="-5"/></mxCell><mxCell id="s" vertex="1"><mxGeometry y="5"/></mxCell></root></mxGraphModel>',
  vna: '*Node properties\nID x y\nn 0 -5\ns 0 5',
  xgmml:
    '<graph label="g"><node id="1" label="n"><graphics x="0" y="-5"/></node><node id="2" label="s"><graphics x="0" y="5"/></node></graph>',
  'graphml of yFiles': `<graphml><key id="d" for="node" yfiles.type="nodegraphics"/><graph edgedefault="directed"><node id="n">${yed(-5)}</node><node id="s">${yed(5)}</node></graph></graphml>`,
  graphml:
    '<graphml><key id="y" for="node" attr.name="y" attr.type="double"/><graph edgedefault="directed"><node id="n"><data key="y">5</data></node><node id="s"><data key="y">-5</data></node></graph></graphml>',
  'gml of yEd':
    'Creator "yFiles"\ngraph [ node [ id 1 graphics [ x 0.0 y -5.0 ] ] node [ id 2 graphics [ x 0.0 y 5.0 ] ] ]',
  'gml of Cytoscape':
    'Creator "Cytoscape"\ngraph [ node [ id 1 graphics [ x 0.0 y -5.0 ] ] node [ id 2 graphics [ x 0.0 y 5.0 ] ] ]',
  gml: 'Creator "Gephi"\ngraph [ node [ id 1 graphics [ x 0.0 y 5.0 ] ] node [ id 2 graphics [ x 0.0 y -5.0 ] ] ]',
  dot: 'graph { n [pos="0,5"]; s [pos="0,-5"] }',
  gexf: '<gexf version="1.3" xmlns:viz="v"><graph><nodes><node id="n"><viz:position x="0" y="5"/></node><node id="s"><viz:position x="0" y="-5"/></node></nodes></graph></gexf>',
  'node-link': '{"nodes":[{"id":"n","x":0,"y":5},{"id":"s","x":0,"y":-5}],"edges":[]}',
  'node-link of React Flow':
    '{"nodes":[{"id":"n","position":{"x":0,"y":-5}},{"id":"s","position":{"x":0,"y":5}}],"edges":[]}',
  csv: 'id,x,y\nn,0,5\ns,0,-5'
}

for (const [name, text] of Object.entries(north)) {
  t.test(`${name}: y grows upwards after reading`, async (t) => {
    const { content, faults } = await read(name.split(' ')[0], text)
    t.same(faults, [])
    const [n, s] = (content?.nodes ?? []).map(({ y }) => y)
    t.ok(n !== undefined && s !== undefined && n > s, `${n} is above ${s}`)
  })
}

t.test('y is written by the convention of each format, and zero is written without a sign', async (t) => {
  const content = {
    directed: true,
    nodes: [
      { id: '1', x: 0, y: 7 },
      { id: '2', x: 0, y: 0 }
    ],
    edges: []
  }
  const downwards = ['cytoscape', 'cx2', 'pajek']
  for (const { name } of writableFormats) {
    const { text } = write(name, content)
    if (name !== 'tsv' && name !== 'csv')
      t.equal(/-7/.test(text), downwards.includes(name), `${name} ${downwards.includes(name) ? 'down' : 'up'}wards`)
    t.notMatch(text, /-0\b/)
  }
  t.equal(content.nodes[0]?.y, 7, 'the graph itself is unchanged')
})

t.test('Alaska is north of Florida', async (t) => {
  const { content } = await read('pajek', readFileSync(join(import.meta.dirname, '../samples/usair97.net')))
  const yOf = (name: string) => content?.nodes.find(({ label }) => label === name)?.y
  t.same([yOf('Anchorage Intl'), yOf('Miami Intl')], [-0.1876, -0.5256])
})
