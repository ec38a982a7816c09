import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { PASSWORD } from '../support/helper.ts'
import { login } from '../support/program.ts'
import { journeysOf, openAs, picture, serveTeam } from './journeys.ts'

// Pictures of real graphs at three sizes, in both modes, for human review. GRAPHSTEAD_GALLERY specifies a folder with more
// graphs.

const { browser, journey } = journeysOf(t)
const { GRAPHSTEAD_GALLERY: gallery } = process.env
const samples = join(import.meta.dirname, '..', 'samples')
const files = gallery
  ? readdirSync(gallery, { withFileTypes: true }).flatMap((entry) =>
      entry.isFile() && !entry.name.startsWith('trap-') ? [join(gallery, entry.name)] : []
    )
  : ['les-miserables.gexf', 'karate.gml', 'usair97.net', 'c-burnetii.cx2', 'asoiaf-edges.csv', 'root.gv'].map((name) =>
      join(samples, name)
    )

const sizes = { wide: [1440, 900], middle: [1024, 768], narrow: [390, 844] } as const

for (const file of files) {
  const name = basename(file).replace(/\W+/g, '-')
  journey(`${basename(file)} is drawn at three sizes, in light and dark mode`, async (t) => {
    const team = await serveTeam(t, 'ada')
    const answer = await fetch(`${team.url}/api/graphs/import?name=${name}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await login(team.url, 'ada', PASSWORD)}`,
        'content-type': 'application/octet-stream'
      },
      body: readFileSync(file)
    })
    t.equal(answer.status, 201)
    const { page } = await openAs(t, browser(), team.url, 'ada')
    for (const [size, [width, height]] of Object.entries(sizes)) {
      await page.setViewportSize({ width, height })
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.goto('/graphs/1')
        await page.getByRole('application').locator('canvas').first().waitFor()
        await page.getByRole('button', { name: 'Stop layout' }).waitFor({ state: 'detached', timeout: 60_000 })
        await page.waitForTimeout(1000)
        await picture(page, `real-${name}-${size}-${colorScheme}`)
      }
    }
  })
}
