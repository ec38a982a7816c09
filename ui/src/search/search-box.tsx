import { CloseButton, Loader } from '@mantine/core'
import { useDebouncedCallback, useMediaQuery } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useKeys } from '../shared/use-keys.ts'
import { text } from '../text/index.ts'
import { usePageSearch } from './page-search.ts'
import { SearchField } from './search-field.tsx'
import { useHits } from './use-hits.tsx'

/** The delay between the last keystroke and filtering the list, in milliseconds. */
const PAUSE = 250

/** The scopes of the search on a graph's page. */
const [HERE, EVERYWHERE] = ['here', 'everywhere'] as const

/**
 * A field that searches the open graph, or the graphs, nodes and edges that the user can read, while the user types. On the
 * page of the graphs, it also filters the list. The `/` key focuses the field on any page.
 */
export function SearchBox() {
  const [location] = useLocation()
  // Each page begins with an empty field and its own scope.
  return <PageSearchBox key={location} />
}

function PageSearchBox() {
  const field = useRef<HTMLInputElement>(null)
  const page = usePageSearch()
  const [, navigate] = useLocation()
  const [scope, setScope] = useState<string>(HERE)
  const isNarrow = useMediaQuery('(max-width: 48em)')
  useKeys([['/', () => field.current?.focus()]])

  const graph = page && page.kind !== 'list' ? page : undefined
  const searched = scope === HERE ? graph : undefined
  const { typed, setTyped } = useTyped(page?.kind === 'list' ? page : undefined)
  const hits = useHits(typed, searched)
  const changeScope = (to: string) => {
    setScope(to)
    field.current?.focus()
  }
  return (
    <SearchField
      ref={field}
      label={searched ? text.search.label : text.finder.label}
      placeholder={isNarrow ? text.finder.short : searched ? text.search.placeholder : text.finder.placeholder}
      typed={typed}
      onType={setTyped}
      hits={hits}
      nothing={searched ? text.search.nothing : page?.kind === 'list' ? undefined : text.finder.nothing}
      onEverywhere={searched && (() => changeScope(EVERYWHERE))}
      onChoose={(value) => {
        if (page?.kind !== 'list') setTyped('')
        // Remembers the field before it loses focus, so that closing the details returns to it.
        if (searched) hits.open(value)
        if (!searched || isNarrow) field.current?.blur()
        if (!searched) navigate(value, { state: { isFound: true } })
      }}
      {...(graph
        ? {
            className: 'search-box scoped',
            leftSection: (
              <select
                className="search-scope"
                aria-label={text.finder.scope}
                value={scope}
                onChange={(event) => changeScope(event.currentTarget.value)}
              >
                <option value={HERE}>{text.finder.here}</option>
                <option value={EVERYWHERE}>{text.finder.everywhere}</option>
              </select>
            )
          }
        : { className: 'search-box', leftSection: <IconSearch size={16} aria-hidden /> })}
      rightSection={
        hits.isFetching ? (
          <Loader size={14} aria-label={text.finder.searching} />
        ) : typed === '' ? undefined : (
          <CloseButton
            size="xs"
            aria-label={text.finder.clear}
            onClick={() => {
              setTyped('')
              field.current?.focus()
            }}
          />
        )
      }
    />
  )
}

/** Returns the typed text. A list is filtered by the text once the user stops typing, and its address may change the text. */
function useTyped(list: { text: string; onType: (text: string) => void } | undefined) {
  const value = list?.text ?? ''
  const [typed, setTyped] = useState(value)
  const [shown, setShown] = useState(value)
  if (value !== shown) {
    setShown(value)
    if (value !== typed.trim()) setTyped(value)
  }
  const filter = useDebouncedCallback((text: string) => list?.onType(text), PAUSE)
  return {
    typed,
    setTyped: (text: string) => {
      setTyped(text)
      filter(text.trim())
    }
  }
}
