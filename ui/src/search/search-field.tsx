import { Combobox, Loader, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue, useMergedRef } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type ReactElement, type Ref, useRef, useState } from 'react'
import type { SearchResult } from '../api.ts'
import { messageOf } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import { hasWord, useSearch } from './search.ts'

/** The delay between the last keystroke and the request, in milliseconds. */
const PAUSE = 150

/** The values of the options for loading more results and for retrying. */
const [MORE, AGAIN] = ['more', 'again']

/**
 * A text field that searches everything the user can read, or one graph, while the user types. `options` renders the results.
 */
export function SearchField({
  label,
  placeholder = label,
  graph,
  options,
  onChoose,
  ref
}: {
  label: string
  placeholder?: string
  /** The id of the graph to search. If absent, all graphs are searched. */
  graph?: number
  options: (results: SearchResult[]) => ReactElement[]
  /** Called with the value of the chosen option. */
  onChoose: (value: string) => void
  ref?: Ref<HTMLInputElement>
}) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [sought] = useDebouncedValue(typed.trim(), PAUSE)
  const search = useSearch(sought, graph)
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const found = options(search.data?.pages.flatMap(({ rows }) => rows) ?? [])

  const choose = (value: string) => {
    if (value === MORE) return void search.fetchNextPage()
    if (value === AGAIN) return void search.refetch()
    setTyped('')
    combobox.closeDropdown()
    field.current?.blur()
    onChoose(value)
  }
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" width={360} shadow="md">
      <Combobox.Target>
        <TextInput
          ref={useMergedRef(ref, field)}
          size="xs"
          className="search-box"
          aria-label={label}
          placeholder={placeholder}
          leftSection={<IconSearch size={16} aria-hidden />}
          rightSection={search.isFetching ? <Loader size={14} aria-label={text.finder.searching} /> : undefined}
          value={typed}
          maxLength={255}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onFocus={() => combobox.openDropdown()}
          onBlur={() => combobox.closeDropdown()}
          onKeyDown={(event) => {
            if (event.key === 'Escape' && !combobox.dropdownOpened) setTyped('')
          }}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={sought === ''}>
        <Combobox.Options aria-label={text.finder.results} className="search-results">
          {hasWord(sought) && !search.isError && found}
          {search.hasNextPage && !search.isError && <Combobox.Option value={MORE}>{text.finder.more}</Combobox.Option>}
          {search.isError && (
            <Combobox.Option value={AGAIN}>
              {messageOf(search.error)} {text.failure.retry}
            </Combobox.Option>
          )}
          {!hasWord(sought) && <Combobox.Empty>{text.finder.tooShort}</Combobox.Empty>}
          {hasWord(sought) && search.isSuccess && found.length === 0 && (
            <Combobox.Empty>{text.finder.nothing}</Combobox.Empty>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
