import type { Locator } from 'playwright-core'
import t from 'tap'
import { until } from '../support/until.ts'
import { adaWith, line } from './graph-page.ts'
import { act, button, journeysOf, picture } from './journeys.ts'

// Notifications, which must not cover the controls of the page.

const { browser, journey } = journeysOf(t)

async function boxOf(place: Locator) {
  const { x, y, width, height } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  return { left: x, top: y, right: x + width, bottom: y + height }
}

/** Returns whether the two elements are visible and do not overlap. */
async function areApart(one: Locator, other: Locator) {
  const [a, b] = await Promise.all([boxOf(one), boxOf(other)])
  const isShown = a.right > a.left && b.right > b.left
  return isShown && (a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top)
}

for (const viewport of [
  { width: 1280, height: 800 },
  { width: 1024, height: 600 },
  { width: 360, height: 640 }
]) {
  journey(
    `at ${viewport.width} px, a notification covers no buttons, legends or dialogs, and can be closed`,
    async (t) => {
      const { page } = await adaWith(t, browser(), line, { name: 'Deleted' })
      await page.setViewportSize(viewport)
      await page.getByRole('link', { name: 'Deleted' }).waitFor()
      await act(page, 'Deleted', 'Delete')
      await button(page, 'Move to trash').click()
      const toast = page.getByRole('alert').filter({ hasText: '“Deleted” was moved to the trash.' })
      await toast.waitFor()
      // While the mouse is over the notification, it does not close.
      await toast.hover()
      for (const name of ['Import', 'New graph', 'Actions for Line', 'Undo'])
        t.equal(await button(page, name).click({ trial: true, timeout: 5000 }), undefined, name)

      await button(page, 'New graph').click()
      const dialog = page.getByRole('dialog')
      const create = dialog.getByRole('button', { name: 'Create', exact: true })
      await dialog.getByLabel(/^Name/).fill('A name')
      await toast.hover()
      await create.scrollIntoViewIfNeeded()
      t.ok(await areApart(toast, dialog), 'the dialog')
      await picture(page, `toast-dialog-${viewport.width}`)
      await create.click({ trial: true })
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'detached' })

      await page.goto('/graphs/1')
      await page.getByRole('region', { name: 'Legend' }).waitFor()
      await act(page, 'Line', 'Make a copy')
      const copied = page.getByRole('alert').filter({ hasText: '“Copy of Line” was created.' })
      await copied.hover()
      await picture(page, `toast-drawing-${viewport.width}`)
      t.ok(await areApart(copied, page.getByRole('region', { name: 'Legend' })), 'the legend')
      for (const control of await page.locator('.drawing-controls button').all())
        t.ok(await areApart(copied, control), (await control.getAttribute('aria-label')) ?? '')
      await copied.getByRole('button', { name: 'Close' }).click()
      await copied.waitFor({ state: 'detached' })
      // The observer of the list's size runs after the notification is gone.
      const height = 'document.documentElement.style.getPropertyValue("--toasts-height")'
      t.ok(await until(async () => (await page.evaluate(height)) === '0px'))
    }
  )
}
