import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import t from 'tap'
import { adaWith, download, drawing, line } from './graph-page.ts'
import { inspect, journeysOf, pick, picture } from './journeys.ts'

// Drawings and their exported pictures: labels, thin edges, keys and legends.

const { browser, journey } = journeysOf(t)

/** Sums the darkness of each pixel column of a picture between `from` and `to`. */
function darknessOf(page: Page, png: Buffer, from: number, to: number): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const image = new Image()
    image.onload = () => {
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      const sums = []
      const { data } = context.getImageData(0, 0, image.width, image.height)
      for (let x = ${from}; x < ${to}; x++) {
        let sum = 0
        for (let y = 0; y < image.height; y++) sum += 255 - data[(y * image.width + x) * 4]
        sums.push(sum)
      }
      resolve(sums)
    }
    image.src = 'data:image/png;base64,${png.toString('base64')}'
  })`)
}

/** Returns the size of a PNG in pixels. */
const sizeOf = (png: Buffer) => ({ width: png.readUInt32BE(16), height: png.readUInt32BE(20) })

journey('the largest nodes have labels without collisions, for any number of nodes', async (t) => {
  const side = 45
  const nodes = Array.from({ length: side * side }, (_, index) => ({
    id: `n${index}`,
    label: `A node with number ${index}`,
    x: index % side,
    y: Math.floor(index / side)
  }))
  // Makes the centre a hub.
  const hub = 22 * side + 22
  const edges = Array.from({ length: 40 }, (_, index) => ({ source: `n${hub}`, target: `n${index * 50}` }))
  const { page } = await adaWith(t, browser(), { name: 'Many', content: { nodes, edges } })
  await page.goto('/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  await picture(page, 'drawing-many-labels')
  const svg = (await download(page, 'SVG')).bytes.toString()
  const labels = [...svg.matchAll(/<text x="([-\d.]+)" y="([-\d.]+)">A node with number (\d+)</g)].map(
    ([, x, y, number]) => ({ x: Number(x), y: Number(y), number: Number(number) })
  )
  t.ok(labels.length > 20, `${labels.length} labels`)
  t.equal(labels[0]?.number, hub, 'the node with the most edges comes first')
  const touching = labels.filter((one, index) =>
    labels.slice(index + 1).some((other) => Math.abs(one.x - other.x) < 100 && Math.abs(one.y - other.y) < 14)
  )
  t.same(touching, [])
})

journey('a thin slanted edge is equally dark along its length', async (t) => {
  const { page } = await adaWith(t, browser(), {
    name: 'Slanted',
    content: {
      directed: false,
      nodes: [
        { id: 'a', x: 0, y: 0 },
        { id: 'b', x: 10, y: 1 }
      ],
      edges: [{ source: 'a', target: 'b' }]
    }
  })
  await page.goto('/graphs/1?size=none')
  await drawing(page).locator('canvas').first().waitFor()
  // The buttons end to the left of these columns, and the right node begins to the right of them.
  const columns = await darknessOf(page, await drawing(page).screenshot(), 500, 760)
  const [least, most] = [Math.min(...columns), Math.max(...columns)]
  t.ok(least > 0.7 * most && most > 40, `between ${least} and ${most}`)
})

journey('pictures match the screen, with and without a legend, in several resolutions', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?filter=metadata.team&is=blue&node=n3')
  await drawing(page).locator('canvas').first().waitFor()
  await page.getByRole('region', { name: 'Details' }).waitFor()
  const { width, height } = (await drawing(page).boundingBox()) ?? { width: 0, height: 0 }
  const size = { width: Math.floor(width), height: Math.floor(height) }
  const once = (await download(page, 'PNG')).bytes
  t.same(sizeOf(once), size)
  for (const scale of [2, 3, 4]) {
    const { bytes } = await download(page, `PNG, ${scale} × resolution`)
    t.same(sizeOf(bytes), { width: size.width * scale, height: size.height * scale })
  }
  // The legend is on the left and the buttons on the right.
  const [from, to] = [Math.round(size.width * 0.45), Math.round(size.width * 0.9)]
  await page.mouse.move(0, 0)
  await page.getByRole('menu').waitFor({ state: 'detached' })
  const seen = await darknessOf(page, await drawing(page).screenshot(), from, to)
  const painted = await darknessOf(page, once, from, to)
  const [all, difference] = [seen, seen.map((sum, index) => Math.abs(sum - (painted[index] ?? 0)))].map((sums) =>
    sums.reduce((total, sum) => total + sum, 0)
  ) as [number, number]
  t.ok(all > 1000 && difference < all * 0.2, `${difference} of ${all} differ`)

  const svg = (await download(page, 'SVG')).bytes.toString()
  t.equal(svg.match(/<circle[^>]*><title>/g)?.length, 4, 'hidden nodes are omitted')
  t.match(svg, / font-weight="700">team</)
  t.match(svg, '>blue (4)<')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'With legend' }).click()
  await page.keyboard.press('Escape')
  t.notMatch((await download(page, 'SVG')).bytes.toString(), '>blue (4)<')
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'With title' }).click()
  await page.keyboard.press('Escape')
  const titled = (await download(page, 'SVG')).bytes.toString()
  t.match(titled, / font-weight="700"[^>]*>Line<\/text>/)
  t.match(titled, `viewBox="0 -44 ${size.width} ${size.height + 44}"`)
  const { bytes } = await download(page, 'PNG, 2 × resolution')
  t.same(sizeOf(bytes), { width: size.width * 2, height: (size.height + 44) * 2 })
})

journey('keys move between nodes, and open and close details', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  const details = page.getByRole('region', { name: 'Details' })
  const focused = () => page.evaluate<string>('document.activeElement.ariaLabel')
  await drawing(page).locator('canvas').first().waitFor()
  await drawing(page).focus()
  await page.keyboard.press('ArrowRight')
  // The first key press moves to a node in the middle.
  await page.getByText(/^Node [23], degree 2$/).waitFor()
  for (let step = 0; step < 4; step++) await page.keyboard.press('ArrowRight')
  await page.getByText('Node 5, degree 1').waitFor()
  await page.keyboard.press('ArrowLeft')
  await page.getByText('Node 4, degree 2').waitFor()
  await picture(page, 'drawing-keys')
  await page.keyboard.press('Enter')
  await details.getByRole('heading', { name: 'Node 4' }).waitFor()
  await page.keyboard.press('Escape')
  await details.waitFor({ state: 'detached' })

  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await details.getByRole('button', { name: 'Close details' }).click()
  await details.waitFor({ state: 'detached' })
  t.match(await focused(), /^Drawing of Line/)
  await page.getByRole('combobox', { name: 'Find a node' }).fill('Node 1')
  await page.getByRole('option', { name: 'Node 1 (n1)' }).waitFor()
  await page.keyboard.press('Enter')
  await details.getByRole('button', { name: 'Close details' }).click()
  t.equal(await focused(), 'Find a node')
})

journey('legend values are click targets of at least 24 pixels', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  const values = page.getByRole('region', { name: 'Legend' }).getByRole('button')
  await values.first().waitFor()
  for (const value of await values.all()) {
    const box = await value.boundingBox()
    t.ok(box && box.width >= 24 && box.height >= 24, JSON.stringify(box))
  }
})

journey('the legend is a single Tab stop, and the arrow keys move between its buttons', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1?colour=metadata.team&size=none')
  const legend = page.getByRole('region', { name: 'Legend' })
  await legend.getByRole('button', { name: 'Show only red' }).waitFor()
  const names = 'document.activeElement.ariaLabel ?? document.activeElement.textContent'
  const focused = () => page.evaluate<string>(names)
  t.equal(await legend.locator('[tabindex="0"]').count(), 1)
  await legend.getByRole('button', { name: 'Show only blue' }).focus()
  const seen = [await focused()]
  for (const key of ['ArrowDown', 'ArrowUp', 'ArrowLeft', 'ArrowLeft', 'Home', 'End']) {
    await page.keyboard.press(key)
    seen.push(await focused())
  }
  const [blue, red] = ['Show only blue', 'Show only red']
  t.same(seen, [blue, red, blue, 'blue(4)', 'Style of blue', 'Change title team', red])
  t.equal(await legend.locator('[tabindex="0"]').count(), 1)
  await page.keyboard.press('Shift+Tab')
  t.equal(await legend.locator(':focus').count(), 0)
  await page.keyboard.press('Tab')
  t.equal(await focused(), red, 'Tab returns to the last button')
})

journey('a picture for print has a width in centimetres, and an SVG has layers', async (t) => {
  const { page } = await adaWith(t, browser(), line)
  await page.goto('/graphs/1')
  await drawing(page).locator('canvas').first().waitFor()
  const svg = (await download(page, 'SVG')).bytes.toString()
  const layers = await page.evaluate<string[]>(`(() => {
    const parsed = new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml')
    const layers = [...parsed.querySelectorAll('svg > g')]
    return layers.map((layer) => layer.id + ' ' + layer.querySelectorAll('text').length)
  })()`)
  t.same(layers, ['edges 0', 'nodes 0', 'labels 6', 'legend 6'])

  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'Figure for print…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Figure for print' })
  await dialog.getByText(/^1,?004 × \d+ pixels/).waitFor()
  await inspect(t, page, 'print')
  await dialog.getByRole('button', { name: '17.8 cm' }).click()
  await dialog.getByText(/^2,?102 × /).waitFor()
  await dialog.getByRole('img', { name: 'Preview' }).waitFor()
  await pick(dialog.getByRole('combobox', { name: 'Format' }), 'PNG, 600 dpi')
  await dialog.getByText(/^4,?205 × /).waitFor()
  await dialog.getByRole('textbox', { name: 'Label size in points' }).fill('9')
  await dialog.getByRole('textbox', { name: 'Width in centimetres' }).fill('1')
  t.equal(await dialog.getByRole('button', { name: 'Download figure' }).isDisabled(), true)
  await dialog.getByRole('button', { name: '8.5 cm' }).click()
  const started = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download figure' }).click()
  const file = await (await started).path()
  await dialog.waitFor({ state: 'detached' })
  const png = readFileSync(file)
  t.equal(sizeOf(png).width, 2008)
  t.same(
    [png.toString('latin1', 37, 41), png.readUInt32BE(41), png.readUInt32BE(45), png[49]],
    ['pHYs', 23622, 23622, 1]
  )
  t.ok(
    (await darknessOf(page, png, 0, 2008)).some((sum) => sum > 1000),
    'browsers can read it'
  )

  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByRole('menuitem', { name: 'Figure for print…' }).click()
  await pick(dialog.getByRole('combobox', { name: 'Format' }), 'SVG')
  await dialog.getByText(/^8\.5 × [0-9.]+ cm/).waitFor()
  const [vector] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download figure' }).click()
  ])
  t.equal(vector.suggestedFilename(), 'Line.svg')
  t.match(readFileSync(await vector.path(), 'utf8'), /<svg [^>]*width="8.5cm" height="[0-9.]+cm" viewBox="0 0 481.89 /)
})

journey('a picture for print has all labels if all nodes are to have one', async (t) => {
  // The nodes are so close that their labels collide.
  const nodes = Array.from({ length: 20 }, (_, index) => ({
    id: `A crowded node ${index}`,
    x: index % 5,
    y: index % 4
  }))
  const content = { nodes: [...nodes, { id: 'far', x: 90, y: 90 }], edges: [] }
  const { page } = await adaWith(t, browser(), { name: 'Crowd', content })
  const labelsIn = async (style: object) => {
    await page.goto(`/graphs/1?style=${encodeURIComponent(JSON.stringify(style))}`)
    await drawing(page).locator('canvas').first().waitFor()
    await page.getByRole('button', { name: 'Download' }).click()
    await page.getByRole('menuitem', { name: 'Figure for print…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Figure for print' })
    await pick(dialog.getByRole('combobox', { name: 'Format' }), 'SVG')
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download figure' }).click()
    ])
    return (readFileSync(await file.path(), 'utf8').match(/<text [^>]*>A crowded node/g) ?? []).length
  }
  t.ok((await labelsIn({ labels: { rule: 'important' } })) < 20)
  t.equal(await labelsIn({ labels: { rule: 'all' } }), 20)
})
