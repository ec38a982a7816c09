import { List, Stack, Text, Title } from '@mantine/core'
import { useMemo } from 'react'
import type { Change, ContentDiff, GraphContent } from '../api.ts'
import { formatNumber, text } from '../text/index.ts'
import { type ListedElement, nameOfChange, namesIn, valuesOfChange } from './change-names.ts'

/** The maximum number of elements of each kind to list. The counts include all elements. */
const MOST = 200

/** Lists the differences between two versions. `after` is the second version, for the labels of nodes, if it is known. */
export function DiffList({ diff, after }: { diff: ContentDiff; after?: GraphContent | undefined }) {
  const { fields, nodes, edges } = diff
  const nameOf = useMemo(() => namesIn(after, [...nodes.removed.items, ...nodes.added.items]), [after, nodes])
  const parts = [
    ...(['added', 'removed', 'changed'] as const).map((kind) => ({ kind, what: 'nodes' as const, part: nodes[kind] })),
    ...(['added', 'removed', 'changed'] as const).map((kind) => ({ kind, what: 'edges' as const, part: edges[kind] }))
  ].filter(({ part }) => part.count > 0)
  const isReordered = nodes.reordered || edges.reordered
  if (fields.length === 0 && parts.length === 0) {
    return <Text p="md">{isReordered ? text.diff.reordered : text.diff.nothing}</Text>
  }
  return (
    <Stack p="md" gap="md" className="breakable">
      {fields.length > 0 && (
        <section>
          <Title order={3} size="h6">
            {text.diff.fields}
          </Title>
          <Changes changes={fields} />
        </section>
      )}
      {parts.map(({ kind, what, part: { count, items } }) => (
        <section key={`${what} ${kind}`}>
          <Title order={3} size="h6" className={kind}>
            {text.diff[what][kind](formatNumber(count))}
          </Title>
          <List size="sm">
            {(items as Item[]).slice(0, MOST).map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: edges may be equal, and the list does not change
              <List.Item key={index}>
                {nameOf(item)}
                {item.changes && <Changes changes={item.changes} />}
              </List.Item>
            ))}
          </List>
          {count > MOST && (
            <Text size="sm" c="dimmed">
              {text.details.more(formatNumber(count - MOST))}
            </Text>
          )}
        </section>
      ))}
    </Stack>
  )
}

type Item = ListedElement & { changes?: Change[] }

function Changes({ changes }: { changes: Change[] }) {
  return (
    <List size="sm" listStyleType="none">
      {changes.map(({ pointer, ...change }) => {
        const { from, to } = valuesOfChange(change)
        return (
          <List.Item key={pointer}>
            {text.diff.change(nameOfChange(pointer))} {from !== undefined && <del className="removed">{from}</del>}{' '}
            {to !== undefined && <ins className="added">{to}</ins>}
          </List.Item>
        )
      })}
    </List>
  )
}
