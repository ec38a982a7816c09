import { join } from 'node:path'
import type { Page } from 'playwright-core'
import t from 'tap'
import { root } from '../support/program.ts'
import { shareWithAll } from './graph-page.ts'
import { act, journeysOf, openAs, openWindow, picture, seriousFindings, serveTeam, signIn } from './journeys.ts'

// The main user journey, and a check of every page.

const novel = join(root, 'docs', 'examples', 'les-miserables.jgf.json')

const { browser, journey } = journeysOf(t)

const nodeSearch = (page: Page) => page.getByRole('combobox', { name: 'Find a node' })
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

t.test(
  'a user imports a graph, finds a node and shares it; another user can only view it; the audit log shows everything',
  async (t) => {
    const { url, settle } = await serveTeam(t, 'ada', 'bob', 'audrey')
    const ada = await openWindow(t, await browser(), url)
    await ada.page.goto('/')
    await picture(ada.page, 'journey-1-sign-in')
    await signIn(ada.page, 'ada')
    await ada.page.getByText('No graphs yet').waitFor()

    await ada.page.getByRole('button', { name: 'Import' }).first().click()
    const dialog = ada.page.getByRole('dialog', { name: 'Import graphs' })
    await dialog.locator('input[type=file]').setInputFiles(novel)
    await dialog.getByText('77 nodes, 254 edges').waitFor()
    await dialog.getByText('No data is lost.').waitFor()
    await dialog.getByLabel(/^Name/).fill('Les Misérables')
    await picture(ada.page, 'journey-2-import')
    await dialog.getByRole('button', { name: 'Import 1 graph' }).click()
    await heading(ada.page, 'Les Misérables').waitFor()

    await nodeSearch(ada.page).fill('Valjean')
    await ada.page.getByRole('option', { name: 'Valjean' }).first().click()
    const details = ada.page.getByRole('region', { name: 'Details' })
    await details.getByRole('heading', { name: 'Valjean' }).waitFor()
    await details.getByText('Edges (36)').waitFor()
    t.match(new URL(ada.page.url()).search, /node=/, 'the URL stores the selected node')
    await picture(ada.page, 'journey-3-valjean')

    await shareWithAll(ada.page, 'Les Misérables')
    const address = ada.page.url()

    const bob = await openAs(t, browser(), url, 'bob', address)
    await bob.page.getByRole('region', { name: 'Details' }).getByRole('heading', { name: 'Valjean' }).waitFor()
    t.pass('after sign-in, a link leads to the same view')
    await bob.page.getByRole('button', { name: 'Actions for Les Misérables' }).click()
    await bob.page.getByRole('menuitem', { name: 'History' }).waitFor()
    for (const name of ['Edit name and description', 'Share…', 'Delete']) {
      t.equal(await bob.page.getByRole('menuitem', { name }).count(), 0, `bob is not offered to ${name}`)
    }
    await picture(bob.page, 'journey-4-bob')
    t.same(bob.mishaps, { errors: [], elsewhere: [] })
    const status = await bob.page.evaluate(() =>
      fetch('/api/graphs/1', {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: '{"name":"Mine"}'
      }).then((response) => response.status)
    )
    t.equal(status, 403, 'the API refuses bob too')
    const seen = await bob.page.evaluate(
      '[document.cookie, JSON.stringify({ ...localStorage, ...sessionStorage })].join()'
    )
    t.notMatch(seen, /eyJ|session/, 'scripts cannot read a token')

    const audrey = await openAs(t, browser(), url, 'audrey', '/audits?targetType=GRAPH&targetId=1')
    const table = audrey.page.getByRole('table', { name: 'Audit log' })
    await table.getByRole('row').nth(3).waitFor()
    const rows = (await table.getByRole('row').allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/g, ' '))
    t.match(rows[0], /bob Access denied DENIED Les Misérables/i)
    t.match(rows[1], /ada Graph shared SUCCESS Les Misérables/i)
    t.match(rows.at(-1), /ada Graph created SUCCESS Les Misérables/i)
    await picture(audrey.page, 'journey-5-audits')
    await settle()
    await table
      .getByRole('link', { name: /2026|20\d\d/ })
      .first()
      .click()
    const event = audrey.page.getByRole('dialog', { name: /^Event/ })
    await event.getByText('PATCH /api/graphs/{id}').waitFor()
    await picture(audrey.page, 'journey-6-event')
    await event.getByRole('link', { name: 'Les Misérables' }).click()
    await heading(audrey.page, 'Les Misérables').waitFor()
    t.same([ada.mishaps, audrey.mishaps], Array(2).fill({ errors: [], elsewhere: [] }), 'nothing else went wrong')
  }
)

/**
 * Contrast depends on the theme, and content on the width, so axe only needs two combinations that cover both themes and both
 * widths.
 */
const looks = [
  { name: 'wide-light', isAsked: true, colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'wide-dark', isAsked: false, colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'narrow-light', isAsked: false, colorScheme: 'light', viewport: { width: 390, height: 844 }, hasTouch: true },
  { name: 'narrow-dark', isAsked: true, colorScheme: 'dark', viewport: { width: 390, height: 844 }, hasTouch: true }
] as const

journey('every page is accessible, complete and without errors, in light and dark mode, wide and narrow', async (t) => {
  const { url, as } = await serveTeam(t, 'ada')
  const shown = { shared: true, type: 'demo', description: 'Four and a loop.', tags: ['demo', 'four'] }
  await as('ada', 'POST', '/api/graphs', { ...drawn, ...shown })
  await as('admin', 'POST', '/api/groups', { name: 'chemists', description: 'The laboratory on the second floor.' })
  await as('ada', 'PUT', '/api/graphs/1/access/groups/chemists', { access: 'WRITE' })
  const { nodes, edges } = drawn.content
  const content = { ...drawn.content, nodes: [...nodes.slice(1), { id: 'e', x: 2, y: 2 }], edges: edges.slice(1, 3) }
  await as('ada', 'PUT', '/api/graphs', { id: 1, name: 'Drawn', ...shown, content, message: 'Another one.' })
  await as('ada', 'POST', '/api/graphs', { name: 'Deleted' })
  await as('ada', 'DELETE', '/api/graphs/2')

  for (const { name, isAsked, ...options } of looks) {
    await t.test(name, async (t) => {
      const { page, mishaps } = await openWindow(t, await browser(), url, options)
      const check = async (what: string) => {
        await page.waitForTimeout(100)
        await picture(page, `${what}-${name}`)
        if (isAsked) t.same(await seriousFindings(page), [], `${what}: axe`)
        const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        t.ok(Number(width) <= 0, `${what}: nothing overflows the window`)
      }
      await page.goto('/')
      await page.getByLabel('Username').waitFor()
      await check('sign-in')
      await signIn(page, 'admin')
      await page.getByRole('link', { name: 'Drawn' }).waitFor()
      await check('graphs')
      await act(page, 'Drawn', 'Share…')
      await page.getByRole('combobox', { name: 'Access for chemists' }).waitFor()
      await check('sharing')
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'New graph' }).click()
      await page.getByRole('dialog').waitFor()
      await check('new-graph')

      const pages = [
        [
          'graph',
          '/graphs/1?node=b&edgeColour=relation&edgeSize=metadata.weight',
          page.getByRole('region', { name: 'Details' })
        ],
        ['graph-look', '/graphs/1?colour=degree', page.getByRole('region', { name: 'Legend' })],
        ['graph-nodes', '/graphs/1?tab=nodes', page.getByRole('table', { name: 'Nodes of Drawn' })],
        ['graph-edges', '/graphs/1?tab=edges', page.getByRole('table', { name: 'Edges of Drawn' })],
        ['history-drawing', '/graphs/1/history', page.getByRole('region', { name: 'Legend' })],
        ['history-list', '/graphs/1/history?as=list', page.getByText('Nodes added (1)')],
        ['audits', '/audits', page.getByRole('table', { name: 'Audit log' })],
        ['audit', '/audits/1', page.getByRole('dialog', { name: 'Event 1' })],
        ['checkpoints', '/audits/checkpoints', page.getByRole('button', { name: 'Copy command' })],
        ['users', '/users', page.getByRole('table', { name: 'Users' })],
        ['groups', '/groups', page.getByRole('table', { name: 'Groups' })],
        ['account', '/account', page.getByLabel(/^Current password/)],
        ['trash', '/trash', page.getByRole('button', { name: 'Restore Deleted' })]
      ] as const
      for (const [what, address, shown] of pages) {
        await page.goto(address)
        await shown.waitFor()
        await check(what)
      }
      t.same(mishaps, { errors: [], elsewhere: [] }, 'nothing went wrong in the console')
    })
  }
})

/** A small graph with positions. */
const drawn = {
  name: 'Drawn',
  content: {
    directed: true,
    nodes: [
      { id: 'a', label: 'Anna', x: 0, y: 0, metadata: { team: 'red', age: 30 } },
      { id: 'b', label: 'Berta', x: 1, y: 0, metadata: { team: 'red', age: 41 } },
      { id: 'c', label: 'Carl', x: 1, y: 1, metadata: { team: 'blue', age: 52 } },
      { id: 'd', label: 'Dora', x: 0, y: 1, metadata: { team: 'blue', age: 63, tags: ['x', { y: 1 }] } }
    ],
    edges: [
      { source: 'a', target: 'b', relation: 'knows' },
      { source: 'b', target: 'c', relation: 'knows', metadata: { weight: 3 } },
      { source: 'c', target: 'd', relation: 'teaches' },
      { source: 'd', target: 'd', relation: 'teaches', label: 'herself' }
    ]
  }
}
