import t from 'tap'
import { browserOf, pick, picture, sameEverywhere } from './browser.ts'
import { adaWith, turn } from './graph-page.ts'

// A table of nodes and a table of edges, which may be one graph.

const browser = browserOf(t)

const csv = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })
const cities = csv('map-cities.csv', 'id,label,people\nr,Rome,2800\nm,Milan,1400\nn,Néapolis,900\n')
const roads = csv('map-roads.csv', 'from,to,km\nr,m,570\nr,n,220\n')

t.test('a table of nodes and a table of edges are imported as one graph', sameEverywhere, async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser())
  await page.getByRole('button', { name: 'Import' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Import graphs' })
  await dialog.locator('input[type=file]').setInputFiles([roads, cities])
  await dialog.getByRole('switch', { name: 'One graph from map-cities.csv and map-roads.csv' }).waitFor()
  await dialog.getByText('3 nodes, 2 edges').waitFor()
  await dialog.getByText('These columns were chosen by their names.').waitFor()
  t.equal(await dialog.getByLabel(/^Name/).inputValue(), 'map')
  await picture(page, 'import-pair')
  await dialog.getByRole('button', { name: 'Import 1 graph' }).click()
  await page.getByRole('heading', { name: 'map', exact: true }).waitFor()
  t.equal(await dialog.count(), 0, 'the one graph is opened')
  const { body } = await as('ada', 'GET', '/api/graphs')
  t.equal(body.length, 1)
  const { name, content } = (await as('ada', 'GET', '/api/graphs/1')).body
  t.same(
    [name, content.nodes.map(({ label }: { label: string }) => label), content.edges.length],
    ['map', ['Rome', 'Milan', 'Néapolis'], 2]
  )
  t.same(mishaps.errors, [])
})

t.test('the two tables can be kept apart, and become two graphs', sameEverywhere, async (t) => {
  const { page, as } = await adaWith(t, browser())
  await page.getByRole('button', { name: 'Import' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Import graphs' })
  await dialog.locator('input[type=file]').setInputFiles([roads, cities])
  await dialog.getByText('3 nodes, 2 edges').waitFor()
  await turn(dialog, 'One graph from map-cities.csv and map-roads.csv', false)
  await dialog.getByRole('button', { name: 'Import 2 graphs' }).click()
  await dialog.getByRole('link', { name: 'Open map-cities' }).waitFor()
  const { body } = await as('ada', 'GET', '/api/graphs')
  t.same(
    body.map(({ name, nodeCount, edgeCount }: Record<string, unknown>) => [name, nodeCount, edgeCount]),
    [
      ['map-roads', 3, 2],
      ['map-cities', 3, 0]
    ]
  )
})

t.test('two tables whose columns are known by their values only are one graph as well', sameEverywhere, async (t) => {
  const { page } = await adaWith(t, browser())
  await page.getByRole('button', { name: 'Import' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Import graphs' })
  const places = csv('places.csv', 'nodeid,code,people\nr,Rome,2800\nm,Milan,1400\nn,Naples,900\n')
  const ways = csv('ways.csv', 'one,other\nr,m\nm,n\nn,r\n')
  await dialog.locator('input[type=file]').setInputFiles([places, ways])
  await dialog.getByText('3 nodes, 3 edges').waitFor()
  await dialog.getByText('Please check them.').waitFor()
  await pick(dialog.getByRole('combobox', { name: 'Ids of nodes in column' }), 'code')
  await dialog.getByText('6 nodes, 3 edges').waitFor()
  await dialog.getByText('You chose these columns.').waitFor()
  t.equal(await dialog.getByRole('button', { name: 'Import 1 graph' }).isEnabled(), true)
})
