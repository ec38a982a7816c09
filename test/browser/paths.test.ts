import type { Locator, Page } from 'playwright-core'
import t, { type Test } from 'tap'
import { adaWith, download, drawing, openTab, turn } from './graph-page.ts'
import { button, inspect, journeysOf, openAs, pick, picture, seriousFindings } from './journeys.ts'

// Shortest paths between two nodes: found, listed, highlighted and stored in the URL.

const { browser, journey } = journeysOf(t)

const panel = (page: Page) => page.getByRole('region', { name: 'Shortest path' })

/** A square with a short and a long way around, a node attached to it, and an isolated node. */
const town = {
  name: 'Town',
  content: {
    directed: true,
    nodes: [
      { id: 'a', label: 'Gate', x: 0, y: 0 },
      { id: '__proto__', label: 'Market', x: 2, y: 2 },
      { id: 'b', label: 'Mill', x: 4, y: 0 },
      { id: 'c', label: 'Church', x: 2, y: -2 },
      { id: 'd', label: 'Wood', x: 7, y: 0, metadata: { place: 'Forest' } },
      { id: 'e', label: 'Island', x: 7, y: 3 }
    ],
    edges: [
      { source: 'a', target: 'b', relation: 'alley', metadata: { km: 9, height: -3 } },
      { source: 'a', target: '__proto__', metadata: { km: 2, height: 1 } },
      { source: '__proto__', target: 'b', relation: 'street', metadata: { km: 1.5, height: 1 } },
      { source: 'a', target: 'c', metadata: { km: 1, height: 1 } },
      { source: 'c', target: 'b' },
      { source: 'b', target: 'd', metadata: { km: 4, height: 1 } }
    ]
  }
}

const listed = (page: Page) =>
  panel(page).getByRole('list', { name: 'Nodes on path' }).getByRole('listitem').allInnerTexts()

/** Returns the labels of the nodes that have the same colour as the one with this label. */
async function brightNodes(page: Page, like = 'Gate') {
  const svg = (await download(page, 'SVG')).bytes.toString()
  const colours = new Map(
    [...svg.matchAll(/fill="(#[0-9a-f]+)"[^>]*><title>([^<]*)</g)].map(([, colour, name]) => [name, colour])
  )
  return [...colours].filter(([, colour]) => colour === colours.get(like)).map(([name]) => name)
}

/** Checks that this element gets the focus and is in view. */
async function focused(t: Test, page: Page, on: Locator) {
  await on.and(page.locator(':focus')).waitFor()
  const [box, side] = await Promise.all([on.boundingBox(), page.getByRole('complementary').boundingBox()])
  t.ok(box && side && box.y >= side.y && box.y < side.y + side.height, 'the focus is in view')
}

async function chooseNode(page: Page, end: string, name: string, option: string) {
  await panel(page).getByLabel(end, { exact: true }).fill(name)
  await page.getByRole('option', { name: option }).waitFor()
  await page.keyboard.press('Enter')
}

journey('a path by edges or lengths is found by keyboard, and the URL stores it', async (t) => {
  const { page } = await adaWith(t, browser(), town)
  await page.goto('/graphs/1?size=none&colour=none')
  await page.getByRole('application').locator('canvas').first().waitFor()
  await button(page, 'Shortest path').focus()
  await page.keyboard.press('Enter')
  await panel(page).getByText('Choose two nodes.').waitFor()
  await focused(t, page, panel(page).getByLabel('From', { exact: true }))
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await panel(page).waitFor({ state: 'detached' })
  await focused(t, page, button(page, 'Shortest path'))
  await page.keyboard.press('Enter')
  await chooseNode(page, 'From', 'Gate', 'Gate (a)')
  await chooseNode(page, 'To', 'forest', 'Wood (d) · place: Forest')
  await panel(page).getByText('2 edges.').waitFor()
  t.same(await listed(page), ['Gate', 'Mill\nalley', 'Wood\nEdge'])

  await pick(panel(page).getByRole('combobox', { name: 'Edge length' }), 'km')
  await panel(page).getByText('3 edges. Length: 7.5. Edges ignored because they have no value: 1.').waitFor()
  t.same(await listed(page), ['Gate', 'Market\nEdge: 2', 'Mill\nstreet: 1.5', 'Wood\nEdge: 4'])
  await panel(page).getByText('Closer (1 / value)').click()
  await panel(page).getByText('2 edges. Length: 0.361.').waitFor()
  t.match(page.url(), 'pathBy=metadata.km&pathLength=inverse')
  t.same(await listed(page), ['Gate', 'Mill\nalley: 0.111', 'Wood\nEdge: 0.25'])
  await panel(page).getByText('Farther (distance)').click()
  await panel(page).getByText('Length: 7.5.').waitFor()
  t.same(await seriousFindings(page), [])
  await page.mouse.move(0, 0)
  await picture(page, 'path')
  t.same(await brightNodes(page), ['Gate', 'Market', 'Mill', 'Wood'], 'other nodes are dimmed')

  await page.reload()
  await panel(page).getByText('Length: 7.5.').waitFor()
  await panel(page).getByRole('button', { name: 'Market' }).click()
  await page.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'Market' }).waitFor()
  await button(page, 'Shortest path').click()
  t.equal((await listed(page)).length, 4, 'the path is still there')
  await focused(t, page, panel(page))

  await pick(panel(page).getByRole('combobox', { name: 'Edge length' }), 'height')
  await panel(page).getByText('Shortest paths need values of 0 or more. Edges with a negative value: 1.').waitFor()
  t.same(await listed(page), [])
})

journey('node details set the ends of a path, and direction matters unless it is ignored', async (t) => {
  const { page } = await adaWith(t, browser(), town)
  const details = page.getByRole('region', { name: 'Details' })
  await page.goto('/graphs/1?node=d')
  t.match(await details.innerText(), /Values[\s\S]+Edges \(1\)/, 'the values come before the edges')
  await details.getByRole('button', { name: 'Path from here' }).click()
  await focused(t, page, panel(page).getByLabel('To', { exact: true }))
  await page.getByRole('combobox', { name: 'Find a node' }).fill('Gate')
  await page.getByRole('option', { name: 'Gate (a)' }).waitFor()
  await page.keyboard.press('Enter')
  await details.getByRole('heading', { name: 'Gate' }).waitFor()
  await details.getByRole('button', { name: 'Path to here' }).click()
  await panel(page).getByText('No path connects these nodes.').waitFor()
  await focused(t, page, panel(page))
  await turn(panel(page), 'Ignore direction', true)
  await panel(page).getByText('2 edges.').waitFor()
  t.same(await listed(page), ['Wood', 'Mill\nEdge', 'Gate\nalley'])
  await chooseNode(page, 'To', 'Island', 'Island (e)')
  await panel(page).getByText('No path connects these nodes.').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await inspect(t, page, 'path-narrow')
  await panel(page).getByRole('button', { name: 'Close path' }).click()
  await panel(page).waitFor({ state: 'detached' })
  t.notMatch(page.url(), /path/)
  await details.getByRole('heading', { name: 'Gate' }).waitFor()
  await details.getByRole('button', { name: 'Path to here' }).click()
  await focused(t, page, panel(page))
  await openTab(page, 'Filters')
  await page.getByRole('region', { name: 'Filters' }).waitFor()
})

journey('a path by a removed attribute shows an error until the attribute is back', async (t) => {
  const { page } = await adaWith(t, browser(), town)
  await page.goto('/graphs/1?tab=edges&path=directed&pathFrom=a&pathTo=d&pathBy=metadata.km')
  await panel(page).getByText('3 edges. Length: 7.5.').waitFor()
  const choice = panel(page).getByRole('combobox', { name: 'Edge length' })
  t.equal(await choice.inputValue(), 'km')
  await button(page, 'Edit').click()
  await page.getByRole('grid').getByRole('checkbox', { name: 'Select all rows' }).click()
  await page.getByRole('button', { name: 'Set value…' }).click()
  const dialog = page.getByRole('dialog')
  await pick(dialog.getByRole('combobox', { name: 'Column' }), 'km')
  await dialog.getByRole('button', { name: 'Set value', exact: true }).click()
  await panel(page).getByText('The edges no longer have this attribute. Choose another one.').waitFor()
  t.same(await listed(page), [])
  t.equal(await choice.inputValue(), '')
  await button(page, 'Undo').click()
  await panel(page).getByText('3 edges. Length: 7.5.').waitFor()
  t.equal(await choice.inputValue(), 'km')
})

journey('all equally short paths are shown in turn, and the ends are swapped', async (t) => {
  const { page } = await adaWith(t, browser(), town)
  await page.goto('/graphs/1?path=either&pathFrom=__proto__&pathTo=c')
  await panel(page).getByText('Path 1 of 2, all equally short').waitFor()
  const first = await listed(page)
  await panel(page).getByRole('button', { name: 'Next path' }).click()
  await panel(page).getByText('Path 2 of 2').waitFor()
  t.match(page.url(), 'pathNumber=2')
  t.same([first, await listed(page)].map((path) => path.map((node) => node.split('\n', 1)[0])).sort(), [
    ['Market', 'Gate', 'Church'],
    ['Market', 'Mill', 'Church']
  ])
  await inspect(t, page, 'path-equal')
  await page.keyboard.press('Enter')
  await panel(page).getByText('Path 1 of 2').waitFor()
  t.same(await listed(page), first, 'the first path follows the last')
  await panel(page).getByRole('button', { name: 'Swap start and end' }).click()
  await panel(page).getByRole('listitem').first().getByText('Church').waitFor()
  await panel(page).getByText('Path 1 of 2').waitFor()
})

journey('a path fades the other nodes of a large drawing', async (t) => {
  const nodes = Array.from({ length: 5500 }, (_, index) => ({
    id: `n${index}`,
    x: index % 75,
    y: Math.floor(index / 75)
  }))
  const edges = nodes.slice(1).map(({ id }, index) => ({ source: `n${index}`, target: id }))
  const { page } = await adaWith(t, browser(), { name: 'Snake', content: { directed: false, nodes, edges } })
  await page.goto('/graphs/1?size=none&colour=none&path=directed&pathFrom=n2000&pathTo=n2030')
  await panel(page).getByText('30 edges.').waitFor()
  await drawing(page).locator('canvas').first().waitFor()
  const path = nodes.slice(2000, 2031).map(({ id }) => id)
  t.same(await brightNodes(page, 'n2000'), path)
  const svg = (await download(page, 'SVG')).bytes.toString()
  const labels = [...svg.matchAll(/<text[^>]*>(n\d+)</g)].map(([, name]) => name as string)
  t.ok(labels.includes('n2000') && labels.includes('n2030'), 'the ends are labelled')
  t.same([...labels.filter((name) => !path.includes(name))], [], 'other nodes are not')
  await picture(page, 'path-large')
})

journey('a path notes that it ignores filters if they hide nodes', async (t) => {
  const { page } = await adaWith(t, browser(), town)
  const hint = panel(page).getByText('Filters are ignored. A path may pass through hidden nodes.')
  const path = 'path=directed&pathFrom=a&pathTo=d'
  await page.goto(`/graphs/1?${path}`)
  await panel(page).getByText('2 edges.').waitFor()
  t.equal(await hint.count(), 0)
  await page.goto(`/graphs/1?with=Gate&${path}`)
  await panel(page).getByText('2 edges.').waitFor()
  t.equal(await hint.count(), 1)
  t.same(await listed(page), ['Gate', 'Mill\nalley', 'Wood\nEdge'], 'the path passes through the hidden mill')
})

journey('the drawing moves to a path or a neighbourhood that is out of sight', async (t) => {
  const { page } = await adaWith(t, browser(), town)
  const camera = '0.1,0.5,0.2'
  const places = async () => {
    const svg = (await download(page, 'SVG')).bytes.toString()
    const found = [...svg.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)"[^>]*><title>([^<]*)</g)]
    const box = await drawing(page).boundingBox()
    const isSeen = (x: number, y: number) => x > 0 && x < (box?.width ?? 0) && y > 0 && y < (box?.height ?? 0)
    return found.filter(([, x, y]) => isSeen(Number(x), Number(y))).map(([, , , name]) => name)
  }
  const moved = () => page.waitForURL((url) => url.searchParams.get('camera') !== camera)
  const start = `/graphs/1?size=none&colour=none&node=a&camera=${camera}`
  await page.goto(start)
  await drawing(page).locator('canvas').first().waitFor()
  t.same(await places(), ['Gate'])
  await button(page, 'Path from here').click()
  await chooseNode(page, 'To', 'forest', 'Wood (d) · place: Forest')
  await moved()
  t.same(new Set(await places()).isSupersetOf(new Set(['Gate', 'Mill', 'Wood'])), true, 'the path is in view')
  await page.goto(start)
  await button(page, 'Show neighbourhood only').click()
  await moved()
  t.same((await places()).toSorted(), ['Church', 'Gate', 'Market', 'Mill'])
})

journey('a path from a tapped node is highlighted at once', async (t) => {
  const { url } = await adaWith(t, browser(), town)
  const viewport = { width: 390, height: 844 }
  const { page } = await openAs(t, browser(), url, 'ada', '/graphs/1?size=none&colour=none', {
    viewport,
    hasTouch: true,
    isMobile: true,
    acceptDownloads: true
  })
  await drawing(page).locator('canvas').first().waitFor()
  const svg = (await download(page, 'SVG')).bytes.toString()
  const gate = /<circle cx="([-\d.]+)" cy="([-\d.]+)"[^>]*><title>Gate</.exec(svg) ?? []
  const box = await drawing(page).boundingBox()
  await page.touchscreen.tap((box?.x ?? 0) + Number(gate[1]), (box?.y ?? 0) + Number(gate[2]))
  await page.getByRole('button', { name: 'Path from here' }).tap()
  await chooseNode(page, 'To', 'forest', 'Wood (d) · place: Forest')
  await panel(page).getByText('2 edges.').waitFor()
  t.same(await brightNodes(page), ['Gate', 'Mill', 'Wood'])
})
