import { readFileSync } from 'node:fs'
import type { Browser, Locator, Page } from 'playwright-core'
import type { Test } from 'tap'
import { act, openAs, serveTeam } from './journeys.ts'

// Helpers for browser tests that open a graph.

/** Opens a window for ada, who owns these graphs. */
export async function adaWith(t: Test, browser: Promise<Browser>, ...graphs: object[]) {
  const team = await serveTeam(t, 'ada')
  for (const graph of graphs) {
    const { status } = await team.as('ada', 'POST', '/api/graphs', graph)
    t.equal(status, 201)
  }
  const window = await openAs(t, browser, team.url, 'ada', '/', { acceptDownloads: true })
  return { ...team, ...window }
}

/** A graph of two teams whose nodes are placed on a line. */
export const line = {
  name: 'Line',
  content: {
    directed: true,
    nodes: Array.from({ length: 6 }, (_, index) => ({
      id: `n${index}`,
      label: `Node ${index}`,
      x: index,
      y: index % 2,
      metadata: { team: index < 2 ? 'red' : 'blue', weight: index * 1.5 }
    })),
    edges: Array.from({ length: 5 }, (_, index) => ({
      source: `n${index}`,
      target: `n${index + 1}`,
      relation: index % 2 ? 'even' : 'odd'
    }))
  }
}

/** Selects an option in a segmented control. */
export const choose = (page: Page, name: string) =>
  page.getByRole('radiogroup').getByText(name, { exact: true }).click()

/** Opens a tab of the side panel. */
export const openTab = (page: Page, name: string | RegExp) => page.getByRole('tab', { name }).click()

/** Toggles a switch. Unlike a forced click, this waits for the dialog's animation to end. */
export async function turn(place: Locator, name: string, checked: boolean) {
  await place.getByRole('switch', { name, checked: !checked, disabled: false }).click()
  await place.getByRole('switch', { name, checked, disabled: false }).waitFor()
}

/** Shares the graph with all users in the share dialog. */
export async function shareWithAll(page: Page, name: string) {
  await act(page, name, 'Share…')
  const dialog = page.getByRole('dialog', { name: `Share “${name}”` })
  await turn(dialog, 'All signed-in users can view', true)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
}

/** Counts the pixels of the drawing, or of a clip of the page, that have approximately this colour. */
export function countPixels(
  page: Page,
  [red, green, blue]: [number, number, number],
  clip?: { x: number; y: number; width: number; height: number }
): Promise<number> {
  const count = (shot: string) => `new Promise((resolve) => {
    const image = new Image()
    image.onload = () => {
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      const context = canvas.getContext('2d')
      context.drawImage(image, 0, 0)
      const { data } = context.getImageData(0, 0, image.width, image.height)
      let count = 0
      for (let i = 0; i < data.length; i += 4)
        count += Math.abs(data[i] - ${red}) + Math.abs(data[i + 1] - ${green}) + Math.abs(data[i + 2] - ${blue}) < 30
      resolve(count)
    }
    image.src = 'data:image/png;base64,${shot}'
  })`
  const shot = clip ? page.screenshot({ clip }) : page.getByRole('application').screenshot()
  return shot.then((shot) => page.evaluate<number>(count(shot.toString('base64'))))
}

/** The colours of values that are colour names, and the first palette colour for other values. */
export const colours: Record<'red' | 'blue' | 'first', [number, number, number]> = {
  red: [0xff, 0, 0],
  blue: [0, 0, 0xff],
  first: [0x67, 0x8d, 0xfc]
}

/** Returns the ids of nodes in an API response. */
export const idsOf = (nodes: { id: string }[]) => nodes.map(({ id }) => id)

/** Downloads the file behind this menu item. */
export async function download(page: Page, item: string) {
  await page.getByRole('button', { name: 'Download' }).click()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: item, exact: true }).click()
  ])
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) }
}

/** Returns the positions of the nodes in the picture of the drawing, by label. */
export async function drawnPlaces(page: Page): Promise<Record<string, { x: number; y: number }>> {
  const svg = (await download(page, 'SVG')).bytes.toString()
  const found = [...svg.matchAll(/<circle cx="([-\d.]+)" cy="([-\d.]+)"[^>]*><title>([^<]*)</g)]
  return Object.fromEntries(found.map(([, x, y, name]) => [name, { x: Number(x), y: Number(y) }]))
}

export const drawing = (page: Page) => page.getByRole('application')

/** Returns the length of a unit of `line` while the whole graph, which is 5 units wide, is in view. */
export function unitOf({ width, height }: { width: number; height: number }) {
  // The renderer has a margin of 80 pixels at the top and bottom, and a proportional one at the sides.
  return (width * (1 - 160 / height)) / 5
}

/** Returns the position of a node of `line` while the whole graph, 5 by 1 units, is in view. */
export async function placeOfNode(page: Page, index: number) {
  await drawing(page).locator('canvas').first().waitFor()
  const box = await drawing(page).boundingBox()
  if (!box) throw new Error('nothing is drawn')
  const unit = unitOf(box)
  return { x: box.x + box.width / 2 + (index - 2.5) * unit, y: box.y + box.height / 2 + (0.5 - (index % 2)) * unit }
}

/** Waits until the drawing fills its container, with its controls within the window. */
export async function fits(page: Page) {
  const measure = `(() => {
    const drawing = document.querySelector('[role=application]')
    const canvases = [...drawing.querySelectorAll('canvas')]
    const controls = [drawing, ...document.querySelectorAll('.drawing-controls button')]
    return canvases.length > 0
      && canvases.every((one) => one.offsetWidth === drawing.offsetWidth && one.offsetHeight === drawing.offsetHeight)
      && controls.every((one) => one.getBoundingClientRect().bottom <= innerHeight)
  })()`
  for (const end = Date.now() + 30_000; Date.now() < end; ) if (await page.evaluate<boolean>(measure)) return true
  return false
}

/** Drags the mouse along a path. */
export async function drag(page: Page, ...[from, ...path]: [{ x: number; y: number }, ...{ x: number; y: number }[]]) {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  for (const { x, y } of path) await page.mouse.move(x, y, { steps: 4 })
  await page.mouse.up()
}
