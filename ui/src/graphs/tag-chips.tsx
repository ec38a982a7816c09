import { Badge, Group } from '@mantine/core'
import { Link } from 'wouter'
import { text } from '../text/index.ts'
import { addressOfTag } from './tags.ts'

/** Shows the tags of a graph. Clicking a tag calls `onChoose` if given, and otherwise opens the list of graphs with that tag. */
export function TagChips({ tags = [], onChoose }: { tags?: string[] | undefined; onChoose?: (tag: string) => void }) {
  if (tags.length === 0) return null
  const look = { size: 'sm', variant: 'light', className: 'tag' } as const
  return (
    <Group gap={4} component="ul" className="plain-list" aria-label={text.graph.tags}>
      {tags.map((tag) => (
        <li key={tag}>
          {onChoose ? (
            <Badge component="button" type="button" {...look} title={text.tags.show(tag)} onClick={() => onChoose(tag)}>
              {tag}
            </Badge>
          ) : (
            <Badge component={Link} href={addressOfTag(tag)} {...look} title={text.tags.show(tag)}>
              {tag}
            </Badge>
          )}
        </li>
      ))}
    </Group>
  )
}
