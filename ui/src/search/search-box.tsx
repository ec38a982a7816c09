import { useHotkeys } from '@mantine/hooks'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { text } from '../text/index.ts'
import { SearchField } from './search-field.tsx'
import { ResultOptions } from './search-results.tsx'

/**
 * A field that searches the graphs, nodes and edges that the user can read, while the user types. The `/` key focuses the field
 * on any page.
 */
export function SearchBox() {
  const field = useRef<HTMLInputElement>(null)
  const [, navigate] = useLocation()
  useHotkeys([['/', () => field.current?.focus()]])
  return (
    <SearchField
      ref={field}
      label={text.finder.label}
      placeholder={text.finder.placeholder}
      options={(results) => results.map((result) => <ResultOptions key={result.graph.id} result={result} />)}
      onChoose={(address) => navigate(address, { state: { isFound: true } })}
    />
  )
}
