import { Combobox, TextInput, type TextInputProps, useCombobox } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { messageOf } from '../shared/failure.tsx'
import { text } from '../text/index.ts'
import type { Hits } from './use-hits.tsx'

/** The values of the options for loading more results, for retrying, and for searching all graphs. */
const [MORE, AGAIN, EVERYWHERE] = ['more', 'again', 'everywhere'] as const

/**
 * A text field with a list of hits. Enter opens the highlighted hit or else the first one. If the hits still belong to an earlier
 * text, Enter waits for those of the typed text.
 */
export function SearchField({
  label,
  typed,
  onType,
  hits,
  nothing,
  onEverywhere,
  onChoose,
  ref,
  ...input
}: Pick<TextInputProps, 'ref' | 'placeholder' | 'className' | 'leftSection' | 'rightSection'> & {
  label: string
  typed: string
  onType: (typed: string) => void
  hits: Hits
  /** Shown if nothing is found. If undefined, the list is hidden instead. */
  nothing: string | undefined
  /** Searches all graphs. Offered if nothing is found. */
  onEverywhere: (() => void) | undefined
  /** Called with the value of the chosen option. */
  onChoose: (value: string) => void
}) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() })
  const field = useRef<HTMLInputElement>(null)
  const isEnterPending = useRef(false)
  const { options, first, isSearchable, isCurrent, error, more } = hits
  const isNothing = isCurrent && !error && first === undefined
  const isQuiet = nothing === undefined && (isNothing || !isSearchable)

  const choose = (value: string) => {
    if (value === MORE) return more?.()
    if (value === AGAIN) return hits.retry()
    if (value === EVERYWHERE) return onEverywhere?.()
    combobox.closeDropdown()
    onChoose(value)
  }
  const enter = () => {
    isEnterPending.current = !isCurrent
    if (!isCurrent) return
    const value = error ? AGAIN : (first ?? (onEverywhere && EVERYWHERE))
    if (value !== undefined) choose(value)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Escape') isEnterPending.current = false
    if (event.key === 'Escape' && !combobox.dropdownOpened) onType('')
    const isHighlighted = combobox.dropdownOpened && combobox.getSelectedOptionIndex() !== -1
    if (event.key === 'Enter' && isSearchable && !(isHighlighted && isCurrent)) enter()
  }
  useEffect(() => {
    if (!isEnterPending.current || !isCurrent) return
    isEnterPending.current = false
    if (!error && first !== undefined) choose(first)
  })
  useEffect(() => {
    // The library keeps the id of the option that was highlighted last.
    if (combobox.getSelectedOptionIndex() === -1) field.current?.removeAttribute('aria-activedescendant')
  })
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" width={360} shadow="md">
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...input}
          ref={useMergedRef(ref, field)}
          size="xs"
          aria-label={label}
          value={typed}
          maxLength={255}
          onChange={(event) => {
            isEnterPending.current = false
            onType(event.currentTarget.value)
            combobox.openDropdown()
            combobox.resetSelectedOption()
          }}
          onFocus={() => {
            combobox.openDropdown()
            // Shows the focus first.
            setTimeout(hits.prepare)
          }}
          onBlur={() => {
            isEnterPending.current = false
            combobox.closeDropdown()
          }}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={typed.trim() === '' || isQuiet} maw="calc(100vw - 16px)">
        <Combobox.Options aria-label={text.finder.results} className="search-results">
          {isSearchable && !error && options}
          {more && !error && (
            <Combobox.Option value={MORE} disabled={!isCurrent}>
              {text.finder.more}
            </Combobox.Option>
          )}
          {error && (
            <Combobox.Option value={AGAIN}>
              {messageOf(error)} {text.failure.retry}
            </Combobox.Option>
          )}
          {!isSearchable && <Combobox.Empty>{text.finder.tooShort}</Combobox.Empty>}
          {isSearchable && isNothing && (
            <>
              <Combobox.Empty>{nothing}</Combobox.Empty>
              {onEverywhere && <Combobox.Option value={EVERYWHERE}>{text.search.everywhere}</Combobox.Option>}
            </>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
