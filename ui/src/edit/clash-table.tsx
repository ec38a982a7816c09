import { Button, Group, Radio, Table, Text, Title } from '@mantine/core'
import type { Side } from '../shared/side.ts'
import { text } from '../text/index.ts'
import { type Conflict, type Difference, differencesOf } from './differences.ts'

/** Compares both versions of an element value by value, and lets the user choose one of each. */
export function ClashTable({
  conflict,
  theirName,
  edges,
  chosen,
  onChoose
}: {
  conflict: Conflict
  /** The heading for the other version, with the names of its authors. */
  theirName: string
  /** The number of edges that are kept with a node that one side removed. */
  edges: number
  chosen: ReadonlyMap<string, Side> | undefined
  onChoose: (chosen: ReadonlyMap<string, Side>) => void
}) {
  const differences = differencesOf(conflict)
  const name = nameOf(conflict)
  const names: Record<Side, string> = { yours: text.edit.yours, theirs: theirName }
  const chooseAll = (side: Side) => onChoose(new Map(differences.map(({ key }) => [key, side])))
  return (
    <section aria-label={name}>
      <Group justify="space-between" gap="xs">
        <Title order={3} size="h6" className="breakable">
          {name}
        </Title>
        <Group gap="xs">
          <Button variant="default" size="compact-xs" onClick={() => chooseAll('yours')}>
            {text.edit.keepYours}
          </Button>
          <Button variant="default" size="compact-xs" onClick={() => chooseAll('theirs')}>
            {text.edit.takeTheirs}
          </Button>
        </Group>
      </Group>
      <Table layout="fixed" verticalSpacing={4} horizontalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="34%">{text.summary.attribute}</Table.Th>
            <Table.Th>{names.yours}</Table.Th>
            <Table.Th className="breakable">{names.theirs}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {differences.map((difference) => {
            const title = titleOf(difference, conflict)
            return (
              <Table.Tr key={difference.key}>
                <Table.Th className="breakable">
                  {title}
                  {conflict.old && difference.key !== '' && (
                    <Text size="xs" c="dimmed" lineClamp={6}>
                      {text.edit.before(wordsOf(difference, 'old'))}
                    </Text>
                  )}
                </Table.Th>
                {(['yours', 'theirs'] as const).map((side) => (
                  <Table.Td key={side}>
                    <Radio
                      name={`${conflict.key} ${difference.key}`}
                      required
                      checked={chosen?.get(difference.key) === side}
                      onChange={() => onChoose(new Map(chosen).set(difference.key, side))}
                      aria-label={`${title}, ${names[side]}: ${wordsOf(difference, side, edges)}`}
                      label={
                        <Text span size="sm" className="breakable" lineClamp={6}>
                          {wordsOf(difference, side, edges)}
                        </Text>
                      }
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </section>
  )
}

function nameOf({ theirs, yours }: Conflict): string {
  const element = yours ?? theirs
  if (!element) return ''
  return 'source' in element ? `${element.source} – ${element.target}` : (element.label ?? element.id)
}

function titleOf({ key, name }: Difference, { theirs, yours }: Conflict): string {
  if (key === '') return 'source' in (theirs ?? yours ?? {}) ? text.graph.edge : text.graph.node
  if (key === 'directed') return text.details.directed
  const titles: Record<string, string> = text.attributes as never
  return key === name && Object.hasOwn(titles, key) ? (titles[key] as string) : name
}

function wordsOf({ key, ...values }: Difference, side: Side | 'old', edges = 0): string {
  if (key === '') return values[side] === undefined ? text.edit.removed : text.edit.kept(edges)
  return values[side] === undefined ? text.edit.noValue : plain(values[side])
}

/** Writes a value without the signs of JSON. */
function plain(value: unknown): string {
  if (value === '') return text.conflict.empty
  if (Array.isArray(value)) return value.map(plain).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${plain(member)}`)
    .join('; ')
}
