import t from 'tap'
import { nodeFinder, optionsOf } from '../../ui/src/graph/find-nodes.ts'
import { nodeAttributes } from '../../ui/src/graph/network/attributes.ts'
import { networkOf } from '../../ui/src/graph/network/network.ts'

// The search of a graph's page: nodes by name, and by the text of their attributes.

const network = networkOf({
  directed: false,
  nodes: [
    { id: 'a', metadata: { code: 'ORY', city: 'Paris', rank: 7 } },
    { id: '__proto__', label: 'Paris North', metadata: { code: 'BVA', city: 'Beauvais' } },
    { id: 'c', metadata: { code: 'paris', city: 'Paris', rank: 70 } }
  ],
  edges: []
})
const attributes = nodeAttributes(network)
const find = (typed: string, most?: number) => nodeFinder(network, attributes, most).find(typed)

t.test('nodes found by name come first, then those found by the text of an attribute', async (t) => {
  t.same(find(' PARIS '), [
    { node: 1, name: 'Paris North (__proto__)' },
    { node: 0, name: 'a', value: { title: 'city', text: 'Paris' } },
    { node: 2, name: 'c', value: { title: 'code', text: 'paris' } }
  ])
  const names = ['Neustadt', 'Altneu', 'Neu'].map((name, index) => ({ id: `s${index}`, metadata: { name } }))
  const stations = networkOf({ nodes: names, edges: [] })
  const found = nodeFinder(stations, nodeAttributes(stations)).find('neu')
  t.same(
    found.map(({ node }) => node),
    [2, 0, 1],
    'equal texts come before those that contain the typed text'
  )
  t.same(find('7'), [], 'numbers are not searched')
  t.same(find(' '), [])
  t.same(
    [...optionsOf([...find('beau'), { node: 2, name: 'c' }])],
    [
      ['Paris North (__proto__) · city: Beauvais', 1],
      ['c', 2]
    ]
  )
})

t.test('the search reads a limited number of values', async (t) => {
  const found = find('paris', 4).map(({ node }) => node)
  t.same(found, [1, 0], 'the first two nodes have two texts each')
})
