import t from 'tap'
import { adaWith, download, drag, drawing, drawnPlaces } from './graph-page.ts'
import { button, inspect, journeysOf } from './journeys.ts'

// The places of nodes that are removed, returned, added and saved, in a graph without stored positions.

const { browser, journey } = journeysOf(t)

const ids = Array.from({ length: 12 }, (_, index) => `n${index}`)
const tree = {
  name: 'Tree',
  content: {
    directed: false,
    nodes: ids.map((id) => ({ id, label: `Node ${id}` })),
    edges: ids.slice(1).map((target, index) => ({ source: `n${index >> 1}`, target }))
  }
}

type Places = Awaited<ReturnType<typeof drawnPlaces>>

/** Returns the places relative to the first node and the distance to the last, because pictures are as large as the drawing. */
function relative(places: Places) {
  const [first, last] = [places['Node n0'], places['Node n11']]
  if (!first || !last) throw new Error('nodes are missing')
  const unit = Math.hypot(last.x - first.x, last.y - first.y)
  const round = (length: number) => Math.round((length / unit) * 100) / 100 + 0
  return Object.fromEntries(
    Object.entries(places).map(([name, { x, y }]) => [name, [round(x - first.x), round(y - first.y)]])
  )
}

journey('removed nodes return to their places, still selected, and saved nodes stay where they are seen', async (t) => {
  const { page, as } = await adaWith(t, browser(), tree)
  await page.goto('/graphs/1?size=none&colour=none')
  await button(page, 'Run layout').waitFor()
  await drawing(page).locator('canvas').first().waitFor()
  const before = relative(await drawnPlaces(page))
  t.equal(Object.keys(before).length, 12)
  await button(page, 'Edit').click()
  const box = await drawing(page).boundingBox()
  if (!box) throw new Error('nothing is drawn')
  const middle = box.y + box.height / 2
  await button(page, 'Select nodes with a lasso (Shift + drag)').click()
  await drag(
    page,
    { x: box.x + 100, y: middle },
    { x: box.x + box.width - 100, y: middle },
    { x: box.x + box.width - 100, y: box.y + box.height - 10 },
    { x: box.x + 100, y: box.y + box.height - 10 }
  )
  const bar = page.getByRole('toolbar', { name: 'Selected nodes' })
  const selected = await bar.getByRole('status').innerText()
  t.match(selected, /^[3-9] selected$/)
  await bar.getByRole('button', { name: 'Remove nodes' }).click()
  await bar.waitFor({ state: 'detached' })
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  t.equal(await bar.getByRole('status').innerText(), selected)
  t.same(relative(await drawnPlaces(page)), before)
  await button(page, 'Clear selection').click()

  await button(page, 'Paste table…').click()
  const dialog = page.getByRole('dialog', { name: 'Paste a table' })
  await dialog.getByRole('textbox').fill('source\ttarget\nn3\tnew\nnew\tother\n')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await dialog.waitFor({ state: 'detached' })
  await inspect(t, page, 'edit-places')
  const drawn = relative(await drawnPlaces(page))
  await button(page, 'Save changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await button(page, 'Edit').waitFor()
  t.equal(await button(page, 'Save layout').count(), 0, 'the places are saved')
  t.same(relative(await drawnPlaces(page)), drawn)
  await page.reload()
  await drawing(page).locator('canvas').first().waitFor()
  t.same(relative(await drawnPlaces(page)), drawn)
  const { nodes } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.equal(nodes.filter(({ x, y }: { x?: number; y?: number }) => x !== undefined && y !== undefined).length, 14)
})

journey('after an edge is removed, all nodes stay where they are', async (t) => {
  const { page, as } = await adaWith(t, browser(), tree)
  await page.goto('/graphs/1?size=none&colour=none&edge=10')
  await button(page, 'Run layout').waitFor()
  await drawing(page).locator('canvas').first().waitFor()
  const before = relative(await drawnPlaces(page))
  await button(page, 'Edit').click()
  await page.getByRole('button', { name: 'Remove edge' }).click()
  await button(page, 'Save changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await button(page, 'Edit').waitFor()
  t.equal((await as('ada', 'GET', '/api/graphs/1')).body.edgeCount, 10)
  await page.reload()
  await drawing(page).locator('canvas').first().waitFor()
  t.same(relative(await drawnPlaces(page)), before)
})

journey('places that an edit changes are undone with it, and saved even if nothing else changed', async (t) => {
  const { page, as } = await adaWith(t, browser(), tree)
  await page.goto('/graphs/1?size=none&colour=none')
  await button(page, 'Run layout').waitFor()
  await drawing(page).locator('canvas').first().waitFor()
  const before = relative(await drawnPlaces(page))
  await button(page, 'Edit').click()
  const box = await drawing(page).boundingBox()
  const node = (await drawnPlaces(page))['Node n5']
  if (!box || !node) throw new Error('nothing is drawn')
  const from = { x: box.x + node.x, y: box.y + node.y }
  await drag(page, from, { x: from.x + 40, y: from.y + 60 })
  await page.getByText('1 unsaved change', { exact: true }).waitFor()
  const moved = relative(await drawnPlaces(page))
  t.not(String(moved['Node n5']), String(before['Node n5']))
  t.equal(await button(page, 'Undo layout').count(), 0)
  await page.keyboard.press('Control+z')
  await page.getByText('No changes').waitFor()
  t.same(relative(await drawnPlaces(page)), before)
  await page.keyboard.press('Control+Shift+z')
  await page.getByText('1 unsaved change', { exact: true }).waitFor()
  t.same(relative(await drawnPlaces(page)), moved)
  await button(page, 'Save changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await button(page, 'Edit').waitFor()
  await page.reload()
  await drawing(page).locator('canvas').first().waitFor()
  t.same(relative(await drawnPlaces(page)), moved)
  const { nodes } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.equal(nodes.filter(({ x, y }: { x?: number; y?: number }) => x !== undefined && y !== undefined).length, 12)

  await button(page, 'Edit').click()
  await button(page, 'Layout options').click()
  await page.getByRole('radio', { name: 'Layered', exact: true }).check()
  await page.getByRole('dialog').getByRole('button', { name: 'Run layout' }).click()
  await page.getByText('1 unsaved change', { exact: true }).waitFor()
  await button(page, 'Undo').click()
  await page.getByText('No changes').waitFor()
  t.same(relative(await drawnPlaces(page)), moved)
})

journey('the first edges of a graph change colours and sizes only once they are saved', async (t) => {
  const { page } = await adaWith(t, browser(), { name: 'New' })
  await page.goto('/graphs/1')
  const dialog = page.getByRole('dialog', { name: 'Add node' })
  for (const name of ['Ann', 'Bob', 'Cat']) {
    await button(page, 'Add node').click()
    await dialog.getByLabel('Label').fill(name)
    await dialog.getByRole('button', { name: 'Add node' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  const discs = async () => {
    const svg = (await download(page, 'SVG')).bytes.toString()
    const numbers = (pattern: RegExp) => [...svg.matchAll(pattern)].map(([, number]) => Number(number))
    return { x: numbers(/<circle cx="([\d.]+)"/g), radii: numbers(/<circle [^>]*r="([\d.]+)"/g) }
  }
  const before = await discs()
  const connect = page.getByRole('form', { name: 'Connect to' })
  await connect.getByLabel('Connect to').fill('Ann')
  await page.getByRole('option', { name: 'Ann' }).click()
  await connect.getByRole('button', { name: 'Add edge' }).click()
  await page.getByText('4 unsaved changes').waitFor()
  t.same(await discs(), before)
  const legend = page.getByRole('region', { name: 'Legend' })
  t.equal(await legend.count(), 0)

  await page.getByRole('button', { name: 'Show all', exact: true }).click()
  const { width } = (await drawing(page).boundingBox()) as { width: number }
  const { x } = await discs()
  t.equal(Math.round(Math.min(...x) + Math.max(...x)), Math.round(width), 'the new nodes are in the middle')
  await button(page, 'Save changes').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
  await legend.getByText('Size: Degree').waitFor()
})
