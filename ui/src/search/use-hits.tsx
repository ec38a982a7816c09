import { Combobox, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactElement, useMemo } from 'react'
import { text } from '../text/index.ts'
import type { PageSearch } from './page-search.ts'
import { addressOf, hasWord, nodesOf, useSearch } from './search.ts'
import { MatchOption, ResultOptions } from './search-results.tsx'

/** The delay between the last keystroke and the request, in milliseconds. */
const PAUSE = 150

export interface Hits {
  /** The options to show. They are disabled while they belong to an earlier text. */
  options: ReactElement[]
  /** The value of the first option. */
  first: string | undefined
  /** Whether the typed text can be searched for. */
  isSearchable: boolean
  /** Whether the options, or the error, belong to the typed text. */
  isCurrent: boolean
  isFetching: boolean
  error: Error | null
  /** Loads more hits. Undefined if there are none. */
  more: (() => void) | undefined
  retry: () => void
  /** Makes the first search quick. */
  prepare: () => void
  /** Shows the hit with this value on the page that was searched. */
  open: (value: string) => void
}

/** Returns the hits for the typed text on the page, or in all graphs if `page` is undefined. */
export function useHits(typed: string, page: Exclude<PageSearch, { kind: 'list' }> | undefined): Hits {
  const wanted = typed.trim()
  const [sought] = useDebouncedValue(wanted, PAUSE)
  const nodes = page?.kind === 'nodes' ? page : undefined
  const part = page?.kind === 'part' ? page : undefined
  const search = useSearch(nodes ? '' : sought, part?.graph)
  const find = nodes?.find
  const found = useMemo(() => find?.(wanted), [find, wanted])
  if (nodes && found) {
    return {
      options: found.map(({ node, name, value }) => (
        <Combobox.Option key={node} value={String(node)}>
          {name}
          {value && (
            <Text size="xs" c="dimmed" truncate>
              {text.search.value(value.title, value.text)}
            </Text>
          )}
        </Combobox.Option>
      )),
      first: found[0] && String(found[0].node),
      isSearchable: wanted !== '',
      isCurrent: true,
      isFetching: false,
      error: null,
      more: undefined,
      retry: () => {},
      prepare: nodes.prepare,
      open: (value) => nodes.onFind(Number(value))
    }
  }

  const isCurrent = wanted === sought && !search.isPlaceholderData && !search.isPending
  const results = hasWord(sought) ? (search.data?.pages.flatMap(({ rows }) => rows) ?? []) : []
  const matches = part ? results.flatMap((result) => result.matches) : []
  const values = part
    ? matches.map((match) => JSON.stringify(nodesOf(match)))
    : results.map((result) => addressOf(result))
  return {
    options: part
      ? matches.map((match, index) => (
          <MatchOption key={match.pointer} value={values[index] as string} match={match} isStale={!isCurrent} />
        ))
      : results.map((result) => <ResultOptions key={result.graph.id} result={result} isStale={!isCurrent} />),
    first: values[0],
    isSearchable: hasWord(wanted),
    isCurrent,
    isFetching: search.isFetching,
    error: search.error,
    more: search.hasNextPage ? () => search.fetchNextPage() : undefined,
    retry: () => search.refetch(),
    prepare: () => {},
    open: (value) => part?.onFind(JSON.parse(value))
  }
}
