import { Code, Table, Text, Title } from '@mantine/core'
import { text } from '../../text/index.ts'
import type { Attribute } from '../network/attributes.ts'
import { textOf } from '../network/format-value.ts'

/** Lists names and values. Nested values are shown as JSON. */
export function Fields({ fields }: { fields: Record<string, unknown> }) {
  const entries = Object.entries(fields)
  if (entries.length === 0) return null
  return (
    <Table variant="vertical" layout="fixed" verticalSpacing={4}>
      <Table.Tbody>
        {entries.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th w="40%" className="breakable">
              {name}
            </Table.Th>
            <Table.Td className="breakable">
              {typeof value === 'object' && value !== null ? (
                <Code block>{JSON.stringify(value, null, 2)}</Code>
              ) : (
                <Text size="sm" className="breakable">
                  {String(value)}
                </Text>
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

/** Shows an element's metadata under a heading, with numbers formatted by attribute. Shows nothing if there is no metadata. */
export function Metadata({
  metadata,
  attributes = []
}: {
  metadata: Record<string, unknown> | undefined
  attributes?: Attribute[] | undefined
}) {
  const known = new Map(attributes.map((attribute) => [attribute.key, attribute]))
  const shown = (name: string, value: unknown) =>
    typeof value === 'number' ? textOf(value, known.get(`metadata.${name}`) ?? {}) : value
  if (!metadata || Object.keys(metadata).length === 0) return null
  return (
    <>
      <Title order={3} size="h6">
        {text.details.metadata}
      </Title>
      <Fields
        fields={Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, shown(name, value)]))}
      />
    </>
  )
}
