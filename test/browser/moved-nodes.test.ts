import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, drawing, fits, idsOf, line, placeOfNode } from './graph-page.ts'
import { journeysOf } from './journeys.ts'

// Nodes moved by hand or by a layout: kept and saved positions.

const { browser, journey } = journeysOf(t)

const save = (page: Page) => page.getByRole('button', { name: 'Save layout' })

/** Drags a node of `line` down with a mouse button. */
async function drag(page: Page, index: number, button: 'left' | 'right' = 'left') {
  const from = await placeOfNode(page, index)
  await page.mouse.move(from.x, from.y)
  await page.mouse.down({ button })
  await page.mouse.move(from.x, from.y + 60, { steps: 4 })
  await page.mouse.up({ button })
}

/** The content of `line` moved and scaled to map coordinates in metres. */
const map = {
  ...line.content,
  nodes: line.content.nodes.map((node) => ({ ...node, x: 390_123.45 + node.x * 100, y: 5_820_123.45 + node.y * 100 }))
}

journey('moved nodes stay in place when someone else changes the graph, and can be saved', async (t) => {
  const { page, as, mishaps } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?colour=none')
  await drag(page, 2)
  await save(page).waitFor()
  const nodes = line.content.nodes.map((node) => (node.id === 'n4' ? { ...node, label: 'Four', x: 4.5 } : node))
  const content = { ...line.content, nodes: [{ id: 'new', x: 0, y: 1 }, ...nodes] }
  t.equal((await as('ada', 'PUT', '/api/graphs', { id: 1, name: 'Line', content })).status, 200)
  await save(page).click()
  const alert = page.getByRole('alert').filter({ hasText: 'Someone else has changed this graph.' })
  await alert.waitFor()
  t.ok(await fits(page), 'the drawing fits below the alert')
  await alert.getByRole('button', { name: 'Reload page' }).click()
  // The name of the drawing contains the number of nodes, so this waits for the new content.
  await page.getByRole('application', { name: /7 nodes/ }).waitFor()
  await alert.waitFor({ state: 'detached' })
  t.ok(await fits(page), 'the drawing fits without the alert')
  await save(page).click()
  await save(page).waitFor({ state: 'detached' })
  const { body } = await as('ada', 'GET', '/api/graphs/1')
  t.equal(body.version, 3)
  const moved = body.content.nodes[3]
  t.ok(Math.abs(moved.x - 2) < 0.1 && moved.y < -0.2, 'node 2 has moved down')
  t.same(
    body.content.nodes.toSpliced(3, 1),
    content.nodes.toSpliced(3, 1),
    'the other nodes are where the other user has moved them'
  )
  t.match(mishaps.errors, [/409/], 'nothing else went wrong')
})

journey('moving a node of a map leaves the other nodes exactly in place', async (t) => {
  const { page, as } = await adaWith(t, browser(), { name: 'Map', content: map })
  await page.goto('/graphs/1?colour=none')
  await drag(page, 2)
  await save(page).click()
  await save(page).waitFor({ state: 'detached' })
  const { nodes } = (await as('ada', 'GET', '/api/graphs/1')).body.content
  t.same(nodes.toSpliced(2, 1), map.nodes.toSpliced(2, 1))
  const fallen = 5_820_123.45 - nodes[2].y
  t.ok(fallen > 20 && fallen < 60, 'the node has moved down by 60 pixels, in metres')
  t.ok(Math.abs(nodes[2].x - 390_323.45) < 10, 'the node has not moved sideways')
})

journey('the right mouse button does not move nodes', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?colour=none')
  await drag(page, 2, 'right')
  await drag(page, 4)
  await save(page).waitFor()
  const [sent] = await Promise.all([page.waitForRequest((request) => request.method() === 'PATCH'), save(page).click()])
  t.same(idsOf(sent.postDataJSON().nodes.put), ['n4'])
})

journey('drags are undone one by one, also after saving, and the saved layout can be restored', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  const undo = page.getByRole('button', { name: 'Undo layout' })
  await page.goto('/graphs/1?colour=none')
  // These nodes stay within the extent of the others.
  await drag(page, 1)
  await drag(page, 3)
  await undo.click()
  const [sent] = await Promise.all([page.waitForRequest((request) => request.method() === 'PATCH'), save(page).click()])
  t.same(idsOf(sent.postDataJSON().nodes.put), ['n1'], 'only the last drag is undone')
  await save(page).waitFor({ state: 'detached' })
  await undo.click()
  await undo.waitFor({ state: 'detached' })
  await save(page).waitFor()
  await page.getByRole('button', { name: 'Layout options' }).click()
  await page.getByRole('button', { name: 'Restore saved layout' }).click()
  await save(page).waitFor({ state: 'detached' })
  await undo.waitFor()
})

journey('a layout that fails before its first step has nothing to save', async (t) => {
  const content = { ...line.content, nodes: line.content.nodes.map(({ id }) => ({ id })) }
  const { page, context } = await adaWith(t, browser(), { name: 'Ring', content })
  await context.route(/layout\.worker/, (route) => route.abort())
  await page.goto('/graphs/1')
  await page.getByText('The layout stopped because of an error').waitFor()
  await page.getByRole('button', { name: 'Run layout' }).waitFor()
  t.equal(await page.getByRole('button', { name: 'Stop layout' }).count(), 0)
  t.equal(await save(page).count(), 0)
})

journey('the bar above a drawing never wraps, and the menu contains the remaining actions', async (t) => {
  const name = 'A graph whose name is much too long for the bar above its drawing'
  const { page } = await adaWith(t, browser(), { ...line, name })
  await page.goto('/graphs/1')
  for (const width of [1280, 1024, 800, 390, 320]) {
    await page.setViewportSize({ width, height: 800 })
    await drawing(page).locator('canvas').first().waitFor()
    const tools = page.locator('.graph-tools > *')
    const boxes = await Promise.all((await tools.all()).map((tool) => tool.boundingBox()))
    const middles = boxes.map((box) => box && box.y + box.height / 2)
    t.ok(
      middles.length >= 3 && new Set(middles.map((y) => Math.round((y ?? 0) / 4))).size === 1,
      `the bar has one line at ${width} pixels`
    )
    const right = Math.max(...boxes.map((box) => (box ? box.x + box.width : 0)))
    t.ok(right <= width, `${right} is within ${width}`)
  }
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  for (const name of ['Edit nodes and edges', 'Share…', 'History']) await page.getByRole('menuitem', { name }).waitFor()
})
