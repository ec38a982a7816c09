import { type Static, Type } from '@sinclair/typebox'
import { component, LARGE } from './types.ts'

/**
 * Forbids commas, U+0000, and leading or trailing white space. Each string matches in only one way, which avoids backtracking.
 */
const TAG_PATTERN = '^[^\\s,\\x00](?:[^,\\x00]*[^\\s,\\x00])?$'

/** The maximum number of tags per graph. */
export const MAX_TAGS = 20

const Tag = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: TAG_PATTERN,
  description: 'A tag: any text without commas and without leading or trailing spaces.',
  examples: ['chemistry']
})

export const Tags = Type.Array(Tag, {
  maxItems: MAX_TAGS,
  uniqueItems: true,
  description: 'The tags of the graph, in the order they were set. Absent if the graph has no tags.',
  examples: [['chemistry', '2026']]
})

export const TagCount = component(
  'TagCount',
  'A tag, with the number of graphs that have it and that the caller can read.',
  {
    tag: Tag,
    count: Type.Integer({
      ...LARGE,
      minimum: 1,
      description: 'The number of graphs with this tag that the caller can read.',
      examples: [3]
    })
  }
)
export type TagCount = Static<typeof TagCount>

export const tagSorts = ['tag', 'count'] as const
