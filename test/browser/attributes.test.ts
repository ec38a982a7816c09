import t from 'tap'
import { adaWith, choose, openTab } from './graph-page.ts'
import { button, inspect, journeysOf, pick } from './journeys.ts'

// Attributes in the app: how their numbers are shown, which of them can size edges, and new ones in the form of a node.

const { browser, journey } = journeysOf(t)

/** Two people who were born in a year, and an edge whose only attribute is a text. */
const people = {
  name: 'People',
  content: {
    directed: true,
    nodes: [
      { id: 'a', label: 'Ada', x: 0, y: 0, metadata: { born: 1815, income: 1815, zip: '01010' } },
      { id: 'c', label: 'Charles', x: 1, y: 1, metadata: { born: 1791, income: 2791, zip: '01020' } },
      { id: 'm', label: 'Mary', x: 2, y: 0 }
    ],
    edges: [{ source: 'a', target: 'c', metadata: { since: 'June' } }]
  }
}

journey('years have no thousands separators in tables, legends and filters', async (t) => {
  const { page } = await adaWith(t, browser(), people)
  await page.goto('/graphs/1?colour=metadata.income&size=metadata.born&filter=metadata.born&from=1791&to=1815')
  const legend = page.getByRole('region', { name: 'Legend' })
  await legend.getByText('Size: born').waitFor()
  await legend.getByText('1791', { exact: true }).waitFor()
  await openTab(page, 'Filters (1)')
  await page.getByText('From 1791 to 1815').waitFor()
  await choose(page, 'Nodes')
  const row = page.getByRole('row', { name: /^Charles/ })
  t.same(await row.getByRole('cell').allTextContents(), ['Charles', 'c', '1791', '2,791', '01020', '1', '1', '0'])
})

journey('the legend of sizes shows nodes without a value', async (t) => {
  const { page } = await adaWith(t, browser(), people)
  await page.goto('/graphs/1?size=metadata.born')
  const samples = page.locator('.legend-samples')
  await samples.getByText('(without a value)').waitFor()
  await page.goto('/graphs/1?size=degree')
  await samples.getByText('1', { exact: true }).waitFor()
  t.equal(await samples.getByText('(without a value)').count(), 0)
})

journey('the field for edge sizes says why it is disabled', async (t) => {
  const { page } = await adaWith(t, browser(), people)
  await page.goto('/graphs/1')
  const field = page.getByRole('combobox', { name: 'Size edges by' })
  await field.waitFor()
  t.equal(await field.isDisabled(), true)
  await page.getByText('The edges have no attribute that contains only numbers.').waitFor()
  await inspect(t, page, 'edge-sizes-unavailable')
})

journey(
  'a new attribute has suggested names and the type of its value, and no error before the user types',
  async (t) => {
    const { page } = await adaWith(t, browser(), people)
    await page.goto('/graphs/1?node=m')
    await button(page, 'Edit').click()
    const form = page.getByRole('form', { name: 'Edit node' })
    await button(page, 'Add attribute').click()
    t.equal(await form.getByText('Enter a name.').count(), 0)
    await form.getByLabel('Attribute name').and(page.locator(':focus')).waitFor()
    t.same(await page.getByRole('listbox').getByRole('option').allTextContents(), ['born', 'income', 'zip'])
    await inspect(t, page, 'new-attribute')
    await page.getByRole('option', { name: 'born' }).click()
    await form.getByLabel('Value of born').fill('1780')
    t.equal(await form.getByLabel('Type of born').inputValue(), 'Number')
    await button(page, 'Add attribute').click()
    await form.getByLabel('Attribute name').last().fill('zip')
    await form.getByLabel('Value of zip').fill('1030')
    t.equal(await form.getByLabel('Type of zip').inputValue(), 'Text', 'other nodes have text there')
    await button(page, 'Add attribute').click()
    await form.getByLabel('Attribute name').last().focus()
    await page.keyboard.press('Tab')
    await form.getByLabel('Value of the attribute').fill('x')
    await form.getByText('Enter a name.').waitFor()
    await form.getByRole('button', { name: 'Remove the attribute' }).click()
    await form.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 unsaved change').waitFor()
    await openTab(page, 'Appearance')
    await pick(page.getByRole('combobox', { name: 'Size nodes by' }), 'born')
    await page.getByRole('region', { name: 'Legend' }).getByText('1780', { exact: true }).waitFor()
  }
)
