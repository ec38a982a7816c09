import { Combobox, Text } from '@mantine/core'
import { IconCircleDot, IconTopologyStar3, IconVectorSpline } from '@tabler/icons-react'
import type { SearchMatch, SearchResult } from '../api.ts'
import { text } from '../text/index.ts'
import { addressOf } from './search.ts'

/** The options for a graph and, below it, its matching elements. Their values are addresses. Stale options are disabled. */
export function ResultOptions({ result, isStale }: { result: SearchResult; isStale: boolean }) {
  return (
    <Combobox.Group>
      <GraphOption result={result} isStale={isStale} />
      {result.matches.map((match) => (
        <MatchOption key={match.pointer} value={addressOf(result, match)} match={match} isStale={isStale} />
      ))}
    </Combobox.Group>
  )
}

function GraphOption({ result, isStale }: { result: SearchResult; isStale: boolean }) {
  const { name, owner, type } = result.graph
  return (
    <Combobox.Option value={addressOf(result)} disabled={isStale} className="search-option">
      <IconTopologyStar3 size={16} aria-hidden />
      <Text size="sm" fw={600} truncate>
        {name}
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {type ? `${type} · ` : ''}
        {text.graph.by(owner)}
      </Text>
    </Combobox.Option>
  )
}

/** The option for a node or edge. */
export function MatchOption({ value, match, isStale }: { value: string; match: SearchMatch; isStale: boolean }) {
  const { kind, id, label } = match
  const isNode = kind === 'node'
  const Icon = isNode ? IconCircleDot : IconVectorSpline
  const name = label?.trim() || id || text.finder.edge(Number(match.pointer.split('/').at(-1)) + 1)
  return (
    <Combobox.Option value={value} disabled={isStale} className="search-option search-match">
      <Icon size={14} aria-label={isNode ? text.graph.node : text.graph.edge} />
      <Text size="sm" truncate>
        {name}
      </Text>
      {id !== undefined && id !== name && (
        <Text size="xs" c="dimmed" truncate>
          {id}
        </Text>
      )}
    </Combobox.Option>
  )
}
